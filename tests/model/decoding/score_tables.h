#pragma once

#include "model/decoding/next_token_scorer.h"

#include <cmath>
#include <map>

/// Hand-written models: the distribution of the next token by prefix.
namespace score_tables {

class Table : public headscope::decoding::NextTokenScorer {
  public:
    using Fed = std::vector<std::int64_t>;

    /// `rows` are probabilities; other prefixes use `otherwise`.
    Table(std::map<Fed, std::vector<float>> rows, std::vector<float> otherwise)
        : rows_(std::move(rows)), otherwise_(std::move(otherwise)) {}

    std::span<const float> logProbabilities(const Fed& fed) override {
        const auto found = rows_.find(fed);
        last_ = found == rows_.end() ? otherwise_ : found->second;
        for (float& value : last_)
            value = std::log(value);
        ++asked;
        return last_;
    }

    int asked = 0;

  private:
    std::map<Fed, std::vector<float>> rows_;
    std::vector<float> otherwise_;
    std::vector<float> last_;
};

} // namespace score_tables
