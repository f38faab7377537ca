#include "app/traces/array_fields.h"
#include "app/traces/trace_results.h"

#include <algorithm>
#include <functional>

namespace headscope::app {

namespace {

using trace::HeadEffect;
using trace::HeadImportance;
using trace::RemovalCurve;

/// The effects of all heads are in the value already, with a number for each token.
template <class Arrays>
bool numbers(Arrays& arrays, typename Arrays::template Of<HeadImportance>& importance) {
    const auto tokens = importance.tokens.size();
    const Shape shape{size(importance.effects.size()), size(tokens)};
    const auto ofHeads = [&](const char* name, std::vector<float> HeadEffect::*part) {
        return arrays.each(
            name, shape, [&](std::size_t i) -> auto& {
                return (importance.effects[i / tokens].*part)[i % tokens];
            });
    };
    const bool original = arrays.list("importance/undisturbed", {size(tokens)}, importance.original),
               effects = ofHeads("importance/heads", &HeadEffect::importance),
               divergence = ofHeads("importance/divergence", &HeadEffect::divergence);
    return original && effects && divergence;
}

constexpr const char* ordersName = "removal/orders";
constexpr const char* removedName = "removal/removed";

/// Curves of one run: all have the same points.
struct Removals {
    std::vector<trace::HeadAddress> heads;
    std::vector<std::int64_t> orders; ///< [orders, heads] places in `heads`, the first removed first
    std::vector<std::size_t> removed; ///< [points]
    std::vector<float> values;        ///< [orders, points, tokens]
};

template <class Arrays>
bool numbers(Arrays& arrays, typename Arrays::template Of<Removals>& removals, std::int64_t orders,
             std::int64_t tokens) {
    const auto points = size(removals.removed.size());
    const bool found[]{arrays.list(ordersName, {orders, size(removals.heads.size())}, removals.orders),
                       arrays.list(removedName, {points}, removals.removed),
                       arrays.list("removal/values", {orders, points, tokens}, removals.values)};
    return std::ranges::all_of(found, std::identity());
}

struct KnockOut {
    std::vector<double> logProbabilities;    ///< [steps]
    std::vector<std::vector<double>> losses; ///< [steps][source]; of a decoder alone [steps][target]
};

template <class Arrays>
bool numbers(Arrays& arrays, typename Arrays::template Of<KnockOut>& knockOut, std::size_t steps,
             std::size_t columns) {
    return arrays.list("knock_out/log_probabilities", {size(steps)}, knockOut.logProbabilities) &&
           arrays.rows("knock_out/losses", {size(steps), size(columns)}, knockOut.losses);
}

} // namespace

std::vector<files::NamedArray> importanceArrays(const HeadImportance& importance) {
    ArrayWriter writer;
    numbers(writer, importance);
    return writer.arrays();
}

ImportanceWords wordsOf(const HeadImportance& importance) {
    ImportanceWords words{.heads = {}, .tokens = importance.tokens, .contrast = importance.contrast};
    if (importance.ablation != trace::Ablation())
        words.ablation = toString(importance.ablation);
    for (const auto& effect : importance.effects)
        words.heads.push_back(toString(effect.head));
    return words;
}

std::shared_ptr<const HeadImportance> readImportance(TraceTensors& tensors, const ImportanceWords& words,
                                                     const trace::Run& run) {
    const auto tokens = words.tokens.size();
    auto importance = std::make_shared<HeadImportance>();
    importance->tokens = words.tokens;
    importance->contrast = words.contrast;
    importance->areNumbers = run.answerKind() == trace::AnswerKind::Numbers;
    if (!words.ablation.empty()) {
        const auto ablation = trace::parseAblation(words.ablation);
        if (!ablation) {
            tensors.addFinding("\"importance.ablation\" is " + words.ablation +
                               ", and not zero, mean or resample=SENTENCE");
            return nullptr;
        }
        importance->ablation = *ablation;
    }
    const std::vector<float> none(tokens);
    importance->effects.assign(words.heads.size(), {.head = {}, .importance = none, .divergence = none});
    if (ArrayReader reader(tensors); !numbers(reader, *importance))
        return nullptr;
    if (tokens > run.answers().size()) {
        tensors.addFinding("\"importance.tokens\" are more than there are steps or answers");
        return nullptr;
    }
    for (std::size_t i = 0; i < words.heads.size(); ++i) {
        const auto head = trace::parseHeadAddress(words.heads[i]);
        const auto* record = head ? run.record(head->site) : nullptr;
        if (!record || head->head >= record->heads()) {
            tensors.addFinding("\"importance.heads\" names " + words.heads[i] + ", which has no weights");
            return nullptr;
        }
        importance->effects[i].head = *head;
    }
    importance->complete = true;
    return importance;
}

std::vector<files::NamedArray> removalArrays(const HeadImportance& importance,
                                             const std::vector<std::shared_ptr<const RemovalCurve>>& curves) {
    Removals removals;
    for (const auto& effect : importance.effects)
        removals.heads.push_back(effect.head);
    for (const auto& curve : curves) {
        for (const auto& head : curve->order)
            removals.orders.push_back(std::ranges::find(removals.heads, head) - removals.heads.begin());
        for (const auto& values : curve->values)
            removals.values.insert(removals.values.end(), values.begin(), values.end());
    }
    removals.removed = curves.front()->removed;
    ArrayWriter writer;
    numbers(writer, removals, size(curves.size()), size(importance.tokens.size()));
    return writer.arrays();
}

std::vector<std::shared_ptr<const RemovalCurve>> readRemovals(TraceTensors& tensors,
                                                              const HeadImportance& importance) {
    Removals removals;
    for (const auto& effect : importance.effects)
        removals.heads.push_back(effect.head);
    const auto heads = removals.heads.size(), tokens = importance.tokens.size();
    const auto* stored = tensors.find(ordersName, {-1, size(heads)});
    const auto* points = tensors.find(removedName, {-1});
    if (!stored || !points)
        return {};
    removals.removed.resize(count(points->shape[0]));
    if (ArrayReader reader(tensors); !numbers(reader, removals, stored->shape[0], size(tokens)))
        return {};
    const auto isBeyond = [&](std::size_t limit) {
        return [=](std::int64_t n) { return n < 0 || count(n) >= limit; };
    };
    if (std::ranges::any_of(removals.orders, isBeyond(heads))) {
        tensors.addFinding(std::string("\"") + ordersName +
                           "\" names heads that \"importance.heads\" does not");
        return {};
    }
    if (std::ranges::any_of(removals.removed, [=](std::size_t n) { return n > heads; })) {
        tensors.addFinding(std::string("\"") + removedName + "\" has more heads than there are");
        return {};
    }
    std::vector<std::shared_ptr<const RemovalCurve>> curves;
    auto order = removals.orders.begin();
    auto value = removals.values.begin();
    for (std::int64_t i = 0; i < stored->shape[0]; ++i) {
        RemovalCurve curve{.ablation = importance.ablation,
                           .removed = removals.removed,
                           .tokens = importance.tokens,
                           .contrast = importance.contrast,
                           .areNumbers = importance.areNumbers};
        for (std::size_t head = 0; head < heads; ++head)
            curve.order.push_back(removals.heads[count(*order++)]);
        for (std::size_t point = 0; point < curve.removed.size(); ++point, value += size(tokens))
            curve.values.emplace_back(value, value + size(tokens));
        curve.complete = true;
        curves.push_back(std::make_shared<const RemovalCurve>(std::move(curve)));
    }
    return curves;
}

std::vector<files::NamedArray>
knockOutArrays(const std::vector<std::shared_ptr<const trace::CausalRow>>& rows) {
    KnockOut knockOut;
    for (const auto& row : rows) {
        knockOut.logProbabilities.push_back(row->logProbability);
        knockOut.losses.push_back(row->drops);
    }
    ArrayWriter writer;
    numbers(writer, knockOut, rows.size(), rows.front()->drops.size());
    return writer.arrays();
}

std::vector<std::shared_ptr<const trace::CausalRow>> readKnockOut(TraceTensors& tensors,
                                                                  const trace::Run& run) {
    KnockOut knockOut;
    const bool readsSource = !run.encoder.empty() || !run.cross.empty();
    const auto columns = readsSource ? run.source.size() : run.target.size();
    if (ArrayReader reader(tensors); run.next.empty() || !numbers(reader, knockOut, run.next.size(), columns))
        return {};
    std::vector<std::shared_ptr<const trace::CausalRow>> rows;
    for (std::size_t step = 0; step < run.next.size(); ++step)
        rows.push_back(std::make_shared<const trace::CausalRow>(
            trace::CausalRow{.request = run.request,
                             .step = step,
                             .token = run.next[step],
                             .contrast = run.contrast,
                             .logProbability = knockOut.logProbabilities[step],
                             .drops = knockOut.losses[step]}));
    return rows;
}

} // namespace headscope::app
