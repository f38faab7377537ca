#include "model/analysis/architecture_memory.h"

#include <algorithm>
#include <utility>

namespace headscope::analysis {

namespace {

constexpr double bytesOfFloat = 4;

/// Equal products of axes, and how many of them, in the order in which they are met.
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

template <class Value>
std::int64_t size(const std::vector<Value>& values) {
    return static_cast<std::int64_t>(values.size() * sizeof(Value));
}

std::int64_t size(const trace::HeadStack& stack) {
    return static_cast<std::int64_t>(stack.values().size_bytes());
}

std::int64_t size(const trace::AttentionRecord& record) {
    std::int64_t sum = size(record.mask.values());
    for (const auto* stack :
         {&record.scores, &record.weights, &record.q, &record.k, &record.v, &record.outputs})
        sum += size(*stack);
    return sum;
}

template <class Parts>
std::int64_t sizeOfAll(const Parts& parts) {
    std::int64_t sum = 0;
    for (const auto& part : parts)
        sum += size(part);
    return sum;
}

std::int64_t size(const trace::DecodeRow& row) {
    return sizeOfAll(row.self) + sizeOfAll(row.cross) + sizeOfAll(row.scoresOfEarlierQueries) +
           size(row.logProbabilities) + size(row.residual.values()) + size(row.position);
}

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

std::int64_t runBytes(const trace::Run& run) {
    std::int64_t sum = size(run.sourcePositions.values()) + size(run.encoderResidual) +
                       size(run.encoderOutput.values()) + size(run.classLogProbabilities) +
                       sizeOfAll(run.encoder) + sizeOfAll(run.decoder) + sizeOfAll(run.cross);
    for (const auto& node : run.tree.nodes())
        if (node.row)
            sum += size(*node.row);
    return sum;
}

} // namespace headscope::analysis
