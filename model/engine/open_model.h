#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/generation_config.h"
#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/settings.h"
#include "model/engine/engine.h"
#include "model/network/transformer.h"
#include "model/text/tokenizer.h"
#include "model/trace/model_summary.h"
#include "model/trace/request.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace headscope::engine {

/// A model ready to run. Immutable after openModel().
struct OpenModel {
    checkpoint::Family family;
    checkpoint::Settings settings;
    std::unique_ptr<network::Transformer> network;
    std::shared_ptr<const text::Tokenizer> tokenizer; ///< null: the model takes ids only
    std::vector<checkpoint::TokenizerFile> tokenizerFiles;
    std::optional<std::filesystem::path> attributionFile;
    checkpoint::Generation generation;
    std::shared_ptr<const trace::ModelSummary> summary;

    /// Returns the token of an id, with its text and its role among the special tokens. An id that is also an
    /// end or padding token does not get the role Start.
    trace::Token token(std::int64_t id) const;
    /// Same as token(), with the text in the target vocabulary.
    trace::Token targetToken(std::int64_t id) const;
    /// Returns what the model chooses by this index: a class, a label of a token, or a token as
    /// targetToken().
    trace::Token answerToken(std::int64_t index) const;
    /// Returns the token of Request::ratherThan: named by its spelling in the vocabulary that the model
    /// chooses from, as a word of one token, or as #ID; a class or label by its name or as #INDEX; where a
    /// model marks an answer, a token of the source by its spelling or as #INDEX. Nullopt if the request
    /// names none. Throws trace::Refusal, also if the model chooses nothing.
    std::optional<trace::Token> contrastOf(const trace::Request& request,
                                           const std::vector<trace::Token>& source,
                                           std::optional<trace::TokenIndex> second) const;
    /// Returns the id between the start token and a given text of the target, such as that of its language;
    /// nullopt if there is none.
    std::optional<std::int64_t> firstOfTargetText() const;
    /// Returns the id whose keys are masked in the target; nullopt if the model masks none.
    std::optional<std::int64_t> maskedInTarget() const {
        return network->config().targetPaddingMasked ? summary->special.padding : std::nullopt;
    }

  private:
    /// Returns the token of a class, with its label as text, or "#1" if the model does not name it.
    trace::Token classToken(std::int64_t index) const;
    trace::Token classNamed(const std::string& name) const;
};

/// Throws trace::Refusal or trace::Cancelled.
std::unique_ptr<OpenModel> openModel(const ModelSource& source,
                                     const std::vector<std::filesystem::path>& familyFolders,
                                     std::stop_token stop);

} // namespace headscope::engine
