#include "model/analysis/scores/score_spread.h"

#include "model/analysis/maps/cell_arithmetic.h"
#include "model/analysis/scores/softmax_temperature.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace headscope::analysis {

namespace {

/// The parts of a head's scores: q k times a factor, plus a distance bias in some models.
struct HeadProducts {
    OpenScores scores;
    double factor = 1;
    double temperature = 1;
    const trace::DistanceBias* bias = nullptr;
    trace::HeadAddress head{};

    double at(std::size_t row, std::size_t key) const {
        const double added = bias ? valueAt(*bias, head, trace::TokenIndex(key) - row) / temperature : 0;
        return (static_cast<double>(scores.scores(row, key)) - added) / factor;
    }
};

/// Calls `visit` with the score and q k of each allowed cell.
template <class Visit>
void forAllowedCells(const HeadProducts& head, const trace::Task& work, Visit&& visit) {
    const auto& scores = head.scores;
    for (std::size_t row = 0; row < scores.open.rows(); ++row) {
        work.report(row, scores.open.rows());
        if (!scores.padding[row])
            for (std::size_t key = 0; key < scores.open.columns(); ++key)
                if (scores.open(row, key))
                    visit(static_cast<double>(scores.scores(row, key)), head.at(row, key));
    }
}

/// Empty if the run has no such head or does not state how its scores are computed.
std::optional<HeadProducts> productsOf(const trace::Run& run, const trace::HeadAddress& head,
                                       const trace::Task& work) {
    auto scores = openScores(run, head, work);
    if (!scores)
        return std::nullopt;
    if (hasDisentangledScores(run, head.site.kind))
        return std::nullopt; // what is added depends on queries and keys, which a run need not hold
    HeadProducts products{.scores = std::move(*scores), .head = head};
    if (run.model) {
        const auto scale = scoreScale(run, run.model->headWidthOf(head.site.kind));
        if (!scale.isKnown)
            return std::nullopt;
        products.factor = scale.factor;
        products.temperature = scale.temperature;
    }
    const auto change = positionChange(run);
    if (change != trace::PositionChange::None)
        products.bias = distanceBias(run, head.site.kind);
    // With shuffled positions the run does not record which distances were used.
    const bool isUnknown = products.bias && change == trace::PositionChange::Shuffle;
    return isUnknown ? std::nullopt : std::optional(std::move(products));
}

struct BothSpreads {
    ScoreSpread scores;
    ScoreSpread products;
};

void count(ScoreSpread& spread, double value) {
    spread.lowest = spread.cells == 0 ? value : std::min(spread.lowest, value);
    spread.highest = spread.cells == 0 ? value : std::max(spread.highest, value);
    spread.mean += value; // the sum for now
    ++spread.cells;
}

BothSpreads spreadsOf(const HeadProducts& head, const trace::Task& work) {
    BothSpreads both;
    forAllowedCells(head, work.part(0, 2), [&](double score, double product) {
        count(both.scores, score);
        count(both.products, product);
    });
    const auto cells = static_cast<double>(std::max<std::size_t>(1, both.scores.cells));
    both.scores.mean /= cells;
    both.products.mean /= cells;
    forAllowedCells(head, work.part(1, 2), [&](double score, double product) {
        both.scores.variance += std::pow(score - both.scores.mean, 2);
        both.products.variance += std::pow(product - both.products.mean, 2);
    });
    both.scores.variance /= cells;
    both.products.variance /= cells;
    return both;
}

/// Merges two spreads (Chan, Golub and LeVeque 1983).
ScoreSpread together(const ScoreSpread& one, const ScoreSpread& other) {
    if (one.cells == 0)
        return other;
    const auto cells = static_cast<double>(std::max<std::size_t>(1, one.cells + other.cells));
    const double share = static_cast<double>(other.cells) / cells;
    const double apart = other.mean - one.mean;
    return {.cells = one.cells + other.cells,
            .mean = one.mean + apart * share,
            .variance =
                one.variance * (1 - share) + other.variance * share + apart * apart * share * (1 - share),
            .lowest = std::min(one.lowest, other.lowest),
            .highest = std::max(one.highest, other.highest)};
}

bool canBeShown(const BothSpreads& both) {
    return both.scores.cells > 0 && std::isfinite(both.products.variance) &&
           std::isfinite(both.scores.variance);
}

/// Visits one head after the other, because recomputed maps do not all fit into memory.
template <class Visit>
void forHeads(const trace::Run& run, const std::vector<trace::HeadAddress>& heads, const trace::Task& work,
              Visit&& visit) {
    for (std::size_t h = 0; h < heads.size(); ++h) {
        const auto ofHead = work.part(h, heads.size());
        if (const auto head = productsOf(run, heads[h], ofHead.part(0, 2)))
            visit(*head, ofHead.part(1, 2));
    }
}

/// Measures everything but the bins, which need the ends of the axis.
ScoresOnOneAxis measured(const trace::Run& run, const std::vector<trace::HeadAddress>& heads,
                         const trace::Task& work) {
    ScoresOnOneAxis all;
    forHeads(run, heads, work, [&](const HeadProducts& head, const trace::Task& ofHead) {
        const auto spreads = spreadsOf(head, ofHead);
        all.ofScaled = together(all.ofScaled, spreads.scores);
        all.ofProducts = together(all.ofProducts, spreads.products);
        all.factor = head.factor;
        all.hasBias = all.hasBias || head.bias;
    });
    return all;
}

} // namespace

