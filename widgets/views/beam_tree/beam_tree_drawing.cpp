#include "widgets/views/beam_tree/beam_tree_view.h"

#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/views/beam_tree/beam_tree_words.h"
#include "widgets/words/way_to_a_run.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::widgets {

namespace {

using trace::Fate;

constexpr std::array fates{Fate::Extended,    Fate::Finished,  Fate::Pruned,
                           Fate::EndedTooLow, Fate::Displaced, Fate::Unfinished};

constexpr double beamTreeFigureMargin = 12;
constexpr double besideLegend = 24 + 6 + 16; ///< an entry's sign, and what is between

QColor fateColour(Fate fate, const Theme& theme) {
    const auto& colours = categoryColours(theme);
    switch (fate) {
    case Fate::Extended:
        return colours[0];
    case Fate::Finished:
        return colours[2];
    case Fate::Pruned:
        return theme.hatch;
    case Fate::EndedTooLow:
        return colours[1];
    case Fate::Displaced:
        return colours[3];
    case Fate::Unfinished:
        break;
    }
    return colours[5];
}

} // namespace

void BeamTreeView::drawLine(QPainter& painter, const BeamTreeNode& node, const Theme& theme) const {
    if (!node.parent)
        return;
    const QRectF& from = layout_.nodes[*node.parent].box;
    const QPointF begin(from.right(), from.center().y());
    const QPointF end(node.box.left(), node.box.center().y());
    const double bend = (end.x() - begin.x()) / 2;
    QPainterPath line(begin);
    line.cubicTo(begin + QPointF(bend, 0), end - QPointF(bend, 0), end);
    const auto fate = run_->tree.node(node.id).search->fate;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(node.kept              ? QPen(theme.accent, 3)
                   : isMarked(node.id)    ? QPen(theme.focus, 2)
                   : fate == Fate::Pruned ? QPen(theme.line, 1)
                                          : QPen(theme.hatch, 1.5));
    painter.drawPath(line);
}

void BeamTreeView::drawNode(QPainter& painter, std::size_t place, bool lit, const Theme& theme) const {
    const BeamTreeNode& node = layout_.nodes[place];
    const trace::DecodeNode& decoded = run_->tree.node(node.id);
    const Fate fate = decoded.search ? decoded.search->fate : Fate::Extended;
    const QColor fill = node.kept ? theme.accent : fate == Fate::Pruned ? theme.background : theme.panel;
    const bool isEnd = figureParts().marks && run_->path.back() == node.id;
    painter.setBrush(fill);
    painter.setPen(lit || isEnd ? QPen(theme.focus, 3)
                   : isMarked(node.id) && !node.kept
                       ? QPen(theme.focus, 1.5)
                       : QPen(fateColour(fate, theme), fate == Fate::Pruned ? 1 : 2));
    painter.drawPath(fateShape(fate, node.box));
    const TokenLabelStyle style{.font = font(), .spaceMarks = spaceMarks_};
    const TokenInk ink = node.kept ? TokenInk::on(fill, theme.onAccent) : TokenInk::onBackground(theme);
    style.draw(painter, node.box.adjusted(8, 0, -8, 0), Qt::AlignHCenter, tokenLabel(decoded.token), ink);
}

void BeamTreeView::drawTree(QPainter& painter, std::optional<std::size_t> lit, const Theme& theme) const {
    painter.setRenderHint(QPainter::Antialiasing);
    // The winner's line lies over the others.
    for (const bool kept : {false, true})
        for (const auto& node : layout_.nodes)
            if (node.kept == kept)
                drawLine(painter, node, theme);
    for (std::size_t place = 0; place < layout_.nodes.size(); ++place)
        drawNode(painter, place, lit == place, theme);
}

