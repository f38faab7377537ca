#include "widgets/views/beam_tree/beam_tree_view.h"

#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

using trace::Fate;

constexpr std::array fates{Fate::Extended,    Fate::Finished,  Fate::Pruned,
                           Fate::EndedTooLow, Fate::Displaced, Fate::Unfinished};

constexpr double beamTreeFigureMargin = 12;
constexpr double besideLegend = 24 + 6 + 16; ///< the sample and the gaps of an entry

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

struct BeamTreeWords {
    Q_DECLARE_TR_FUNCTIONS(BeamTree)
};

} // namespace

View* views::makers::beam_tree(Selection*, QWidget* parent) {
    auto* view = new BeamTreeView(parent);
    view->setAccessibleName(BeamTreeView::tr("Beam tree"));
    return view;
}

void BeamTreeView::refresh() {
    const auto& run = context().document->branches.run;
    if (run == run_)
        return;
    run_ = run;
    layOut();
}

void BeamTreeView::layOut() {
    const TokenLabelStyle style{.font = font(), .spaceMarks = spaceMarks_};
    layout_ = {};
    if (run_)
        layout_ = layOutBeamTree(
            *run_, [&](const trace::Token& token) { return style.width(tokenLabel(token)); },
            style.lineHeight());
    update();
}

void BeamTreeView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    layOut();
}

QRectF BeamTreeView::areaOf(trace::DecodeTree::NodeId id) const {
    const auto node = std::ranges::find(layout_.nodes, id, &BeamTreeNode::id);
    return node == layout_.nodes.end() ? QRectF() : node->box;
}

QString BeamTreeView::whyEmpty() const {
    return run_ ? tr("This sentence was not decoded with a beam.")
                : tr("Shows all hypotheses of a beam search, including pruned ones.");
}

std::span<const trace::DecodeTree::NodeId> BeamTreeView::shownPath() const {
    const bool isWhole = !isAnimated() || *rowsDecoded() >= run_->target.size();
    return std::span(run_->path).first(isWhole ? run_->path.size() : *rowsDecoded());
}

bool BeamTreeView::isMarked(trace::DecodeTree::NodeId id) const {
    return figureParts().marks && std::ranges::find(shownPath(), id) != shownPath().end();
}

void BeamTreeView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOut();
}

FigureText BeamTreeView::figureText() const {
    if (isEmpty())
        return {};
    return {.title = tr("Beam tree"),
            .caption = tr("Beam search with %1 hypotheses: every scored continuation, step by step from left "
                          "to right, the most probable at the top.")
                           .arg(run_->request.decoding.beam),
            .provenance = provenance(*run_),
            .quantity = tr("log-probability")};
}

trace::FigureData BeamTreeView::figureData() const {
    if (!hasFigure())
        return {};
    QStringList pieces, fates;
    std::vector<double> ids, parents, steps, ranks, logProbabilities, scores, finals, kept;
    for (const auto& shown : layout_.nodes) {
        const auto& node = run_->tree.node(shown.id);
        ids.push_back(static_cast<double>(shown.id));
        parents.push_back(shown.parent ? static_cast<double>(layout_.nodes[*shown.parent].id) : noNumber);
        steps.push_back(shown.column > 0 ? shown.column - 1 : noNumber); // the step that chose it
        ranks.push_back(node.search ? node.search->rank : noNumber);
        pieces += tokenLabel(node.token).full();
        logProbabilities.push_back(node.logProbability);
        scores.push_back(node.search ? node.search->score : noNumber);
        finals.push_back(node.search ? node.search->finalScore : noNumber);
        fates += node.search ? fateName(node.search->fate) : QString();
        kept.push_back(shown.kept ? 1 : 0);
    }
    return {
        .tables = {{.name = "hypotheses",
                    .columns = {dataColumn("node", ids), dataColumn("parent", parents),
                                dataColumn("step", steps), dataColumn("rank", ranks),
                                dataColumn("token", pieces), dataColumn("log_probability", logProbabilities),
                                dataColumn("score", scores), dataColumn("final_score", finals),
                                dataColumn("fate", fates), dataColumn("won", kept)}}}};
}

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

