#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/plot_legend.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/wrapped_words.h"
#include "widgets/map/map_tones.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/lines/lines_words.h"
#include "widgets/words/captions.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/trace_words.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

void LinesView::drawWords(QPainter& painter, const Frame& parts, const LinesLayout& layout,
                          const QString& caption, const Theme& theme) const {
    painter.setFont(font());
    painter.setPen(theme.faintText);
    drawWrapped(painter, parts.axes, axesInWords());
    painter.setPen(theme.text);
    // Below the last row rather than at the bottom of the page.
    const double bottom = std::min(layout.area().bottom(), layout.area().top() + layout.contentHeight());
    const double up = std::max(0.0, parts.caption.top() - bottom - 12);
    drawWrapped(painter, parts.caption.translated(0, -up), caption);
}

void LinesView::drawPictures(const Theme& theme) {
    labels_ = QPixmap(size() * devicePixelRatioF());
    labels_.setDevicePixelRatio(devicePixelRatioF());
    labels_.fill(theme.background);
    QPainter painter(&labels_);
    if (layout_.empty()) {
        painter.setFont(font());
        drawEmptyState(painter, QRectF(rect()),
                       tr("Shows attention as lines from each token to the tokens it attends to."),
                       whyEmpty(), theme);
        return;
    }
    drawWords(painter, frame(pictureArea(), caption()), layout_, caption(), theme);
    drawLineLabels(painter, picture_, layout_, theme);
    linesImage_ = attentionLinesImage(devicePixelRatioF(), picture_, layout_, lines_.lines, theme);
}

QString LinesView::whyEmpty() const {
    const auto head = selection_->head();
    if (!run_)
        return hintForNoRun(*this);
    if (!run_->record(head.site) || head.head >= run_->model->heads(head.site.kind))
        return whyNoHead(*run_, head);
    return tr("No row of this head has been computed yet: step forward, or decode to the end.");
}

void LinesView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    if (labels_.isNull() || labels_.devicePixelRatio() != devicePixelRatioF())
        drawPictures(theme);
    QPainter painter(this);
    painter.drawPixmap(0, 0, labels_);
    if (!layout_.empty()) {
        const LinesMarks lit = marks();
        if (!lit.query && !lit.key) {
            painter.drawImage(linesArea(layout_).topLeft(), linesImage_);
        } else {
            const auto own = linesOfFocus();
            painter.drawImage(linesArea(layout_).topLeft(),
                              attentionLinesImage(devicePixelRatioF(), picture_, layout_, own, theme));
            drawLineWeights(painter, picture_, layout_, own, lit.query.has_value(), theme);
        }
        drawLinesMarks(painter, picture_, layout_, lit, theme);
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -1.5, -1.5));
    }
}

/// Invalid weights may exceed 1; no line is clipped.
void LinesView::take(StrongLines lines) {
    lines_ = std::move(lines);
    double largest = 0;
    for (const AttentionLine& line : lines_.lines)
        if (std::isfinite(line.weight))
            largest = std::max(largest, static_cast<double>(line.weight));
    picture_.most = limitOfWeights(trace::AttentionKind::Cross, 0, largest);
}

QSize LinesView::figureSize() const {
    // A text line for every row, up to the height of a page.
    constexpr int tallest = 3000;
    const double rows = 1.3 * picture_.style.lineHeight() * std::max(rowCount(), columnCount());
    const QSize whole(800, std::clamp(static_cast<int>(rows) + 120, 480, tallest));
    if (figureParts().caption)
        return whole;
    // Without a caption, removes the room it took, or the room that rows at their maximum height do not need.
    QRectF page(0, 0, whole.width(), whole.height());
    page.setTop(drawFigureLegend(nullptr, page, lightTheme()));
    const QRectF columns = frame(page, {}).columns;
    const double gained = columns.height() - frame(page, figureCaption()).columns.height();
    const double spare = columns.height() - layOut(columns, false).contentHeight();
    return whole - QSize(0, static_cast<int>(std::max(gained, spare)));
}

/// Wide enough for whole labels and for lines that can be told apart.
QSize LinesView::narrowFigure(int width) const {
    constexpr double between = 120, rowOfLines = 1.5;
    constexpr int step = 16;
    const QSize usual = figureSize();
    if (!record() || width >= usual.width())
        return usual;
    // Starts with a page high enough for any text, then removes the height that the rows do not need.
    QRectF page(0, 0, width, 10 * usual.height());
    while (page.width() < usual.width() && layOut(frame(page, {}).columns, false).between() < between)
        page.setWidth(page.width() + step);
    if (page.width() >= usual.width())
        return usual;
    const double legend = drawFigureLegend(nullptr, page, lightTheme());
    const Frame parts = frame(page.adjusted(0, legend, 0, 0), asCaption(figureCaption()));
    const double words = page.height() - parts.columns.height();
    const double rows = rowOfLines * picture_.style.lineHeight() * std::max(rowCount(), columnCount());
    return {static_cast<int>(page.width()),
            static_cast<int>(std::ceil(words + std::max(rows, 2 * parts.caption.height())))};
}

