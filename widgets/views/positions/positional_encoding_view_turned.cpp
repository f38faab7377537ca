// The page of scores of a model that turns queries and keys: one score as a function of the distance.
#include "model/analysis/recomputed_map.h"
#include "model/analysis/rotation_curve.h"
#include "model/analysis/softmax_temperature.h"
#include "widgets/views/positions/position_curves.h"
#include "widgets/views/positions/position_words.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/positions/score_terms_words.h"
#include "widgets/words/captions.h"

#include <QLabel>

#include <algorithm>

namespace headscope::widgets {

bool PositionalEncodingView::showsTurnedScore() const {
    return page() == Page::Scores && model() && !model()->rotation.empty();
}

/// What is lit, else in the current row the open key with the highest score.
std::optional<MapCell> PositionalEncodingView::turnedCell() const {
    const auto head = scoredHead();
    const auto* record = head ? run_->record(head->site) : nullptr;
    if (!record || record->queries() == 0 || placesChanged(*run_) || analysis::lacksScores(*record))
        return std::nullopt;
    const auto within = [&](std::optional<int> index) {
        return index && *index >= 0 && *index < static_cast<int>(record->queries()) ? index : std::nullopt;
    };
    const bool source = side() == PositionSide::Source;
    const auto& focus = selection_->focus();
    const int usual = source ? 0 : within(selection_->step()).value_or(0);
    const int row = within(focus.query(head->site.kind)).value_or(usual);
    const auto key = within(focus.key(head->site.kind));
    if (key)
        return MapCell{row, *key};
    const auto scores =
        analysis::headRow(*record, static_cast<std::size_t>(head->head), static_cast<std::size_t>(row));
    return MapCell{row, static_cast<int>(analysis::hardKey(scores.scores, scores.open).value_or(0))};
}

void PositionalEncodingView::showTurnedScore() {
    const auto cell = turnedCell();
    const auto* known = answer();
    if (!cell || !known || !known->projected || known->question.run != run_)
        return; // what is drawn stays with its own words until the new answer is there
    const auto curve =
        analysis::rotationCurve(*known->projected, *scoredHead(), static_cast<std::size_t>(cell->row),
                                static_cast<std::size_t>(cell->column), turnedReach);
    if (curve.values.empty())
        return;
    trace::Matrix values(curve.values.size(), 1);
    std::ranges::transform(curve.values, values.values().begin(),
                           [](double value) { return static_cast<float>(value); });
    PositionTable shown{.all = std::make_shared<const trace::Matrix>(std::move(values)),
                        .byDistance = true,
                        .isScore = true,
                        .first = curve.first,
                        .added = trace::Matrix(1, 1, static_cast<float>(curve.score)),
                        .rows = {}};
    shown.rows.push_back(std::abs(curve.own) <= turnedReach ? std::optional(curve.own - curve.first)
                                                            : std::nullopt);
    curves_->show(shown, {0}, static_cast<int>(curve.values.size()));
    caption_->setText(turnedScoreCaption());
}

QString PositionalEncodingView::turnedScoreCaption() const {
    const auto cell = turnedCell();
    const auto head = scoredHead();
    if (!cell || !head)
        return {};
    const auto kind = head->site.kind;
    const auto* record = run_->record(head->site);
    const float score =
        analysis::headRow(*record, static_cast<std::size_t>(head->head), static_cast<std::size_t>(cell->row))
            .scores.at(static_cast<std::size_t>(cell->column));
    return tr("%1: the score of %2 looking at %3 if they stood at other distances (key's place \u2212 "
              "query's "
              "place). Both are turned by their place: no sum of content and position, but from each pair of "
              "dimensions |q||k| cos(angle \u2212 distance \u00B7 frequency). Dot: where they stand, "
              "distance "
              "%4, the model's own score %5.")
        .arg(ofModel(*model(), headTitle(*model(), *head)), queryInWords(*run_, kind, cell->row),
             keyInWords(*run_, kind, cell->column),
             QString::number(cell->column - cell->row).replace('-', QChar(0x2212)), numberText(score));
}

} // namespace headscope::widgets
