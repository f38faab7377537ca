#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/generation_config.h"
#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/settings.h"
#include "model/engine/engine.h"
#include "model/network/transformer.h"
#include "model/text/tokenizer.h"
#include "model/trace/model_summary.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace headscope::engine {

/// A model that is ready to run. Immutable once open.
struct OpenModel {
    checkpoint::Family family;
    checkpoint::Settings settings;
    std::unique_ptr<network::Transformer> network;
    std::shared_ptr<const text::Tokenizer> tokenizer; ///< null: the model takes ids only
    std::vector<checkpoint::TokenizerFile> tokenizerFiles;
    std::optional<std::filesystem::path> attributionFile;
    checkpoint::Generation generation;
    std::shared_ptr<const trace::ModelSummary> summary;

    /// A token of an id: its piece, and its role among the special tokens. An id that also ends or pads is
    /// no start.
    trace::Token token(std::int64_t id) const;
    /// The same in the target's vocabulary.
    trace::Token targetToken(std::int64_t id) const;
    /// The token of the target's vocabulary that a person names: a piece, a word of one piece, or #ID. Throws
    /// trace::Refusal.
    trace::Token targetTokenOf(const std::string& name) const;
    /// The id whose keys are closed in the target, if the model closes any.
    std::optional<std::int64_t> maskedInTarget() const {
        return network->config().targetPaddingMasked ? summary->special.padding : std::nullopt;
    }
};

/// Throws trace::Refusal, or trace::Cancelled.
std::unique_ptr<OpenModel> openModel(const ModelSource& source,
                                     const std::vector<std::filesystem::path>& familyFolders,
                                     std::stop_token stop);

} // namespace headscope::engine