/// Names the heads of the lines, as the squares do on screen. Returns the height. Only measures without a
/// painter.
double LinesView::drawFigureLegend(QPainter* painter, const QRectF& area, const Theme& theme) const {
    if (picture_.heads.size() < 2)
        return 0;
    std::vector<LegendEntry> entries;
    for (const int head : picture_.heads)
        entries.push_back({[pen = picture_.ink(head, theme).pen(2)](QPainter& painter, const QRectF& sample) {
                               painter.setPen(pen);
                               painter.drawLine(QPointF(sample.left(), sample.center().y()),
                                                QPointF(sample.right(), sample.center().y()));
                           },
                           tr("head %1").arg(head)});
    constexpr double margin = 12;
    return drawLegend(painter, area.adjusted(margin, margin, -margin, -margin), entries, font(), theme);
}

bool LinesView::hasQuery(std::size_t query) const {
    return map_.axes.kind == trace::AttentionKind::EncoderSelf ||
           isDecoded(map_.axes.queries.spans.at(query).last - 1);
}

bool LinesView::hasKey(std::size_t key) const {
    return map_.axes.kind != trace::AttentionKind::DecoderSelf ||
           isDecoded(map_.axes.keys.spans.at(key).first);
}

/// Clears labels that an animation has not reached; their room is kept.
LinesPicture LinesView::decodedPicture() const {
    LinesPicture picture = picture_;
    for (std::size_t i = 0; i < picture.queryLabels.size(); ++i)
        if (!hasQuery(i))
            picture.queryLabels[i] = {};
    for (std::size_t i = 0; i < picture.keyLabels.size(); ++i)
        if (!hasKey(i))
            picture.keyLabels[i] = {};
    return picture;
}

std::vector<AttentionLine> LinesView::decodedLines(std::vector<AttentionLine> lines) const {
    std::erase_if(
        lines, [this](const AttentionLine& line) { return !hasQuery(static_cast<std::size_t>(line.query)); });
    return lines;
}

void LinesView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    const QRectF area(QPointF(0, 0), QSizeF(size));
    painter.fillRect(area, theme.background);
    if (!record())
        return;
    const double legend = drawFigureLegend(&painter, area, theme);
    const QString caption = asCaption(figureCaption());
    const Frame parts = frame(area.adjusted(0, legend, 0, 0), caption);
    const LinesLayout layout = layOut(parts.columns, false);
    drawWords(painter, parts, layout, caption, theme);
    drawLineLabels(painter, decodedPicture(), layout, theme);
    LinesMarks pinned = pinnedMarks();
    if (!pinned.query && !pinned.key)
        return drawAttentionLines(painter, picture_, layout, decodedLines(lines_.lines), theme);
    const auto own = decodedLines(linesOfToken(pinned.query, pinned.key));
    drawAttentionLines(painter, picture_, layout, own, theme);
    drawLineWeights(painter, picture_, layout, own, pinned.query.has_value(), theme);
    if (!figureParts().marks)
        return;
    if (pinned.query && !hasQuery(static_cast<std::size_t>(*pinned.query)))
        pinned.query.reset();
    if (pinned.key && !hasKey(static_cast<std::size_t>(*pinned.key)))
        pinned.key.reset();
    drawLinesMarks(painter, picture_, layout, pinned, theme);
}

LinesMarks LinesView::pinnedMarks() const {
    const LinesMarks pinned = marks(selection_->pinned());
    return {.query = pinned.query, .key = pinned.key};
}

QString LinesView::figureCaption() const {
    const LinesMarks pinned = pinnedMarks();
    if (!record() || (!pinned.query && !pinned.key))
        return caption(true);
    return captionWith(tr("Only the lines of the pinned %1")
                           .arg(tokenInWords(*run_, map_.axes, pinned.query, pinned.key,
                                             linesOfToken(pinned.query, pinned.key), picture_.heads)));
}

FigureText LinesView::figureText() const {
    const auto head = selection_->head();
    const QString title = QString::fromStdString(
        picture_.heads.size() == 1 ? trace::toString(trace::HeadAddress{head.site, picture_.heads.front()})
                                   : trace::toString(head.site));
    return {.title = title + QStringLiteral("-lines"),
            .caption = figureCaption(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .head = title,
            .quantity = quantityName(Quantity::Weights)};
}

std::optional<PictureOptions> LinesView::picture(PictureOptions options) const {
    options.view = "lines";
    options.words = showsWords();
    if (shown() == Shown::AllHeads)
        options.lines = "all";
    else if (shown() == Shown::Chosen)
        for (const int head : heads())
            options.lines += (options.lines.empty() ? "" : ",") + std::to_string(head);
    return options;
}

} // namespace headscope::widgets