ScoreSpread dividedBy(double temperature, const ScoreSpread& scores) {
    return {.cells = scores.cells,
            .mean = scores.mean / temperature,
            .variance = scores.variance / (temperature * temperature),
            .lowest = scores.lowest / temperature,
            .highest = scores.highest / temperature};
}

std::vector<trace::HeadAddress> headsOf(const trace::Run& run) {
    std::vector<trace::HeadAddress> heads;
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
        for (const auto& record : *records)
            for (std::size_t head = 0; head < record.heads(); ++head)
                heads.push_back({record.site, head});
    return heads;
}

std::vector<HeadSpread> spreadOfHeads(const trace::Run& run, const trace::Task& work) {
    std::vector<HeadSpread> spreads;
    const auto heads = headsOf(run);
    for (std::size_t h = 0; h < heads.size(); ++h) {
        const auto ofHead = work.part(h, heads.size());
        if (const auto products = productsOf(run, heads[h], ofHead.part(0, 2)))
            if (const auto both = spreadsOf(*products, ofHead.part(1, 2)); canBeShown(both))
                spreads.push_back({heads[h], both.products, both.scores});
    }
    return spreads;
}

ScoresOnOneAxis scoresOnOneAxis(const trace::Run& run, const std::vector<trace::HeadAddress>& heads,
                                std::size_t bins, const trace::Task& work, double temperature,
                                const ScoresOnOneAxis& known) {
    const bool isKnown = known.ofScaled.cells > 0 && known.scaled.size() == bins;
    if (isKnown && known.temperature == temperature)
        return known;
    auto all = isKnown ? known : measured(run, heads, work.between(0, 0.6));
    if (!canBeShown({.scores = all.ofScaled, .products = all.ofProducts}) || bins == 0)
        return {};
    all.temperature = temperature;
    all.ofDivided = dividedBy(temperature, all.ofScaled);
    all.lowest = std::min({all.ofScaled.lowest, all.ofProducts.lowest, all.ofDivided.lowest});
    all.highest = std::max({all.ofScaled.highest, all.ofProducts.highest, all.ofDivided.highest});
    for (auto* shares : {&all.scaled, &all.products, &all.divided})
        shares->assign(bins, 0);
    const double width = (all.highest - all.lowest) / static_cast<double>(bins);
    const double share = 1 / static_cast<double>(all.ofScaled.cells);
    const auto binOf = [&](double value) {
        const auto bin = width > 0 ? static_cast<std::size_t>((value - all.lowest) / width) : 0;
        return std::min(bin, bins - 1);
    };
    const auto binning = isKnown ? work : work.between(0.6, 1);
    forHeads(run, heads, binning, [&](const HeadProducts& head, const trace::Task& ofHead) {
        forAllowedCells(head, ofHead, [&](double score, double product) {
            all.scaled[binOf(score)] += share;
            all.products[binOf(product)] += share;
            all.divided[binOf(score / temperature)] += share;
        });
    });
    return all;
}

double varianceAtFirst(Initialisation initialisation, int headWidth) {
    const double ofComponent = initialisation == Initialisation::Xavier          ? 1.0
                               : initialisation == Initialisation::StackedXavier ? 1.0 / 2
                                                                                 : 1.0 / 3;
    return ofComponent * ofComponent * headWidth;
}

} // namespace headscope::analysis