void BeamTreeView::drawNode(QPainter& painter, const BeamTreeNode& node, const Theme& theme) const {
    const trace::DecodeNode& decoded = run_->tree.node(node.id);
    const Fate fate = decoded.search ? decoded.search->fate : Fate::Extended;
    const QColor fill = node.kept ? theme.accent : fate == Fate::Pruned ? theme.background : theme.panel;
    const bool isEnd = figureParts().marks && shownPath().back() == node.id;
    painter.setBrush(fill);
    painter.setPen(isEnd ? QPen(theme.focus, 3)
                   : isMarked(node.id) && !node.kept
                       ? QPen(theme.focus, 1.5)
                       : QPen(fateColour(fate, theme), fate == Fate::Pruned ? 1 : 2));
    painter.drawPath(fateShape(fate, node.box));
    const TokenLabelStyle style{.font = font(), .spaceMarks = spaceMarks_};
    const TokenInk ink = node.kept ? TokenInk::on(fill, theme.onAccent) : TokenInk::onBackground(theme);
    style.draw(painter, node.box.adjusted(8, 0, -8, 0), Qt::AlignHCenter, tokenLabel(decoded.token), ink);
}

void BeamTreeView::drawTree(QPainter& painter, const Theme& theme) const {
    painter.setRenderHint(QPainter::Antialiasing);
    // Draws the winner's line on top.
    for (const bool kept : {false, true})
        for (const auto& node : layout_.nodes)
            if (node.kept == kept)
                drawLine(painter, node, theme);
    for (const auto& node : layout_.nodes)
        drawNode(painter, node, theme);
}

std::vector<BeamTreeView::LegendEntry> BeamTreeView::legend(const Theme& theme) const {
    std::vector<LegendEntry> entries{{tr("chosen"), Fate::Extended, QPen(theme.accent, 2), theme.accent}};
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

std::optional<FigureBlocks> BeamTreeView::figureBlocks() const {
    if (isEmpty())
        return std::nullopt;
    const auto drawScaled = [this](QPainter& painter, const QRectF& area, const Theme& theme) {
        const double scale =
            std::min({1.0, area.width() / layout_.size.width(), area.height() / layout_.size.height()});
        painter.save();
        painter.translate(area.topLeft());
        painter.scale(scale, scale);
        drawTree(painter, theme);
        painter.restore();
    };
    const QSizeF ofLegend(legendWidth(), QFontMetricsF(font()).height() + 12);
    const FigureBlock legend{.size = [=](double) { return ofLegend; },
                             .draw = [this](QPainter& painter, const QRectF& area,
                                            const Theme& theme) { drawLegend(painter, area, theme); },
                             .grows = false};
    return FigureBlocks{
        .picture = stacked(
            {{.size = [this](double) { return layout_.size; }, .draw = drawScaled, .grows = false}, legend}),
        .caption = figureText().caption,
        .font = font()};
}

std::optional<PictureOptions> BeamTreeView::picture(PictureOptions options) const {
    return ofView(std::move(options), "beam-tree");
}

QString fateName(Fate fate) {
    switch (fate) {
    case Fate::Extended:
        return BeamTreeWords::tr("alive");
    case Fate::Finished:
        return BeamTreeWords::tr("finished");
    case Fate::Pruned:
        return BeamTreeWords::tr("pruned");
    case Fate::EndedTooLow:
        return BeamTreeWords::tr("finished too low");
    case Fate::Displaced:
        return BeamTreeWords::tr("overtaken");
    case Fate::Unfinished:
        break;
    }
    return BeamTreeWords::tr("unfinished");
}

} // namespace headscope::widgets
