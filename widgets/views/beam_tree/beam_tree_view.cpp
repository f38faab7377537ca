#include "widgets/views/beam_tree/beam_tree_view.h"

#include "model/trace/run_path.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/plain_text.h"

#include <QApplication>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr double beamTreeSmallestScale = 0.25;
constexpr double largestScale = 3;

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

/// The number of hypotheses of the same step that stayed alive and were more probable than the pruned one.
int aliveBefore(const trace::Run& run, const trace::SearchRecord& record) {
    int count = 0;
    for (const auto& node : run.tree.nodes())
        count += node.search && node.search->step == record.step && node.search->rank < record.rank &&
                 (node.search->fate == Fate::Extended || node.search->fate == Fate::Unfinished);
    return count;
}

/// Returns true if a continuation stayed in the beam.
bool isContinued(const trace::Run& run, trace::DecodeTree::NodeId id) {
    return std::ranges::any_of(run.tree.children(id), [&](auto child) {
        const auto& search = run.tree.node(child).search;
        return search && search->fate != Fate::Pruned && search->fate != Fate::EndedTooLow;
    });
}

/// The tokens added by the search, oldest first.
std::vector<trace::DecodeTree::NodeId> searchedPathTo(const trace::Run& run, trace::DecodeTree::NodeId id) {
    auto path = run.tree.path(id);
    std::erase_if(path, [&](auto node) { return !run.tree.node(node).search; });
    return path;
}

QString sumInWords(const trace::Run& run, trace::DecodeTree::NodeId id) {
    QString parts;
    double before = 0;
    for (const auto each : searchedPathTo(run, id)) {
        const auto& node = run.tree.node(each);
        const double part = node.search->score - before;
        before = node.search->score;
        parts += QStringLiteral(" %1 %2 %3")
                     .arg(part > 0 ? QChar('+') : QChar(0x2212))
                     .arg(std::abs(part), 0, 'f', 3)
                     .arg(quoted(tokenLabel(node.token)));
    }
    return BeamTreeWords::tr("Log-probability %1 =%2").arg(numberText(before), parts);
}

QString scoreInWords(const trace::Run& run, const trace::SearchRecord& record) {
    const double power = run.request.decoding.lengthPenalty;
    const int length = record.step + 1;
    const QString norm = QString::number(std::pow(length, power), 'g', 4);
    return power == 0
               ? BeamTreeWords::tr("Final score %1: no length penalty").arg(numberText(record.finalScore))
               : BeamTreeWords::tr("Final score %1: divided by %2 = %3 to the power of %4")
                     .arg(numberText(record.finalScore), norm)
                     .arg(length)
                     .arg(power);
}

} // namespace

View* views::makers::beam_tree(Selection*, QWidget* parent) {
    return new BeamTreeView(parent);
}

BeamTreeView::BeamTreeView(QWidget* parent) : View(parent), bar_(new QScrollBar(Qt::Horizontal, this)) {
    setAccessibleName(tr("Beam tree"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 120);
    bar_->setAccessibleName(tr("Steps of the beam tree"));
    bar_->hide();
    connect(bar_, &QScrollBar::valueChanged, this,
            [this](int value) { moveTo(QPointF(-value, offset_.y()), scale_); });
}

void BeamTreeView::refresh() {
    const auto& run = context().document->branches.run;
    if (!run || run != run_)
        showRun(run);
    if (!isEmpty() && !std::exchange(opened_, true))
        Q_EMIT intended(intents::ShowSelf());
}

void BeamTreeView::showRun(std::shared_ptr<const trace::Run> run) {
    const auto before = layout_.nodes.size();
    const bool sameSource = run_ && run && run_->request.source == run->request.source;
    run_ = std::move(run);
    layOut();
    setCursorPlace(std::nullopt);
    if (!sameSource || before != layout_.nodes.size())
        showAll();
    update();
}

void BeamTreeView::layOut() {
    const TokenLabelStyle style{.font = font(), .spaceMarks = spaceMarks_};
    layout_ = {};
    if (run_)
        layout_ = layOutBeamTree(
            *run_, [&](const trace::Token& token) { return style.width(tokenLabel(token)); },
            style.lineHeight());
    moveTo(offset_, scale_);
}

void BeamTreeView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    layOut();
}

void BeamTreeView::showAll() {
    const double room = treeArea().height();
    moveTo({}, layout_.size.isEmpty() ? 1 : std::clamp(room / layout_.size.height(), 0.6, 1.0));
}

QRectF BeamTreeView::treeArea() const {
    const double legend = QFontMetricsF(font()).height() + 12;
    return QRectF(rect()).adjusted(0, 0, 0, -legend - bar_->sizeHint().height());
}

QRectF BeamTreeView::areaOf(trace::DecodeTree::NodeId id) const {
    const auto place = layout_.placeOf(id);
    if (!place)
        return {};
    const QRectF& box = layout_.nodes[*place].box;
    return {box.topLeft() * scale_ + offset_, box.size() * scale_};
}

