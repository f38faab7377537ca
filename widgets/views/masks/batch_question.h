#pragma once

#include <QString>

#include "model/analysis/padded_batch.h"
#include "model/trace/model_summary.h"
#include "model/trace/question.h"
#include "model/trace/run.h"

#include <memory>
#include <vector>

namespace headscope::widgets {

/// Typed sentences; ids if the model has no tokenizer.
struct BatchSentence {
    QString source;
    QString target; ///< forced on the decoder; empty: the model decodes
    friend bool operator==(const BatchSentence&, const BatchSentence&) = default;
};

struct BatchAnswer;

/// The sentences of a padded batch.
struct BatchQuestion {
    using Value = BatchAnswer;

    std::vector<BatchSentence> sentences;
    std::shared_ptr<const trace::ModelSummary> model;
    /// Of each sentence, without padding; empty if the model cannot read what was typed.
    std::vector<trace::Request> requests;

    /// Runs each sentence alone, then padded to the longest.
    BatchAnswer ask(trace::Answers& answers, const trace::Task& work) const;
    friend bool operator==(const BatchQuestion&, const BatchQuestion&) = default;
};

/// A sentence of the batch, run with its padding.
struct BatchedSentence {
    std::shared_ptr<const trace::Run> run;
    analysis::BatchRow row;
    analysis::PaddingEffect effect; ///< compared with the same sentence without padding
};

struct BatchAnswer {
    BatchQuestion question;
    std::vector<BatchedSentence> sentences;
};

/// Runs each of `requests` alone, then padded to the longest. Passes on what the model throws.
std::vector<BatchedSentence> runBatch(trace::Answers& model, const std::vector<trace::Request>& requests,
                                      const trace::Task& work);

} // namespace headscope::widgets
