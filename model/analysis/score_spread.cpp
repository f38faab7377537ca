#include "model/analysis/score_spread.h"

#include "model/analysis/score_scale.h"
#include "model/analysis/softmax_temperature.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::analysis {

namespace {

template <class Visit>
void forOpenCells(const OpenScores& scores, Visit&& visit) {
    for (std::size_t row = 0; row < scores.open.rows(); ++row)
        if (!scores.padding[row])
            for (std::size_t key = 0; key < scores.open.columns(); ++key)
                if (scores.open(row, key))
                    visit(static_cast<double>(scores.scores(row, key)));
}

ScoreSpread spreadOf(const std::vector<OpenScores>& heads) {
    ScoreSpread spread;
    const auto forAll = [&](auto&& visit) {
        for (const auto& head : heads)
            forOpenCells(head, visit);
    };
    forAll([&](double score) {
        ++spread.cells;
        spread.mean += score;
    });
    const auto cells = static_cast<double>(std::max<std::size_t>(1, spread.cells));
    spread.mean /= cells;
    forAll([&](double score) { spread.variance += (score - spread.mean) * (score - spread.mean); });
    spread.variance /= cells;
    return spread;
}

/// Of what `spread` is of, divided by `factor`.
ScoreSpread without(double factor, ScoreSpread spread) {
    spread.mean /= factor;
    spread.variance /= factor * factor;
    return spread;
}

double factorOf(const trace::Run& run) {
    return run.model && run.model->headWidth > 0
               ? scoreScale(run, static_cast<std::size_t>(run.model->headWidth)).factor
               : 1;
}

} // namespace

std::vector<trace::HeadAddress> headsOf(const trace::Run& run) {
    std::vector<trace::HeadAddress> heads;
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
        for (const auto& record : *records)
            for (std::size_t head = 0; head < record.scores.heads(); ++head)
                heads.push_back({record.site, static_cast<int>(head)});
    return heads;
}

std::vector<HeadSpread> spreadOfHeads(const trace::Run& run) {
    const double factor = factorOf(run);
    std::vector<HeadSpread> spreads;
    for (const auto& head : headsOf(run)) {
        const auto spread = without(factor, spreadOf({*openScores(run, head)}));
        if (spread.cells > 0 && std::isfinite(spread.variance))
            spreads.push_back({head, spread});
    }
    return spreads;
}

ScoresOnOneAxis scoresOnOneAxis(const trace::Run& run, const std::vector<trace::HeadAddress>& heads,
                                std::size_t bins) {
    std::vector<OpenScores> scores;
    for (const auto& head : heads)
        if (auto found = openScores(run, head))
            scores.push_back(std::move(*found));
    ScoresOnOneAxis both{.factor = factorOf(run), .ofScaled = spreadOf(scores)};
    both.ofProducts = without(both.factor, both.ofScaled);
    if (both.ofScaled.cells == 0 || bins == 0 || !std::isfinite(both.ofProducts.variance))
        return {};
    both.lowest = std::numeric_limits<double>::infinity();
    both.highest = -both.lowest;
    for (const auto& head : scores)
        forOpenCells(head, [&](double score) {
            for (const double value : {score, score / both.factor}) {
                both.lowest = std::min(both.lowest, value);
                both.highest = std::max(both.highest, value);
            }
        });
    both.scaled.resize(bins);
    both.products.resize(bins);
    const double width = (both.highest - both.lowest) / static_cast<double>(bins);
    const double share = 1 / static_cast<double>(both.ofScaled.cells);
    const auto binOf = [&](double value) {
        const auto bin = width > 0 ? static_cast<std::size_t>((value - both.lowest) / width) : 0;
        return std::min(bin, bins - 1);
    };
    for (const auto& head : scores)
        forOpenCells(head, [&](double score) {
            both.scaled[binOf(score)] += share;
            both.products[binOf(score / both.factor)] += share;
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
