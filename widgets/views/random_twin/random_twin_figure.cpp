// The panel of the random twin on a page, and the numbers behind it.
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/map/map_options.h"
#include "widgets/tables/table_figure.h"
#include "widgets/views/random_twin/random_twin_panel.h"
#include "widgets/views/random_twin/random_twin_words.h"
#include "widgets/views/random_twin/two_readings_table.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/plain_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace headscope::widgets {

namespace {

constexpr int randomTwinFigureMargin = 16;
constexpr int wordsAlone = 360; ///< as wide as words are where there is no table

} // namespace

TableFigure RandomTwinPanel::tableFigure() const {
    const bool areClasses = run_->path.empty();
    TableColumn token{.title = areClasses ? tr("Class") : tr("Token")};
    TableColumn model{.title = tr("Model"), .atRight = true};
    TableColumn twin{.title = tr("Twin"), .atRight = true};
    for (const auto& reading : readings_) {
        token.tokens.push_back(tokenLabel(reading.token));
        model.texts += probabilityText(reading.first);
        twin.texts += probabilityText(reading.second);
    }
    const QString what =
        areClasses // of which the words say it
            ? QString()
            : tr("The probability of each token in the model and in the random twin.") + QChar('\n');
    return {.columns = {token, model, twin},
            .caption = what + words(),
            .font = font(),
            .spaceMarks = spaceMarks_,
            .parts = figureParts()};
}

QSize RandomTwinPanel::sizeOfWords() const {
    if (!readings_.empty())
        return tableFigure().size();
    if (!figureParts().caption)
        return {0, 0};
    const QRectF room(0, 0, wordsAlone, 10'000);
    const double height = QFontMetricsF(font()).boundingRect(room, Qt::TextWordWrap, words()).height();
    return {wordsAlone + 2 * randomTwinFigureMargin,
            static_cast<int>(std::ceil(height)) + 2 * randomTwinFigureMargin};
}

QSize RandomTwinPanel::figureSize() const {
    if (!hasFigure())
        return FigureSource::figureSize();
    const QSize words = sizeOfWords();
    const FigureWithParts itsMap(*map_, figureParts());
    const QSize map = map_->figureSize();
    return {words.width() + map.width(), std::max(words.height(), map.height())};
}

/// The map stands beside the words, at their top where they are much longer.
void RandomTwinPanel::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (!hasFigure())
        return;
    const QSize words(sizeOfWords().width(), size.height());
    if (!readings_.empty()) {
        tableFigure().draw(painter, QRectF(QPointF(), QSizeF(words)), theme);
    } else {
        painter.setFont(font());
        painter.setPen(theme.text);
        painter.drawText(QRectF(QPointF(), QSizeF(words))
                             .adjusted(randomTwinFigureMargin, randomTwinFigureMargin,
                                       -randomTwinFigureMargin, -randomTwinFigureMargin),
                         Qt::TextWordWrap, asCaption(this->words()));
    }
    const FigureWithParts map(*map_, figureParts());
    const QSize natural = map_->figureSize();
    const int width = size.width() - words.width();
    const int highest = std::max(natural.height(), width * natural.height() / natural.width());
    painter.save();
    painter.translate(words.width(), 0);
    map_->drawFigure(painter, {width, std::min(size.height(), highest)}, theme);
    painter.restore();
}

void RandomTwinPanel::setRowsDecoded(std::optional<std::size_t> rows) {
    map_->setRowsDecoded(rows);
}

FigureText RandomTwinPanel::figureText() const {
    if (!hasFigure())
        return {};
    const auto map = map_->figureText();
    const auto seed = twin_->request.randomTwin;
    return {.title = seed ? tr("Random twin, seed %1").arg(*seed) : tr("Random twin"),
            .caption = withoutBreaks(words()).replace('\n', ' ') + ' ' + map.caption,
            .provenance = provenance(*run_),
            .head = map.head,
            .quantity = map.quantity};
}

/// What the model thought and what its twin did, what the twin said by itself, and the twin's map.
trace::FigureData RandomTwinPanel::figureData() const {
    if (!hasFigure())
        return {};
    trace::FigureData data = map_->figureData();
    QStringList tokens;
    std::vector<double> ids, model, twin;
    for (const auto& reading : readings_) {
        tokens += tokenLabel(reading.token).full();
        ids.push_back(static_cast<double>(reading.token.id));
        model.push_back(reading.first);
        twin.push_back(reading.second);
    }
    const auto mean = analysis::meanReading(readings_);
    if (!readings_.empty())
        data.tables.push_back(
            {.name = "readings",
             .columns = {dataColumn("token", tokens), dataColumn("id", ids),
                         dataColumn("log_probability", model), dataColumn("log_probability_in_twin", twin)}});
    if (!readings_.empty() && !run_->path.empty())
        data.tables.push_back(
            {.name = "mean_readings",
             .columns = {dataColumn("log_probability", std::vector{mean.first}),
                         dataColumn("log_probability_in_twin", std::vector{mean.second}),
                         dataColumn("log_probability_of_guessing", std::vector{guessing(*run_)})}});
    const QString said = twinSaidInWords(*twin_).remove(QChar(0x2068)).remove(QChar(0x2069)); // isolates
    if (!twin_->path.empty())
        data.tables.push_back({.name = "said_by_twin", .columns = {dataColumn("said", {said})}});
    if (entropies_)
        data.tables.push_back(
            {.name = "entropies",
             .columns = {dataColumn("head", {address(entropies_->head)}),
                         dataColumn("mean_bits", std::vector{entropies_->first.mean}),
                         dataColumn("mean_bits_in_twin", std::vector{entropies_->second.mean}),
                         dataColumn("largest_bits", std::vector{entropies_->first.largest})}});
    return data;
}

std::optional<PictureOptions> RandomTwinPanel::picture(PictureOptions options) const {
    // Whatever is drawn of the head is drawn of its twin, too.
    options.view = "random-twin";
    options.pinned.clear(); // one map
    widgets::setMapOptions(options, map()->options());
    return options;
}

} // namespace headscope::widgets