std::vector<BeamTreeView::LegendEntry> BeamTreeView::legend(const Theme& theme) const {
    std::vector<LegendEntry> entries{{tr("kept"), Fate::Extended, QPen(theme.accent, 2), theme.accent}};
    for (const Fate fate : fates) {
        const bool there = std::ranges::any_of(run_->tree.nodes(), [&](const trace::DecodeNode& node) {
            return node.search && node.search->fate == fate;
        });
        if (there)
            entries.push_back({fateName(fate), fate,
                               QPen(fateColour(fate, theme), fate == Fate::Pruned ? 1 : 2),
                               fate == Fate::Pruned ? theme.background : theme.panel});
    }
    if (figureParts().marks)
        entries.push_back({tr("shown"), Fate::Extended, QPen(theme.focus, 3), theme.panel});
    return entries;
}

double BeamTreeView::legendWidth() const {
    const QFontMetricsF metrics(font());
    double width = 2 * beamTreeFigureMargin;
    for (const auto& entry : legend(themeOf(palette())))
        width += besideLegend + metrics.horizontalAdvance(entry.words);
    return width;
}

void BeamTreeView::drawLegend(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const QFontMetricsF metrics(font());
    painter.setRenderHint(QPainter::Antialiasing);
    double left = area.left() + beamTreeFigureMargin;
    for (const auto& entry : legend(theme)) {
        const double needed = besideLegend + metrics.horizontalAdvance(entry.words);
        if (left + needed > area.right())
            continue;
        const double height = metrics.height() * 0.75;
        painter.setPen(entry.line);
        painter.setBrush(entry.fill);
        painter.drawPath(fateShape(entry.fate, QRectF(left, area.center().y() - height / 2, 24, height)));
        painter.setPen(theme.text);
        painter.drawText(QRectF(left + 30, area.top(), needed, area.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, entry.words);
        left += needed;
    }
}

void BeamTreeView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (isEmpty()) {
        drawEmptyState(
            painter, QRectF(rect()), tr("Here every hypothesis of a beam search is drawn, kept or pruned."),
            run_ ? tr("This sentence was decoded one token at a time: choose a beam of 2 or more in "
                      "Decoding Options (Ctrl+Shift+D).")
                 : tr("%1 A beam of 2 or more is chosen in Decoding Options (Ctrl+Shift+D).")
                       .arg(wayToARun(*this)),
            theme);
        return;
    }
    const QRectF area = treeArea();
    painter.save();
    painter.setClipRect(area);
    painter.translate(offset_);
    painter.scale(scale_, scale_);
    drawTree(painter, cursor_, theme);
    painter.restore();
    drawLegend(painter, QRectF(area.left(), area.bottom(), area.width(), QFontMetricsF(font()).height() + 12),
               theme);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

double BeamTreeView::captionHeight(double width) const {
    if (!figureParts().caption)
        return 0;
    const QRectF room(0, 0, width - 2 * beamTreeFigureMargin, 1000);
    return std::ceil(
        QFontMetricsF(font()).boundingRect(room, Qt::TextWordWrap, figureText().caption).height());
}

QSize BeamTreeView::figureSize() const {
    const QFontMetricsF metrics(font());
    const double width = std::max({480.0, layout_.size.width(), std::ceil(legendWidth())});
    const double below = metrics.height() + 12 + captionHeight(width) + beamTreeFigureMargin;
    return QSizeF(width, std::max(160.0, layout_.size.height() + metrics.height() + below)).toSize();
}

void BeamTreeView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (isEmpty())
        return;
    const double legend = QFontMetricsF(font()).height() + 12;
    const double words = captionHeight(size.width());
    const QRectF tree(0, 0, size.width(), size.height() - legend - words - beamTreeFigureMargin);
    const double scale =
        std::min({1.0, tree.width() / layout_.size.width(), tree.height() / layout_.size.height()});
    painter.setFont(font());
    painter.save();
    painter.scale(scale, scale);
    drawTree(painter, std::nullopt, theme);
    painter.restore();
    drawLegend(painter, QRectF(0, tree.bottom(), size.width(), legend), theme);
    painter.setPen(theme.text);
    painter.drawText(
        QRectF(beamTreeFigureMargin, tree.bottom() + legend, size.width() - 2 * beamTreeFigureMargin, words),
        Qt::AlignLeft | Qt::TextWordWrap, asCaption(figureText().caption));
}

} // namespace headscope::widgets