/// Keeps the tree within the widget; a smaller tree stays in the corner.
void BeamTreeView::moveTo(QPointF offset, double scale) {
    scale_ = std::clamp(scale, beamTreeSmallestScale, largestScale);
    const QRectF area = treeArea();
    const QSizeF over = layout_.size * scale_ - area.size();
    offset_ = {std::clamp(offset.x(), -std::max(0.0, over.width()), 0.0),
               std::clamp(offset.y(), -std::max(0.0, over.height()), 0.0)};
    const QSignalBlocker quiet(bar_);
    bar_->setRange(0, static_cast<int>(std::ceil(std::max(0.0, over.width()))));
    bar_->setPageStep(area.width());
    bar_->setSingleStep(40);
    bar_->setValue(-offset_.x());
    bar_->setVisible(!isEmpty() && over.width() > 0);
    update();
}

std::span<const trace::DecodeTree::NodeId> BeamTreeView::shownPath() const {
    const bool isWhole = !isAnimated() || *rowsDecoded() >= run_->target.size();
    return std::span(run_->path).first(isWhole ? run_->path.size() : *rowsDecoded());
}

bool BeamTreeView::isMarked(trace::DecodeTree::NodeId id) const {
    return figureParts().marks && std::ranges::find(shownPath(), id) != shownPath().end();
}

void BeamTreeView::setCursorPlace(std::optional<std::size_t> place) {
    if (place == cursor_)
        return;
    cursor_ = place;
    const QStringList words = place ? hypothesisInWords(*run_, layout_.nodes[*place].id) : QStringList();
    describeForReaders(this, words.join(QStringLiteral(". ")));
    update();
    Q_EMIT cellDescribed(words.isEmpty() ? QString() : words.front() + QStringLiteral(": ") + words.back());
}

void BeamTreeView::showPlace(std::size_t place) {
    const QRectF area = treeArea().adjusted(24, 8, -24, -8);
    const QRectF box = areaOf(layout_.nodes[place].id);
    QPointF by;
    by.setX(std::max(0.0, area.left() - box.left()) - std::max(0.0, box.right() - area.right()));
    by.setY(std::max(0.0, area.top() - box.top()) - std::max(0.0, box.bottom() - area.bottom()));
    moveTo(offset_ + by, scale_);
}

bool BeamTreeView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto place = layout_.nodeAt(toTree(QPointF(help->pos())));
    if (place)
        QToolTip::showText(help->globalPos(),
                           plainToolTip(hypothesisInWords(*run_, layout_.nodes[*place].id).join(QChar('\n'))),
                           this, areaOf(layout_.nodes[*place].id).toAlignedRect());
    else
        QToolTip::hideText();
    return true;
}

void BeamTreeView::resizeEvent(QResizeEvent*) {
    const int height = bar_->sizeHint().height();
    bar_->setGeometry(0, this->height() - height, width(), height);
    if (offset_.isNull())
        showAll();
    else
        moveTo(offset_, scale_);
}

void BeamTreeView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOut();
}

void BeamTreeView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    dragFrom_ = event->position();
    dragged_ = false;
}

void BeamTreeView::mouseMoveEvent(QMouseEvent* event) {
    if (dragFrom_) {
        const QPointF by = event->position() - *dragFrom_;
        dragged_ = dragged_ || by.manhattanLength() >= QApplication::startDragDistance();
        if (!dragged_)
            return;
        moveTo(offset_ + by, scale_);
        dragFrom_ = event->position();
        return;
    }
    setCursorPlace(layout_.nodeAt(toTree(event->position())));
}

void BeamTreeView::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = dragFrom_ && !dragged_ && event->button() == Qt::LeftButton;
    dragFrom_.reset();
    if (const auto place = layout_.nodeAt(toTree(event->position())); clicked && place)
        Q_EMIT intended(intents::ShowNode{layout_.nodes[*place].id});
}

void BeamTreeView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!layout_.nodeAt(toTree(event->position())))
        showAll();
}

void BeamTreeView::leaveEvent(QEvent*) {
    setCursorPlace(std::nullopt);
}

void BeamTreeView::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    if (isEmpty() || turned.isNull()) {
        event->ignore();
        return;
    }
    if (turned.y() == 0 || event->modifiers() & Qt::ShiftModifier) {
        moveTo(offset_ + QPointF(turned.x() + turned.y(), 0), scale_);
        return;
    }
    const double scale =
        std::clamp(scale_ * std::pow(1.2, turned.y() / 120.0), beamTreeSmallestScale, largestScale);
    const QPointF under = toTree(event->position());
    moveTo(event->position() - under * scale, scale);
}

