#include "model/analysis/architecture/architecture_memory.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace headscope::analysis {

namespace {

constexpr double bytesOfFloat = 4;

/// Products of axes with their counts, in order of first occurrence.
using Terms = std::vector<std::pair<std::string, int>>;

void collect(Terms& terms, const ArchitectureBlock& block) {
    for (const Shape& shape : block.computed) {
        std::string product;
        for (const Axis& axis : shape)
            product += (product.empty() ? "" : " ") + axis.letters;
        const auto known = std::ranges::find(terms, product, &Terms::value_type::first);
        if (known == terms.end())
            terms.emplace_back(std::move(product), 1);
        else
            ++known->second;
    }
    for (const auto& child : block.children)
        collect(terms, child);
}

/// Sums up bytes; shared data counts once.
class Counter {
  public:
    template <class Value>
    void add(const std::vector<Value>& values) {
        bytes_ += static_cast<std::int64_t>(values.size() * sizeof(Value));
    }
    void add(const trace::HeadStack& stack) {
        if (seen_.insert(stack.values().data()).second)
            bytes_ += static_cast<std::int64_t>(stack.values().size_bytes());
    }
    void add(const std::vector<trace::HeadStack>& stacks) {
        for (const auto& stack : stacks)
            add(stack);
    }
    void add(const std::vector<trace::AttentionRecord>& records) {
        for (const auto& record : records) {
            add(record.mask.values());
            for (const auto* stack :
                 {&record.scores, &record.weights, &record.q, &record.k, &record.v, &record.outputs})
                add(*stack);
            if (record.rule && seen_.insert(record.rule->open.get()).second)
                bytes_ += static_cast<std::int64_t>(record.rule->open->bytes());
        }
    }
    void addAttention(const trace::Run& run) {
        for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
            add(*records);
        for (const auto& node : run.tree.nodes())
            if (node.row) {
                add(node.row->self);
                add(node.row->cross);
                add(node.row->scoresOfEarlierQueries);
                if (node.row->together) {
                    add(node.row->together->self);
                    add(node.row->together->cross);
                }
            }
    }
    std::int64_t bytes() const { return bytes_; }

  private:
    std::unordered_set<const void*> seen_;
    std::int64_t bytes_ = 0;
};

} // namespace

double activationBytes(const ArchitectureBlock& block, const Lengths& lengths) {
    double sum = 0;
    for (const Shape& shape : block.computed)
        sum += bytesOfFloat * elements(shape, lengths);
    for (const auto& child : block.children)
        sum += activationBytes(child, lengths);
    return sum;
}

double activationBytes(const Architecture& architecture, const Lengths& lengths) {
    double sum = 0;
    for (const auto* column : {&architecture.source, &architecture.target})
        for (const auto& block : *column)
            sum += activationBytes(block, lengths);
    return sum;
}

std::string activationFormula(const ArchitectureBlock& block) {
    Terms terms;
    collect(terms, block);
    std::string sum;
    for (const auto& [product, count] : terms)
        sum += (sum.empty() ? "" : " + ") + (count == 1 ? "" : std::to_string(count) + " ") + product;
    return sum.empty() ? sum : terms.size() == 1 && terms[0].second == 1 ? "4 " + sum : "4 (" + sum + ")";
}

double mapBytes(const trace::Run& run) {
    double numbers = 0;
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
        for (const auto& record : *records) {
            const auto maps = record.isRecomputed() ? 0.0 : record.scores.empty() ? 1.0 : 2.0;
            const auto sides = record.isRecomputed() ? record.queries() + record.keys() : 0;
            numbers += static_cast<double>(record.heads()) *
                       (maps * static_cast<double>(record.queries()) * static_cast<double>(record.keys()) +
                        static_cast<double>(sides * record.q.columns()));
        }
    return bytesOfFloat * numbers;
}

std::int64_t attentionBytes(const trace::Run& run) {
    Counter counter;
    counter.addAttention(run);
    return counter.bytes();
}

std::int64_t runBytes(const trace::Run& run) {
    Counter counter;
    counter.add(run.sourcePositions.values());
    counter.add(run.encoderResidual);
    counter.add(run.encoderOutput.values());
    counter.add(run.classLogProbabilities);
    counter.addAttention(run);
    for (const auto& node : run.tree.nodes())
        if (node.row) {
            counter.add(node.row->logProbabilities);
            counter.add(node.row->residual.values());
            counter.add(node.row->position);
        }
    return counter.bytes();
}

} // namespace headscope::analysis
