#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_heads.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/map/map_options.h"
#include "widgets/views/heatmap/head_panel.h"
#include "widgets/views/heatmap/heatmap_page.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"

#include <QFontMetricsF>
#include <QGridLayout>
#include <QPainter>
#include <QScrollArea>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double barCloser = 12; ///< than to a map, where marks stand between
constexpr double comparedHeadsLongestBar = 320;

/// What the shared bar is beside: all but the room that it needs at the right.
QRectF sharedBarArea(QSize size, const ColourScale& scale, const QFont& font) {
    const double line = QFontMetricsF(font).height();
    const double width = size.width() - colourBarWidth(scale, font);
    return {0, line, width, std::min(comparedHeadsLongestBar, size.height() - 2 * line)};
}

} // namespace

std::optional<ColourScale> HeatmapPage::sharedScale(const Theme& theme) const {
    std::optional<ColourScale> shared;
    for (const HeatmapView* map : maps()) {
        const auto scale = map->colourScale(theme);
        if (scale && shared && *scale != *shared)
            return std::nullopt;
        shared = shared ? shared : scale;
    }
    return heads_.size() > 1 ? shared : std::nullopt;
}

/// One bar stands for all where it says the same of all.
void HeatmapPage::shareScale() {
    const auto scale = sharedScale(themeOf(palette()));
    for (HeatmapView* map : maps())
        map->setColourBarShown(!scale);
    const double room = scale ? colourBarWidth(*scale, font()) - barCloser : 0;
    grid_->setContentsMargins(panelGap, panelGap, panelGap + static_cast<int>(std::ceil(room)), panelGap);
    shareHeights();
    update();
}

void HeatmapPage::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    const auto scale = sharedScale(theme);
    if (!scale)
        return;
    QPainter painter(this);
    const QSize seen(boardArea_->viewport()->width(), height()); // without its scroll bar
    drawColourBar(painter, sharedBarArea(seen, *scale, font()), *scale, font(), theme);
}

/// What is said of all maps is said once; what is of one alone stands under it.
HeatmapPage::PageWords HeatmapPage::pageWords() const {
    PageWords words;
    QStringList common = panels_.front()->map()->captionParts();
    for (const HeatmapView* map : maps())
        common.removeIf([parts = map->captionParts()](const QString& part) { return !parts.contains(part); });
    for (const HeatmapView* map : maps()) {
        QStringList own = map->captionParts();
        own.removeIf([&](const QString& part) { return common.contains(part); });
        words.ofEach += own.join(' ');
    }
    words.ofAll = common.join(' ');
    return words;
}

void HeatmapPage::drawFigure(QPainter& painter, QSize page, const Theme& theme) const {
    if (heads_.empty()) {
        const FigureWithParts one(*single_, figureParts());
        return single_->drawFigure(painter, page, theme);
    }
    painter.fillRect(QRect(QPoint(), page), theme.background);
    const PageWords captions = pageWords();
    const QRectF inside = QRectF(QPointF(), QSizeF(page)).adjusted(12, 12, -12, -12);
    const QSize size(page.width(), page.height() - wordsBelow(page.width(), captions));
    const int count = static_cast<int>(heads_.size());
    const int columns = panelColumns(count, size);
    const int rows = (count + columns - 1) / columns;
    const auto scale = sharedScale(theme);
    if (scale)
        drawColourBar(painter, sharedBarArea(size, *scale, font()), *scale, font(), theme);
    const double beside = scale ? colourBarWidth(*scale, font()) - barCloser : 0;
    const QSize cell((size.width() - static_cast<int>(std::ceil(beside))) / columns, size.height() / rows);
    const QRect room(12, 8, cell.width() - 24, cell.height() / 3);
    painter.setFont(font());
    int said = 0; // all maps begin below the longest
    for (std::size_t i = 0; i < heads_.size(); ++i)
        said = std::max(said, painter.boundingRect(room, Qt::TextWordWrap, heading(i)).bottom());
    for (int i = 0; i < count; ++i) {
        const auto index = static_cast<std::size_t>(i);
        painter.save();
        painter.translate(i % columns * cell.width(), i / columns * cell.height());
        painter.setFont(font());
        painter.translate(0, said);
        const FigureWithParts map(*panels_[index]->map(), figureParts());
        panels_[index]->map()->drawFigureWith(captions.ofEach[i], captions.ofEach, painter,
                                              cell - QSize(0, said), theme);
        painter.translate(0, -said);
        painter.setPen(theme.text);
        painter.drawText(room, Qt::TextWordWrap, heading(index));
        painter.restore();
    }
    painter.setPen(theme.text);
    painter.drawText(inside, Qt::AlignBottom | Qt::TextWordWrap, asCaption(captions.ofAll));
}

QString HeatmapPage::heading(std::size_t panel) const {
    return panels_[panel]->title() + (figureParts().caption ? '\n' + words(panel) : QString());
}

/// With the distance to the maps.
int HeatmapPage::wordsBelow(int width, const PageWords& captions) const {
    if (!figureParts().caption)
        return 0;
    const QRectF room(0, 0, width - 24, 1e4);
    return static_cast<int>(std::ceil(
               QFontMetricsF(font()).boundingRect(room, Qt::TextWordWrap, captions.ofAll).height())) +
           12;
}

