#include "model/analysis/score_spread.h"

#include "model/analysis/cell_arithmetic.h"
#include "model/analysis/softmax_temperature.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace headscope::analysis {

namespace {

/// What a head's score is made of: q k times a factor, and what the distance adds in some models.
struct HeadProducts {
    OpenScores scores;
    double factor = 1;
    double temperature = 1;
    const trace::DistanceBias* bias = nullptr;
    std::size_t head = 0;

    double at(std::size_t row, std::size_t key) const {
        const double added =
            bias ? valueAt(*bias, head, static_cast<int>(key) - static_cast<int>(row)) / temperature : 0;
        return (static_cast<double>(scores.scores(row, key)) - added) / factor;
    }
};

/// `visit` is given the score and q k.
template <class Visit>
void forOpenCells(const HeadProducts& head, const trace::LongWork& work, Visit&& visit) {
    const auto& scores = head.scores;
    for (std::size_t row = 0; row < scores.open.rows(); ++row) {
        work.goesOn(row, scores.open.rows());
        if (!scores.padding[row])
            for (std::size_t key = 0; key < scores.open.columns(); ++key)
                if (scores.open(row, key))
                    visit(static_cast<double>(scores.scores(row, key)), head.at(row, key));
    }
}

/// Nothing where the run has no such head, or does not say what its scores are made of.
std::optional<HeadProducts> productsOf(const trace::Run& run, const trace::HeadAddress& head,
                                       const trace::LongWork& work) {
    auto scores = openScores(run, head, work);
    if (!scores)
        return std::nullopt;
    HeadProducts products{.scores = std::move(*scores), .head = static_cast<std::size_t>(head.head)};
    if (run.model && run.model->headWidth > 0) {
        const auto scale = scoreScale(run, static_cast<std::size_t>(run.model->headWidth));
        products.factor = scale.factor;
        products.temperature = scale.temperature;
    }
    const auto change = positionChange(run);
    if (change != trace::PositionChange::None)
        products.bias = distanceBias(run, head.site.kind);
    // Which distances were looked up in another order, the run does not say.
    const bool isUnknown = products.bias && change == trace::PositionChange::Shuffle;
    return isUnknown ? std::nullopt : std::optional(std::move(products));
}

struct BothSpreads {
    ScoreSpread scores;
    ScoreSpread products;
};

BothSpreads spreadsOf(const HeadProducts& head, const trace::LongWork& work) {
    BothSpreads both;
    forOpenCells(head, work.part(0, 2), [&](double score, double product) {
        ++both.scores.cells;
        both.scores.mean += score;
        both.products.mean += product;
    });
    const auto cells = static_cast<double>(std::max<std::size_t>(1, both.scores.cells));
    both.scores.mean /= cells;
    both.products.mean /= cells;
    forOpenCells(head, work.part(1, 2), [&](double score, double product) {
        both.scores.variance += std::pow(score - both.scores.mean, 2);
        both.products.variance += std::pow(product - both.products.mean, 2);
    });
    both.scores.variance /= cells;
    both.products.variance /= cells;
    both.products.cells = both.scores.cells;
    return both;
}

/// Of the cells of both (Chan, Golub and LeVeque 1983).
ScoreSpread together(const ScoreSpread& one, const ScoreSpread& other) {
    const auto cells = static_cast<double>(std::max<std::size_t>(1, one.cells + other.cells));
    const double share = static_cast<double>(other.cells) / cells;
    const double apart = other.mean - one.mean;
    return {.cells = one.cells + other.cells,
            .mean = one.mean + apart * share,
            .variance =
                one.variance * (1 - share) + other.variance * share + apart * apart * share * (1 - share)};
}

bool canBeShown(const BothSpreads& both) {
    return both.scores.cells > 0 && std::isfinite(both.products.variance) &&
           std::isfinite(both.scores.variance);
}

} // namespace

std::vector<trace::HeadAddress> headsOf(const trace::Run& run) {
    std::vector<trace::HeadAddress> heads;
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
        for (const auto& record : *records)
            for (std::size_t head = 0; head < record.heads(); ++head)
                heads.push_back({record.site, static_cast<int>(head)});
    return heads;
}

std::vector<HeadSpread> spreadOfHeads(const trace::Run& run, const trace::LongWork& work) {
    std::vector<HeadSpread> spreads;
    const auto heads = headsOf(run);
    for (std::size_t h = 0; h < heads.size(); ++h) {
        const auto ofHead = work.part(h, heads.size());
        if (const auto products = productsOf(run, heads[h], ofHead.part(0, 2)))
            if (const auto both = spreadsOf(*products, ofHead.part(1, 2)); canBeShown(both))
                spreads.push_back({heads[h], both.products});
    }
    return spreads;
}

ScoresOnOneAxis scoresOnOneAxis(const trace::Run& run, const std::vector<trace::HeadAddress>& addresses,
                                std::size_t bins, const trace::LongWork& work) {
    // One head after the other: maps that are computed again do not all fit into memory.
    const auto forHeads = [&](const trace::LongWork& round, auto&& visit) {
        for (std::size_t h = 0; h < addresses.size(); ++h) {
            const auto ofHead = round.part(h, addresses.size());
            if (const auto head = productsOf(run, addresses[h], ofHead.part(0, 2)))
                visit(*head, ofHead.part(1, 2));
        }
    };
    ScoresOnOneAxis both{.lowest = std::numeric_limits<double>::infinity(),
                         .highest = -std::numeric_limits<double>::infinity()};
    forHeads(work.between(0, 0.6), [&](const HeadProducts& head, const trace::LongWork& ofHead) {
        const auto spreads = spreadsOf(head, ofHead.between(0, 0.7));
        both.ofScaled = together(both.ofScaled, spreads.scores);
        both.ofProducts = together(both.ofProducts, spreads.products);
        both.factor = head.factor;
        both.hasBias = both.hasBias || head.bias;
        forOpenCells(head, ofHead.between(0.7, 1), [&](double score, double product) {
            both.lowest = std::min({both.lowest, score, product});
            both.highest = std::max({both.highest, score, product});
        });
    });
    if (!canBeShown({.scores = both.ofScaled, .products = both.ofProducts}) || bins == 0)
        return {};
    both.scaled.resize(bins);
    both.products.resize(bins);
    const double width = (both.highest - both.lowest) / static_cast<double>(bins);
    const double share = 1 / static_cast<double>(both.ofScaled.cells);
    const auto binOf = [&](double value) {
        const auto bin = width > 0 ? static_cast<std::size_t>((value - both.lowest) / width) : 0;
        return std::min(bin, bins - 1);
    };
    forHeads(work.between(0.6, 1), [&](const HeadProducts& head, const trace::LongWork& ofHead) {
        forOpenCells(head, ofHead, [&](double score, double product) {
            both.scaled[binOf(score)] += share;
            both.products[binOf(product)] += share;
        });
    });
    return both;
}

double varianceAtFirst(Initialisation initialisation, int headWidth) {
    const double ofComponent = initialisation == Initialisation::Xavier          ? 1.0
                               : initialisation == Initialisation::StackedXavier ? 1.0 / 2
                                                                                 : 1.0 / 3;
    return ofComponent * ofComponent * headWidth;
}

} // namespace headscope::analysis
