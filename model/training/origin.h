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

/// What a training cannot go on without, and a fingerprint of each: "the network", "the vocabulary", ...
using Origin = std::map<std::string, std::string>;

Origin originOf(const TrainingConfig& config, const network::NetworkConfig& network,
                const TrainedVocabulary& vocabulary, const TrainingData& data);

/// What a vocabulary is made of.
std::string fingerprintOf(const VocabularyConfig& config, const std::vector<corpus::TextPair>& pairs);

/// Throws trace::Refusal that names all that differs. What `saved` does not know is not compared.
void refuseOtherOrigin(const Origin& saved, const Origin& now, const TrainingConfig& config);

} // namespace headscope::training
