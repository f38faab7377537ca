#include "model/analysis/maps/cell_arithmetic.h"
#include "model/analysis/maps/recomputed_map.h"
#include "widgets/drawing/axis_numbers.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/named_labels.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/view_spec.h"
#include "widgets/views/scale/scale_view.h"
#include "widgets/views/scale/score_plots.h"
#include "widgets/views/scale/soft_map_picture.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/trace_words.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace headscope::widgets {

bool ScaleView::hasFigure() const {
    if (!hasHead() || (scores_ && scores_->scores.empty()))
        return false;
    if (page() == Page::Temperature)
        return showsHeads() ? knownHeads() && !knownHeads()->heads.empty() : scores_.has_value();
    const auto* answer = known();
    return answer && (page() == Page::Scores ? answer->scores.ofScaled.cells > 0
                                             : !answer->spreads.empty() && run_->model->headWidth > 0);
}

QString ScaleView::whatIsMissing() const {
    switch (page()) {
    case Page::Scores:
        return tr("Shows the distribution of scores with and without the factor of q · k.");
    case Page::Variance:
        return tr("Shows the variance of each head's q · k over d_k, beside common initialisations.");
    case Page::Temperature:
        break;
    }
    return tr("Shows how temperature sharpens or softens the rows of a head.");
}

/// Includes the progress of long computations.
QString ScaleView::countingInWords() const {
    return isLong() ? tr("Computing: %1.").arg(shareInWords(shareCounted())) : tr("Computing...");
}

/// Empty if the run comes from a model, or if the trace has all that the page needs.
QString ScaleView::whatTheTraceLacks() const {
    if (!run_->model || !run_->model->recorded)
        return {};
    const auto* record = run_->record(selection_->head().site);
    if (record && analysis::lacksScores(*record))
        return whyNoScores();
    if (page() == Page::Temperature)
        return {};
    if (!isScaleKnown())
        return whyNoScoreScale();
    return page() == Page::Variance && run_->model->headWidth == 0 ? whyNoHeadWidth() : QString();
}

QString ScaleView::whyNothing() const {
    if (!run_)
        return hintForNoRun(*this);
    if (run_->model && run_->model->recorded && !run_->record(selection_->head().site))
        return whyNoHead(*run_, selection_->head());
    if (const QString lacks = whatTheTraceLacks(); !lacks.isEmpty())
        return lacks;
    if (!hasHead())
        return tr("This model has no such head: press 1, 2 or 3 for another kind.");
    if (const QString why = refusal(); !why.isEmpty())
        return why;
    if (question())
        return countingInWords();
    return tr("No values: all cells are masked, the scores are not finite, or they were multiplied by 0.");
}

QString ScaleView::scoresCaption() const {
    const auto& question = known()->question;
    const auto& scores = known()->scores;
    const auto& model = *run_->model;
    const QString whose = question.scope == ScoreScope::Head ? headTitle(model, question.head)
                          : question.scope == ScoreScope::Layer
                              ? tr("%1, all heads").arg(layerTitle(model, question.head.site))
                              : tr("All %1 heads").arg(analysis::headsOf(*question.run).size());
    const auto scale = analysis::scoreScale(*question.run, static_cast<std::size_t>(model.headWidth));
    const QString factor = scale.isInverseRoot && scale.temperature == 1
                               ? tr("%1 = 1/√d_k").arg(axisNumber(scores.factor))
                               : axisNumber(scores.factor);
    QString words = tr("%1: the scores q · k of this sentence's %2 allowed cells, times %3 as input of the "
                       "softmax (filled) and without the factor (outline). Each histogram adds up to 1.%4")
                        .arg(ofModel(model, whose), QString::number(scores.ofScaled.cells), factor,
                             scores.hasBias ? QChar(' ') + tr("The filled scores contain the distance bias.")
                                            : QString());
    if (scores.temperature != 1)
        words +=
            QChar(' ') + tr("Dashed: the filled scores divided by the temperature %1, mean %2, variance %3.")
                             .arg(axisNumber(scores.temperature), axisNumber(scores.ofDivided.mean),
                                  axisNumber(scores.ofDivided.variance));
    if (scores.temperature != temperature_ && refusal().isEmpty())
        words += QChar(' ') + tr("Computing temperature %1...").arg(axisNumber(temperature_));
    return words;
}

