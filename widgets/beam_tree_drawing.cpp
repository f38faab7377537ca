#include "widgets/beam_tree_view.h"

#include "widgets/beam_tree_words.h"
#include "widgets/empty_state.h"
#include "widgets/theme.h"
#include "widgets/token_label.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>

namespace headscope::widgets {

namespace {

using trace::Fate;

constexpr std::array fates{Fate::Extended,    Fate::Finished,  Fate::Pruned,
                           Fate::EndedTooLow, Fate::Displaced, Fate::Unfinished};

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
                   : isShown(node.id)     ? QPen(theme.focus, 2)
                   : fate == Fate::Pruned ? QPen(theme.line, 1)
                                          : QPen(theme.hatch, 1.5));
    painter.drawPath(line);
}

void BeamTreeView::drawNode(QPainter& painter, std::size_t place, const Theme& theme) const {
    const BeamTreeNode& node = layout_.nodes[place];
    const trace::DecodeNode& decoded = run_->tree.node(node.id);
    const Fate fate = decoded.search ? decoded.search->fate : Fate::Extended;
    const QColor fill = node.kept ? theme.accent : fate == Fate::Pruned ? theme.background : theme.panel;
    const bool lit = cursor_ == place;
    const bool isEnd = run_->path.back() == node.id;
    painter.setBrush(fill);
    painter.setPen(lit || isEnd ? QPen(theme.focus, 3)
                   : isShown(node.id) && !node.kept
                       ? QPen(theme.focus, 1.5)
                       : QPen(fateColour(fate, theme), fate == Fate::Pruned ? 1 : 2));
    painter.drawPath(fateShape(fate, node.box));
    const TokenLabelStyle style{.font = font(), .spaceMarks = spaceMarks_};
    const TokenInk ink = node.kept ? TokenInk::on(fill, theme.onAccent) : TokenInk::onBackground(theme);
    style.draw(painter, node.box.adjusted(8, 0, -8, 0), Qt::AlignHCenter, tokenLabel(decoded.token), ink);
}

void BeamTreeView::drawTree(QPainter& painter, const Theme& theme) const {
    painter.setRenderHint(QPainter::Antialiasing);
    // The winner's line lies over the others.
    for (const bool kept : {false, true})
        for (const auto& node : layout_.nodes)
            if (node.kept == kept)
                drawLine(painter, node, theme);
    for (std::size_t place = 0; place < layout_.nodes.size(); ++place)
        drawNode(painter, place, theme);
}

void BeamTreeView::drawLegend(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const QFontMetricsF metrics(font());
    painter.setRenderHint(QPainter::Antialiasing);
    double left = area.left() + 12;
    const auto entry = [&](const QString& words, Fate fate, const QPen& pen, const QColor& fill) {
        const double needed = 24 + 6 + metrics.horizontalAdvance(words) + 16;
        if (left + needed > area.right())
            return;
        const double height = metrics.height() * 0.75;
        painter.setPen(pen);
        painter.setBrush(fill);
        painter.drawPath(fateShape(fate, QRectF(left, area.center().y() - height / 2, 24, height)));
        painter.setPen(theme.text);
        painter.drawText(QRectF(left + 30, area.top(), needed, area.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, words);
        left += needed;
    };
    entry(tr("kept"), Fate::Extended, QPen(theme.accent, 2), theme.accent);
    for (const Fate fate : fates) {
        const bool there = std::ranges::any_of(run_->tree.nodes(), [&](const trace::DecodeNode& node) {
            return node.search && node.search->fate == fate;
        });
        if (there)
            entry(fateName(fate), fate, QPen(fateColour(fate, theme), fate == Fate::Pruned ? 1 : 2),
                  fate == Fate::Pruned ? theme.background : theme.panel);
    }
    entry(tr("shown"), Fate::Extended, QPen(theme.focus, 3), theme.panel);
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
                 : tr("Type a sentence, choose a beam of 2 or more in Decoding Options (Ctrl+Shift+D), "
                      "and press Enter."),
            theme);
        return;
    }
    const QRectF area = treeArea();
    painter.save();
    painter.setClipRect(area);
    painter.translate(offset_);
    painter.scale(scale_, scale_);
    drawTree(painter, theme);
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

void BeamTreeView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (isEmpty())
        return;
    const double legend = QFontMetricsF(font()).height() + 12;
    const double scale = std::min(
        {1.0, size.width() / layout_.size.width(), (size.height() - legend) / layout_.size.height()});
    painter.setFont(font());
    painter.save();
    painter.scale(scale, scale);
    drawTree(painter, theme);
    painter.restore();
    drawLegend(painter, QRectF(0, size.height() - legend, size.width(), legend), theme);
}

} // namespace headscope::widgets
