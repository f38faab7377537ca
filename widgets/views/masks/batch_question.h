#pragma once

#include <QString>

#include "model/analysis/padded_batch.h"
#include "model/trace/model_summary.h"
#include "model/trace/question.h"
#include "model/trace/run.h"

#include <memory>
#include <vector>

namespace headscope::widgets {

/// What a person typed; ids where the model has no tokenizer.
struct BatchSentence {
    QString source;
    QString target; ///< forced on the decoder; empty: the model decodes
    friend bool operator==(const BatchSentence&, const BatchSentence&) = default;
};

/// Sentences that are to stand in one padded batch.
struct BatchQuestion {
    std::vector<BatchSentence> sentences;
    std::shared_ptr<const trace::ModelSummary> model;
    friend bool operator==(const BatchQuestion&, const BatchQuestion&) = default;
};

/// One sentence of the batch as the model ran it with its padding.
struct BatchedSentence {
    std::shared_ptr<const trace::Run> run;
    analysis::BatchRow row;
    analysis::PaddingEffect effect; ///< against the same sentence without padding
};

struct BatchAnswer {
    BatchQuestion question;
    std::vector<BatchedSentence> sentences;
    QString whyNot; ///< a refusal in words; empty where it was answered
};

/// The runs of a batch: each of `requests` alone, then padded to the longest. Throws what the model does.
std::vector<BatchedSentence> runBatch(trace::Answers& model, const std::vector<trace::Request>& requests,
                                      const trace::Task& work);

} // namespace headscope::widgets