QString ScaleView::temperatureCaption() const {
    const auto kind = selection_->head().site.kind;
    const auto weights = analysis::softmaxOf(*scores_, temperature_);
    const auto entropy = analysis::meanEntropy(analysis::entropiesOfRows(*scores_, weights));
    QString words = tr("%1: softmax(score / %2). Row %3 beside hard attention (all weight on the largest "
                       "score), the map with each row's entropy, and the rows' mean entropy%4. For this head "
                       "only: later layers are not recomputed.")
                        .arg(ofModel(*run_->model, headTitle(*run_->model, selection_->head())),
                             axisNumber(temperature_), queryInWords(*run_, kind, row()),
                             entropy ? tr(", now %1 bits").arg(numberText(*entropy)) : QString());
    if (const auto* answer = known();
        answer && answer->question.head == selection_->head() && !answer->curve.entropies.empty())
        words += QChar(' ') + tr("Dash-dotted: uniform attention over the allowed keys, %1 bits.")
                                  .arg(numberText(answer->curve.even));
    if (!scores_->forced.empty())
        words += QChar(' ') + tr("Rows forced by a what-if keep their weights at every temperature.");
    const auto scale = analysis::scoreScale(*run_, static_cast<std::size_t>(run_->model->headWidth));
    if (scale.temperature != 1)
        words += QChar(' ') + tr("The run's own scores are already divided by %1 by a what-if.")
                                  .arg(axisNumber(scale.temperature));
    return words;
}

QString ScaleView::caption() const {
    if (!hasFigure())
        return whyNothing();
    const QString words = page() == Page::Scores     ? scoresCaption()
                          : page() == Page::Variance ? varianceCaption()
                          : showsHeads()             ? headsCaption()
                                                     : temperatureCaption();
    if (showsHeads())
        return words;
    const bool isOfAnother = page() != Page::Temperature && known()->question.run != run_;
    if (const QString why = refusal(); !why.isEmpty())
        return words + QChar(' ') + (isOfAnother ? tr("For the previous run.") + QChar(' ') : QString()) +
               why;
    if (isLong() && question())
        return words + QChar(' ') + (isOfAnother ? tr("For the previous run.") + QChar(' ') : QString()) +
               tr("Computing the new selection: %1.").arg(shareInWords(shareCounted()));
    return isOfAnother ? words + QChar(' ') + tr("For the previous run; computing the new one...") : words;
}

void ScaleView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (!hasFigure())
        drawEmptyState(painter, QRectF(rect()).adjusted(0, 80, 0, 0), whatIsMissing(), caption(), theme);
}

namespace {

/// Row and map side by side above the curve; below each other on a narrow page.
std::array<QRectF, 3> temperatureAreas(const QRectF& picture) {
    constexpr double tall = 1.5, gap = 12;
    if (picture.height() > tall * picture.width()) {
        const double high = (picture.height() - 2 * gap) / 3;
        const QRectF first(picture.topLeft(), QSizeF(picture.width(), high));
        return {first, first.translated(0, high + gap), first.translated(0, 2 * (high + gap))};
    }
    const QRectF above = picture.adjusted(0, 0, 0, -picture.height() * 0.4);
    return {above.adjusted(0, 0, -above.width() / 2 - gap / 2, -gap / 2),
            above.adjusted(above.width() / 2 + gap / 2, 0, 0, -gap / 2),
            picture.adjusted(0, picture.height() * 0.6 + gap / 2, 0, 0)};
}

} // namespace

void ScaleView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRectF(QPointF(), size), theme.background);
    if (!hasFigure())
        return;
    const QRectF inside = QRectF(QPointF(), size).adjusted(12, 12, -12, -12);
    const auto above = [&](const QString& words) {
        return inside.adjusted(0, 0, 0, -wordsHeight(words, inside.width()));
    };
    const auto map = std::dynamic_pointer_cast<const SoftMapPicture>(mapPlot_->picture());
    const auto named = [&](const QString& below) {
        return page() == Page::Temperature && !showsHeads() && map
                   ? map->namedInWords(temperatureAreas(above(below))[1], font())
                   : QString();
    };
    const QString words = wordsWithNamed(caption(), figureParts(), named);
    const QRectF picture = above(words);
    const auto draw = [&](const ReadablePlot* plot, const QRectF& area) {
        if (plot->picture())
            plot->picture()->draw(painter, area, font(), theme);
    };
    if (showsHeads()) {
        drawHeads(painter, picture, theme);
    } else if (page() == Page::Temperature) {
        const auto [row, whole, curve] = temperatureAreas(picture);
        draw(rowPlot_, row);
        if (map && !figureParts().marks) {
            SoftMapPicture unmarked = *map;
            unmarked.setRow(-1);
            unmarked.draw(painter, whole, font(), theme);
        } else {
            draw(mapPlot_, whole);
        }
        draw(curvePlot_, curve);
    } else {
        draw(page() == Page::Scores ? scoresPlot_ : variancePlot_, picture);
    }
    painter.setFont(font());
    painter.setPen(theme.text);
    painter.drawText(inside, Qt::AlignBottom | Qt::TextWordWrap, words);
}

