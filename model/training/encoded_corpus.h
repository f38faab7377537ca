#pragma once

#include "model/corpus/batches.h"
#include "model/corpus/parallel_corpus.h"
#include "model/text/tokenizer.h"
#include "model/training/packed_sentences.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::training {

/// Special tokens around a sentence, and maximum lengths.
struct Framing {
    std::vector<std::int64_t> sourcePrefix;
    std::vector<std::int64_t> sourceSuffix;
    std::int64_t start = 0;
    std::optional<std::int64_t> first; ///< follows the start of every target, such as its language
    std::int64_t end = 0;
    std::size_t longestSource = 0; ///< tokens of a sentence, special ones excluded
    std::size_t longestTarget = 0;
};

/// A corpus as token ids.
class EncodedCorpus {
  public:
    /// Encodes sentence pairs. Leaves out those with a side that is empty or too long.
    static EncodedCorpus ofPairs(const std::vector<corpus::TextPair>& pairs, const text::Tokenizer& tokenizer,
                                 const Framing& framing, const std::stop_token& stop);
    /// Encodes labelled texts; the class is the index of the label in `labels`. Texts that are too long are
    /// cut, empty ones left out. Throws trace::Refusal for a label not in `labels`.
    static EncodedCorpus ofTexts(const std::vector<corpus::TextPair>& texts, const text::Tokenizer& tokenizer,
                                 const Framing& framing, const std::vector<std::string>& labels,
                                 const std::stop_token& stop);

    std::size_t size() const { return examples_.size(); }
    std::size_t leftOut() const { return leftOut_; }
    /// Returns the lengths used to make batches. The target includes start and end; for a classifier it is
    /// the length of the text.
    std::vector<corpus::ExampleLength> lengths() const;
    /// Returns all examples in batches of about `most` tokens, by length and then by their tokens: the order
    /// of the corpus makes no difference.
    std::vector<std::vector<std::uint32_t>> sortedBatches(std::size_t most) const;
    /// Returns the number of predictions of an example: tokens, or one class.
    std::size_t answers(std::uint32_t example) const;
    /// Returns the number of tokens that count for the training speed: predicted tokens or, for a classifier,
    /// tokens of the text.
    std::size_t tokens(std::uint32_t example) const;
    /// Packs every n-th example of a batch, starting with index `first`.
    PackedBatch packed(std::span<const std::uint32_t> batch, std::size_t first, std::size_t n) const;
    /// Returns a fingerprint of all ids.
    std::string fingerprint() const;

  private:
    struct Example {
        std::vector<std::int32_t> source;
        std::vector<std::int32_t> target; ///< start, tokens, end; or the class only
    };
    bool classes_ = false;
    std::size_t leftOut_ = 0;
    std::vector<Example> examples_;
};

/// Returns the distinct labels of a corpus: sorted by value if all are numbers, else by their bytes.
std::vector<std::string> labelsOf(const std::vector<corpus::TextPair>& texts);

} // namespace headscope::training
