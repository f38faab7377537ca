#include "model/analysis/heads/removal_orders.h"

#include "model/analysis/heads/head_ranking.h"
#include "model/trace/shuffle.h"

#include <algorithm>
#include <random>

namespace headscope::analysis {

namespace {

trace::RemovalWhat inOrder(std::vector<trace::HeadAddress> order, const trace::Ablation& ablation) {
    constexpr std::size_t most = 100; // more points cannot be told apart
    auto removed = removedAt(std::min(most, order.size()), order.size());
    return {.order = std::move(order), .removed = std::move(removed), .ablation = ablation};
}

} // namespace

std::vector<std::size_t> removedAt(std::size_t steps, std::size_t heads) {
    std::vector<std::size_t> removed{0};
    const auto points = std::min(steps, heads);
    for (std::size_t point = 1; point <= points; ++point)
        removed.push_back(point * heads / points);
    return removed;
}

trace::RemovalWhat byImportance(const trace::HeadImportance& measured, std::optional<std::size_t> step) {
    auto scores = headScores(measured, step);
    rankByImportance(scores, measured.areNumbers);
    std::vector<trace::HeadAddress> order;
    for (const auto& score : scores)
        order.push_back(score.head);
    return inOrder(std::move(order), measured.ablation);
}

std::vector<trace::RemovalWhat> atRandom(const trace::HeadImportance& measured) {
    std::vector<trace::HeadAddress> order;
    for (const auto& effect : measured.effects)
        order.push_back(effect.head);
    std::mt19937_64 bits(randomOrdersSeed);
    std::vector<trace::RemovalWhat> draws;
    for (std::size_t i = 0; i < randomOrders; ++i) {
        trace::shuffle(order, bits);
        draws.push_back(inOrder(order, measured.ablation));
    }
    return draws;
}

trace::RemovalWhat atFew(trace::RemovalWhat what) {
    what.removed = {0, 1, 2, 3, 4, 6, 8, 12, 16};
    std::erase_if(what.removed, [&](std::size_t removed) { return removed > what.order.size(); });
    return what;
}

RemovalComparison compareRemovals(const trace::RemovalCurve& byImportance,
                                  const std::vector<std::shared_ptr<const trace::RemovalCurve>>& random,
                                  std::optional<std::size_t> step) {
    RemovalComparison compared{
        .order = byImportance.order, .removed = byImportance.removed, .byImportance = byImportance.of(step)};
    for (const auto& curve : random) {
        if (!curve || !curve->complete)
            continue;
        const auto points = curve->of(step);
        if (compared.draws++ == 0) {
            compared.mean = compared.least = compared.most = points;
            continue;
        }
        for (std::size_t i = 0; i < points.size(); ++i) {
            compared.mean[i] += points[i];
            compared.least[i] = std::min(compared.least[i], points[i]);
            compared.most[i] = std::max(compared.most[i], points[i]);
        }
    }
    for (double& mean : compared.mean)
        mean /= static_cast<double>(compared.draws);
    return compared;
}

} // namespace headscope::analysis