/// Includes the distance to the picture.
double ScaleView::wordsHeight(const QString& words, double width) const {
    const QRectF room(0, 0, width, 1e4);
    return words.isEmpty() ? 0
                           : QFontMetricsF(font()).boundingRect(room, Qt::TextWordWrap, words).height() + 12;
}

/// Without a caption the figure is lower, so that the picture keeps its size.
QSize ScaleView::figureSize() const {
    const QSize whole = FigureSource::figureSize();
    if (figureParts().caption || !hasFigure())
        return whole;
    return whole - QSize(0, static_cast<int>(wordsHeight(caption(), whole.width() - 24)));
}

/// Plots keep about the shape of a page, so several plots make it higher.
QSize ScaleView::narrowFigure(int width) const {
    const double shape = page() == Page::Temperature ? 2 : 0.75; // height / width of the picture
    const QSize usual = figureSize();
    if (!hasFigure() || showsHeads() || width >= usual.width())
        return usual;
    const double inside = width - 24;
    const double words = wordsHeight(asCaption(caption()), inside);
    return {width, static_cast<int>(std::ceil(shape * inside + words + 24))};
}

/// Heads of the figure as part of its name; empty for all heads of the model. `counted` is null for the row
/// and map of one head.
QString ScaleView::headsInFigure(const ScaleQuestion* counted) const {
    const auto head = counted ? counted->head : selection_->head();
    const auto scope = counted ? counted->scope : ScoreScope::Head;
    if (page() == Page::Variance || scope == ScoreScope::Model)
        return {};
    return QString::fromStdString(scope == ScoreScope::Layer ? trace::toString(head.site)
                                                             : trace::toString(head));
}

FigureText ScaleView::figureText() const {
    const auto* answer = showsHeads() ? knownHeads() : page() == Page::Temperature ? nullptr : known();
    const auto& of = answer ? answer->question.run : run_; // the previous run until the new one is computed
    const QString quantity = page() == Page::Scores     ? quantityName(Quantity::Scores)
                             : page() == Page::Variance ? tr("variance of q \u00B7 k")
                             : showsHeads()             ? tr("entropy")
                                                        : quantityName(Quantity::Weights);
    return {.title = tr("Scale"),
            .caption = caption(),
            .provenance = of ? provenance(*of) : QString(),
            .head = hasFigure() ? headsInFigure(answer ? &answer->question : nullptr) : QString(),
            .quantity = quantity};
}

