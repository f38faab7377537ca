#pragma once

#include "model/network/network_config.h"
#include "model/training/training_config.h"
#include "model/training/training_data.h"
#include "model/training/vocabulary_files.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace headscope::training {

/// Fingerprints of everything that must not change when a training is resumed: "network", "vocabulary", ...
using Origin = std::map<std::string, std::string>;

Origin originOf(const TrainingConfig& config, const network::NetworkConfig& network,
                const TrainedVocabulary& vocabulary, const TrainingData& data);

/// Returns a fingerprint of everything that determines a vocabulary.
std::string fingerprintOf(const VocabularyConfig& config, const std::vector<corpus::TextPair>& pairs);

/// Throws trace::Refusal that lists all differences. Keys missing in `saved` are not compared.
void refuseOtherOrigin(const Origin& saved, const Origin& now, const TrainingConfig& config);

} // namespace headscope::training
