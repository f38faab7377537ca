#pragma once

#include "model/corpus/batches.h"
#include "model/corpus/parallel_corpus.h"
#include "model/text/tokenizer.h"
#include "model/training/packed_sentences.h"

#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::training {

/// What stands around a sentence's pieces.
struct Framing {
    std::vector<std::int64_t> sourcePrefix;
    std::vector<std::int64_t> sourceSuffix;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::size_t longestSource = 0; ///< pieces of a sentence
    std::size_t longestTarget = 0;
};

/// A corpus as ids.
class EncodedCorpus {
  public:
    /// Sentence pairs; those with a side that is empty or too long are left out.
    static EncodedCorpus ofPairs(const std::vector<corpus::TextPair>& pairs, const text::Tokenizer& tokenizer,
                                 const Framing& framing, const std::stop_token& stop);
    /// Texts with labels, whose class is their place among `labels`; texts that are too long are cut. Throws
    /// trace::Refusal for a label that is not among them.
    static EncodedCorpus ofTexts(const std::vector<corpus::TextPair>& texts, const text::Tokenizer& tokenizer,
                                 const Framing& framing, const std::vector<std::string>& labels,
                                 const std::stop_token& stop);

    std::size_t size() const { return examples_.size(); }
    std::size_t leftOut() const { return leftOut_; }
    /// For the batches: of the target with its start and end, or of a text.
    std::vector<corpus::ExampleLength> lengths() const;
    /// Of each example, tokens or classes that are to be answered.
    std::size_t answers(std::uint32_t example) const;
    /// Of each example, what speed is told in: tokens that are to be answered, or of the text that has one
    /// class.
    std::size_t tokens(std::uint32_t example) const;
    /// Every n-th of a batch from the first-th on.
    PackedBatch packed(std::span<const std::uint32_t> batch, std::size_t first, std::size_t n) const;
    /// Of all its ids.
    std::string fingerprint() const;

  private:
    struct Example {
        std::vector<std::int32_t> source;
        std::vector<std::int32_t> target; ///< start, pieces, end; or a class alone
    };
    bool classes_ = false;
    std::size_t leftOut_ = 0;
    std::vector<Example> examples_;
};

/// The labels of a corpus: numbers by size, else words by their bytes.
std::vector<std::string> labelsOf(const std::vector<corpus::TextPair>& texts);

} // namespace headscope::training