void BeamTreeView::keyPressEvent(QKeyEvent* event) {
    if (isEmpty()) {
        event->ignore();
        return;
    }
    const auto shown = layout_.placeOf(run_->path.back()).value_or(0);
    const auto step = [&](int columns, int ranks) {
        const auto place = cursor_ ? layout_.neighbour(*cursor_, columns, ranks) : shown;
        showPlace(place);
        setCursorPlace(place);
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-1, 0);
    case Qt::Key_Right:
        return step(1, 0);
    case Qt::Key_Up:
        return step(0, -1);
    case Qt::Key_Down:
        return step(0, 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (cursor_)
            Q_EMIT intended(intents::ShowNode{layout_.nodes[*cursor_].id});
        return;
    case Qt::Key_0:
        return showAll();
    default:
        event->ignore();
    }
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

void BeamTreeView::drawNode(QPainter& painter, std::size_t place, bool lit, const Theme& theme) const {
    const BeamTreeNode& node = layout_.nodes[place];
    const trace::DecodeNode& decoded = run_->tree.node(node.id);
    const Fate fate = decoded.search ? decoded.search->fate : Fate::Extended;
    const QColor fill = node.kept ? theme.accent : fate == Fate::Pruned ? theme.background : theme.panel;
    const bool isEnd = figureParts().marks && shownPath().back() == node.id;
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
    // Draws the winner's line on top.
    for (const bool kept : {false, true})
        for (const auto& node : layout_.nodes)
            if (node.kept == kept)
                drawLine(painter, node, theme);
    for (std::size_t place = 0; place < layout_.nodes.size(); ++place)
        drawNode(painter, place, lit == place, theme);
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

void BeamTreeView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (isEmpty()) {
        drawEmptyState(painter, QRectF(rect()),
                       tr("Shows all hypotheses of a beam search, including pruned ones."),
                       run_ ? tr("This sentence was not decoded with a beam: choose a beam of 2 or more in "
                                 "Decoding Options (Ctrl+Shift+D).")
                            : tr("%1 A beam of 2 or more is chosen in Decoding Options (Ctrl+Shift+D).")
                                  .arg(hintForNoRun(*this)),
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

std::optional<FigureBlocks> BeamTreeView::figureBlocks() const {
    if (isEmpty())
        return std::nullopt;
    const auto drawScaled = [this](QPainter& painter, const QRectF& area, const Theme& theme) {
        const double scale =
            std::min({1.0, area.width() / layout_.size.width(), area.height() / layout_.size.height()});
        painter.save();
        painter.translate(area.topLeft());
        painter.scale(scale, scale);
        drawTree(painter, std::nullopt, theme);
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

QString fateInWords(const trace::Run& run, trace::DecodeTree::NodeId id) {
    const auto& record = *run.tree.node(id).search;
    const auto searched = trace::searchedPath(run);
    const bool won = searched && run.paths[*searched].leaf == id;
    switch (record.fate) {
    case Fate::Extended:
        return isContinued(run, id)
                   ? BeamTreeWords::tr("alive: its continuations were scored, and some stayed in the beam")
                   : BeamTreeWords::tr(
                         "dropped one step later: none of its continuations was among the best %1")
                         .arg(run.request.decoding.beam);
    case Fate::Finished:
        return won ? BeamTreeWords::tr("finished, with the best final score: this is the translation")
                   : BeamTreeWords::tr("finished, but another had a better final score");
    case Fate::Pruned:
        return aliveBefore(run, record) == 1
                   ? BeamTreeWords::tr("pruned: one other was more probable")
                   : BeamTreeWords::tr("pruned: %1 others were more probable").arg(aliveBefore(run, record));
    case Fate::EndedTooLow:
        return BeamTreeWords::tr("finished too low: it ended, but not among the best %1 of its step")
            .arg(run.request.decoding.beam);
    case Fate::Displaced:
        return BeamTreeWords::tr("overtaken: it finished, and %1 better ones finished later")
            .arg(run.request.decoding.beam);
    case Fate::Unfinished:
        break;
    }
    return won ? BeamTreeWords::tr("unfinished: no hypothesis had finished, and this was the best")
               : BeamTreeWords::tr("unfinished: still alive when the search ended");
}

QStringList hypothesisInWords(const trace::Run& run, trace::DecodeTree::NodeId id) {
    const auto& node = run.tree.node(id);
    if (!node.search)
        return {BeamTreeWords::tr("The search began after %1").arg(exactly(tokenLabel(node.token)))};
    std::vector<trace::Token> tokens;
    for (const auto each : searchedPathTo(run, id))
        tokens.push_back(run.tree.node(each).token);
    return {BeamTreeWords::tr("%1, step %2 of the search, rank %3 of its step")
                .arg(exactly(tokenLabel(node.token)), QString::number(node.search->step + 1),
                     QString::number(node.search->rank + 1)),
            isolated(QString::fromStdString(trace::joinedText(tokens))), sumInWords(run, id),
            scoreInWords(run, *node.search), fateInWords(run, id)};
}

} // namespace headscope::widgets
