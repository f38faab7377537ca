#pragma once

#include "model/analysis/heads/corpus_statistics.h"
#include "model/trace/question.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::analysis {

/// Sentences that the unchanged model reads one after the other.
struct Corpus {
    std::vector<std::string> sentences;
    trace::Decoding decoding;
    int newTokens = 0;
    /// Seed of the random twin, which reads the model's output for each sentence; empty: there is no twin.
    std::optional<std::uint64_t> twinSeed;
};

/// Statistics of the heads after the first `done` sentences of a corpus.
struct CorpusReading {
    std::shared_ptr<const Corpus> corpus;
    std::size_t done = 0;
    std::size_t refused = 0; ///< of these, by the model or its twin: they count for neither
    CorpusStatistics model;
    CorpusStatistics twin; ///< of the same sentences; empty unless a twin reads them

    bool isWhole() const { return done == corpus->sentences.size(); }
};

/// A question (trace::Counted): the statistics after one more sentence. Each sentence is a question, so that
/// others can be answered in between.
struct NextSentenceWhat {
    using Value = CorpusReading;
    static constexpr bool takesLong = true;
    static constexpr bool comesLast = true;
    std::shared_ptr<const CorpusReading> before; ///< not whole
    Value ask(trace::Answers& model, const trace::Task& work) const;
    friend bool operator==(const NextSentenceWhat&, const NextSentenceWhat&) = default;
};

/// A question (trace::Counted): the statistics of every head over the sentences, by address.
struct CorpusHeadsWhat {
    struct Value {
        std::shared_ptr<const CorpusReading> of;
        std::vector<HeadStatistics> heads;
        std::vector<HeadStatistics> twinHeads;
    };
    std::shared_ptr<const CorpusReading> of;
    Value count(const trace::Task&) const { return {of, of->model.heads(), of->twin.heads()}; }
    friend bool operator==(const CorpusHeadsWhat&, const CorpusHeadsWhat&) = default;
};

/// A question (trace::Counted): CorpusStatistics::intervals() of the model's head.
struct CorpusIntervalsWhat {
    using Value = CorpusStatistics::Intervals;
    std::shared_ptr<const CorpusReading> of;
    trace::HeadAddress head;
    Value count(const trace::Task&) const { return of->model.intervals(head); }
    friend bool operator==(const CorpusIntervalsWhat&, const CorpusIntervalsWhat&) = default;
};

} // namespace headscope::analysis