namespace {

/// The entropy of each row, and its key with the largest score.
trace::DataTable rowsOf(const analysis::OpenScores& scores, const trace::Matrix& weights,
                        const std::vector<TokenLabel>& queries) {
    QStringList names;
    std::vector<double> entropies, hard;
    const auto bits = analysis::entropiesOfRows(scores, weights);
    for (std::size_t row = 0; row < bits.size(); ++row) {
        names += row < queries.size() ? queries[row].full() : QString();
        entropies.push_back(bits[row].value_or(noNumber));
        const auto key = analysis::hardKey(scores.scores.row(row), scores.open.row(row));
        hard.push_back(key ? static_cast<double>(*key) : noNumber);
    }
    return {.name = "rows",
            .columns = {dataColumn("query", names), dataColumn("entropy_bits", entropies),
                        dataColumn("hard_key", hard)}};
}

trace::DataTable initialisationsAt(int headWidth) {
    QStringList names;
    std::vector<double> variances;
    for (const auto initialisation : analysis::initialisations) {
        names += initialisationName(initialisation);
        variances.push_back(analysis::varianceAtFirst(initialisation, headWidth));
    }
    return {.name = "initialisations",
            .columns = {dataColumn("initialisation", names), dataColumn("variance", variances)}};
}

/// The histogram and the statistics of each kind of score; those divided by the temperature only if it is not
/// 1.
trace::FigureData scoresData(const analysis::ScoresOnOneAxis& scores) {
    const auto bins = static_cast<double>(scores.scaled.size());
    std::vector<double> edges;
    for (std::size_t bin = 0; bin < scores.scaled.size(); ++bin)
        edges.push_back(scores.lowest + (scores.highest - scores.lowest) * static_cast<double>(bin) / bins);
    trace::DataTable shares{.name = "shares_of_cells",
                            .columns = {dataColumn("from", edges), dataColumn("scaled", scores.scaled),
                                        dataColumn("products", scores.products)}};
    QStringList names{QStringLiteral("scaled"), QStringLiteral("products")};
    std::vector<double> factors{scores.factor, 1};
    std::vector<double> means{scores.ofScaled.mean, scores.ofProducts.mean};
    std::vector<double> variances{scores.ofScaled.variance, scores.ofProducts.variance};
    if (scores.temperature != 1) {
        shares.columns.push_back(dataColumn("at_temperature", scores.divided));
        names += QStringLiteral("at_temperature");
        factors.push_back(scores.factor / scores.temperature);
        means.push_back(scores.ofDivided.mean);
        variances.push_back(scores.ofDivided.variance);
    }
    return {.tables = {std::move(shares),
                       {.name = "spreads",
                        .columns = {dataColumn("scores", names), dataColumn("factor", factors),
                                    dataColumn("mean", means), dataColumn("variance", variances)}}}};
}

} // namespace

trace::FigureData ScaleView::figureData() const {
    if (!hasFigure())
        return {};
    if (showsHeads())
        return headsData();
    if (page() == Page::Temperature) {
        const auto kind = selection_->head().site.kind;
        const auto weights = analysis::softmaxOf(*scores_, temperature_);
        trace::FigureData data;
        data.arrays.push_back(dataArray("weights", trace::view(weights), &scores_->open,
                                        dataAxis("query", tokenLabels(run_->queryTokens(kind))),
                                        dataAxis("key", tokenLabels(run_->keyTokens(kind)))));
        // An outdated curve does not belong to these weights.
        const auto* answer = known();
        data.tables.push_back(rowsOf(*scores_, weights, tokenLabels(run_->queryTokens(kind))));
        const bool isOwn =
            answer && answer->question.run == run_ && answer->question.head == selection_->head();
        if (isOwn && !answer->curve.entropies.empty()) {
            const std::vector<double> even(answer->curve.entropies.size(), answer->curve.even);
            data.tables.push_back(
                {.name = "entropy",
                 .columns = {dataColumn("temperature", answer->curve.temperatures),
                             dataColumn("bits", answer->curve.entropies), dataColumn("even_bits", even)}});
        }
        return data;
    }
    return page() == Page::Scores ? scoresData(known()->scores) : varianceData();
}

trace::FigureData ScaleView::varianceData() const {
    QStringList heads;
    std::vector<double> mean, variance, divided, twin;
    for (const auto& spread : known()->spreads) {
        heads += address(spread.head);
        mean.push_back(spread.products.mean);
        variance.push_back(spread.products.variance);
        divided.push_back(analysis::dividedBy(temperature_, spread.scores).variance);
        const auto same = std::ranges::find(twin_, spread.head, &analysis::HeadSpread::head);
        twin.push_back(same == twin_.end() ? noNumber : same->products.variance);
    }
    const std::vector<double> at(divided.size(), temperature_);
    return {.tables = {{.name = "products",
                        .columns = {dataColumn("head", heads), dataColumn("mean", mean),
                                    dataColumn("variance", variance), dataColumn("twin_variance", twin),
                                    dataColumn("temperature", at), dataColumn("score_variance", divided)}},
                       initialisationsAt(run_->model->headWidth)}};
}

std::optional<PictureOptions> ScaleView::picture(PictureOptions options) const {
    return ofView(std::move(options), "scale", pageName("scale", static_cast<int>(page())));
}

QStringList ScaleView::nameParts(const trace::HeadAddress& head, int) const {
    // The heads in scope; the variance page always covers all heads.
    if (page() == Page::Variance || scope() == ScoreScope::Model)
        return {};
    return {QString::fromStdString(scope() == ScoreScope::Head ? trace::toString(head)
                                                               : trace::toString(head.site))};
}

} // namespace headscope::widgets