QString HeatmapPage::caption() const {
    QStringList parts;
    for (std::size_t i = 0; i < heads_.size(); ++i)
        parts += tr("%1: %2").arg(address(heads_[i]), words(i));
    return parts.join(' ') + ' ' + panels_.front()->map()->figureText().caption;
}

FigureText HeatmapPage::figureText() const {
    if (heads_.empty())
        return single_->figureText();
    QStringList names;
    for (const auto& head : heads_)
        names += address(head);
    return {.title = names.join(tr(", ")),
            .caption = caption(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .head = listedHeads(heads_),
            .quantity = quantityName(single_->options().quantity)};
}

QSize HeatmapPage::figureSize() const {
    const FigureWithParts one(*single_, figureParts());
    if (heads_.empty())
        return single_->figureSize();
    constexpr int width = 1120;
    const QSize whole(width, heads_.size() > 2 ? 960 : 560);
    if (figureParts().caption)
        return whole;
    // Without what is said of all of them and, in each row, of the one of which most is said.
    const PageWords captions = pageWords();
    const FigureWithParts said(*this, {});
    const int columns = panelColumns(static_cast<int>(heads_.size()), whole);
    const QRectF room(0, 0, width / columns - 24, 1e4);
    const QFontMetricsF metrics(font());
    double most = 0;
    for (std::size_t i = 0; i < heads_.size(); ++i)
        most = std::max(
            most,
            metrics.boundingRect(room, Qt::TextWordWrap, words(i) + '\n' + captions.ofEach[i]).height());
    const int rows = (static_cast<int>(heads_.size()) + columns - 1) / columns;
    return whole - QSize(0, wordsBelow(width, captions) + rows * static_cast<int>(most));
}

QSize HeatmapPage::narrowFigure(int width) const {
    const FigureWithParts one(*single_, figureParts());
    return heads_.empty() ? single_->narrowFigure(width) : figureSize();
}

void HeatmapPage::setRowsDecoded(std::optional<std::size_t> rows) {
    for (HeatmapView* map : allMaps())
        map->setRowsDecoded(rows);
}

bool HeatmapPage::hasFigure() const {
    const auto shown = maps();
    return heads_.empty() ? single_->hasFigure()
                          : std::ranges::any_of(shown, [](const auto* map) { return map->hasFigure(); });
}

QString HeatmapPage::comparisonInWords(const trace::HeadAddress& head) const {
    const auto reference = referenceHead(heads_, selected_, head.site.kind);
    const auto others =
        std::ranges::count(heads_, head.site.kind, [](const auto& other) { return other.site.kind; });
    if (!run_ || heads_.size() < 2)
        return {};
    if (others == 1)
        return tr("The only head of its kind here: no other has the same axes.");
    if (reference == head)
        return tr("The other heads of this kind are compared with this head.");
    const QString name = address(*reference);
    const auto found = distances().find(head);
    if (found == distances().end())
        return run_->complete ? tr("Comparing with %1...").arg(name)
                              : tr("Compared with %1 when decoding is complete.").arg(name);
    return found->second ? tr("Mean divergence of weights from %1: %2 of 1 bit (Jensen-Shannon: 0 the same, "
                              "1 nothing in common).")
                               .arg(name, QString::number(*found->second, 'f', 3))
                         : tr("No row can be compared with %1.").arg(name);
}

QString HeatmapPage::briefWords(const trace::HeadAddress& head) const {
    QStringList lines;
    const auto reference = referenceHead(heads_, selected_, head.site.kind);
    const auto found = distances().find(head);
    const QString name = reference ? address(*reference) : QString();
    if (found != distances().end() && reference != head)
        lines +=
            found->second
                ? tr("Divergence from %1: %2 of 1 bit").arg(name, QString::number(*found->second, 'f', 3))
                : tr("Not comparable with %1").arg(name);
    else if (reference == head && std::ranges::count(heads_, head.site.kind,
                                                     [](const auto& other) { return other.site.kind; }) > 1)
        lines += tr("Reference head");
    else if (reference == head && heads_.size() > 1)
        lines += tr("Not compared: no other shown head has the same axes");
    if (run_ && run_->model)
        lines += headTitle(*run_->model, head);
    return lines.join('\n');
}

QString HeatmapPage::words(std::size_t panel) const {
    const auto& head = heads_.at(panel);
    // What compares them first: where there is little room the rest is in the tooltip.
    QString words = comparisonInWords(head);
    if (run_ && run_->model)
        words += tr(" %1.").arg(headTitle(*run_->model, head));
    return words.trimmed();
}

std::optional<PictureOptions> HeatmapPage::picture(PictureOptions options) const {
    return heads_.empty() ? single_->picture(std::move(options)) : std::move(options);
}

bool HeatmapPage::isZoomed() const {
    return heads_.empty() ? single_->isZoomed() : !zoomsOfPanels().empty();
}

QStringList HeatmapPage::nameParts(const trace::HeadAddress& head, int step) const {
    if (heads_.empty())
        return single_->nameParts(head, step);
    QStringList parts;
    if (single_->options().quantity != Quantity::Weights)
        parts += quantityKey(single_->options().quantity);
    for (const auto& each : heads_)
        parts += address(each);
    return parts;
}

} // namespace headscope::widgets
