#include "model/training/encoded_corpus.h"

#include "model/files/findings.h"
#include "model/trace/refusal.h"
#include "model/training/fingerprint.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

namespace headscope::training {

namespace {

std::vector<std::int32_t> shortIds(const std::vector<trace::Token>& tokens) {
    std::vector<std::int32_t> ids;
    for (const auto& token : tokens)
        ids.push_back(static_cast<std::int32_t>(token.id));
    return ids;
}

std::vector<std::int32_t> framed(const Framing& framing, std::vector<std::int32_t> ids) {
    ids.insert(ids.begin(), framing.sourcePrefix.begin(), framing.sourcePrefix.end());
    ids.insert(ids.end(), framing.sourceSuffix.begin(), framing.sourceSuffix.end());
    return ids;
}

std::optional<double> numberOf(const std::string& label) {
    double number = 0;
    const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), number);
    const bool isNumber = error == std::errc() && end == label.data() + label.size() && std::isfinite(number);
    // "nan" counts as a word, because it has no order among numbers.
    return isNumber ? std::optional(number) : std::nullopt;
}

} // namespace

EncodedCorpus EncodedCorpus::ofPairs(const std::vector<corpus::TextPair>& pairs,
                                     const text::Tokenizer& tokenizer, const Framing& framing,
                                     const std::stop_token& stop) {
    EncodedCorpus corpus;
    for (const auto& pair : pairs) {
        trace::throwIfStopped(stop);
        auto source = shortIds(tokenizer.encode(pair.source));
        auto target = shortIds(tokenizer.encodeTarget(pair.target));
        if (source.empty() || target.empty() || source.size() > framing.longestSource ||
            target.size() > framing.longestTarget) {
            ++corpus.leftOut_;
            continue;
        }
        if (framing.first)
            target.insert(target.begin(), static_cast<std::int32_t>(*framing.first));
        target.insert(target.begin(), static_cast<std::int32_t>(framing.start));
        target.push_back(static_cast<std::int32_t>(framing.end));
        corpus.examples_.push_back({framed(framing, std::move(source)), std::move(target)});
    }
    return corpus;
}

EncodedCorpus EncodedCorpus::ofTexts(const std::vector<corpus::TextPair>& texts,
                                     const text::Tokenizer& tokenizer, const Framing& framing,
                                     const std::vector<std::string>& labels, const std::stop_token& stop) {
    EncodedCorpus corpus;
    corpus.classes_ = true;
    for (const auto& [text, label, line] : texts) {
        trace::throwIfStopped(stop);
        const auto found = std::ranges::find(labels, label);
        if (found == labels.end())
            throw trace::Refusal(
                {.what = "A text has a label that the model does not know",
                 .where = "line " + std::to_string(line) + ", \"" + files::printable(text, 60) + "\"",
                 .expected = std::to_string(labels.size()) + " labels that training had",
                 .found = "\"" + files::printable(label, 60) + "\"",
                 .wayOut = "give texts of the same labels"});
        auto source = shortIds(tokenizer.encode(text));
        source.resize(std::min(source.size(), framing.longestSource));
        if (source.empty()) {
            ++corpus.leftOut_;
            continue;
        }
        corpus.examples_.push_back(
            {framed(framing, std::move(source)), {static_cast<std::int32_t>(found - labels.begin())}});
    }
    return corpus;
}

std::vector<corpus::ExampleLength> EncodedCorpus::lengths() const {
    std::vector<corpus::ExampleLength> lengths;
    for (const auto& example : examples_)
        lengths.push_back({.source = example.source.size(),
                           .target = classes_ ? example.source.size() : example.target.size()});
    return lengths;
}

std::vector<std::vector<std::uint32_t>> EncodedCorpus::sortedBatches(std::size_t most) const {
    using Ids = std::vector<std::int32_t>;
    std::vector<std::uint32_t> order(size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [this](std::uint32_t i) {
        const auto& [source, target] = examples_[i];
        return std::tuple<std::size_t, std::size_t, const Ids&, const Ids&>(target.size(), source.size(),
                                                                            target, source);
    });
    std::vector<std::vector<std::uint32_t>> batches;
    std::size_t count = most;
    for (const auto example : order) {
        if (count >= most) {
            batches.emplace_back();
            count = 0;
        }
        batches.back().push_back(example);
        count += tokens(example);
    }
    return batches;
}

std::size_t EncodedCorpus::answers(std::uint32_t example) const {
    return classes_ ? 1 : examples_[example].target.size() - 1;
}

std::size_t EncodedCorpus::tokens(std::uint32_t example) const {
    return classes_ ? examples_[example].source.size() : answers(example);
}

PackedBatch EncodedCorpus::packed(std::span<const std::uint32_t> batch, std::size_t first,
                                  std::size_t n) const {
    PackedBatch packed;
    for (std::size_t i = first; i < batch.size(); i += n) {
        const auto& [source, target] = examples_[batch[i]];
        packed.source.add(std::vector<std::int64_t>(source.begin(), source.end()));
        if (classes_) {
            packed.wanted.push_back(target.front());
            continue;
        }
        packed.fed.add(std::vector<std::int64_t>(target.begin(), target.end() - 1));
        packed.wanted.insert(packed.wanted.end(), target.begin() + 1, target.end());
    }
    return packed;
}

std::string EncodedCorpus::fingerprint() const {
    Fingerprint fingerprint;
    const auto add = [&](const std::vector<std::int32_t>& ids) {
        fingerprint.addText({reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof(std::int32_t)});
    };
    for (const auto& [source, target] : examples_) {
        add(source);
        add(target);
    }
    return fingerprint.text();
}

std::vector<std::string> labelsOf(const std::vector<corpus::TextPair>& texts) {
    std::set<std::string> distinct;
    for (const auto& text : texts)
        distinct.insert(text.target);
    std::vector<std::string> labels(distinct.begin(), distinct.end());
    if (std::ranges::all_of(labels, [](const auto& label) { return numberOf(label).has_value(); }))
        std::ranges::stable_sort(labels, {}, [](const auto& label) { return *numberOf(label); });
    return labels;
}

} // namespace headscope::training
