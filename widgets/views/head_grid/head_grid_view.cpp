#include "widgets/views/head_grid/head_grid_view.h"

#include "widgets/drawing/empty_state.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/change_marks.h"
#include "widgets/tiles/head_tile.h"
#include "widgets/words/captions.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/left_out_words.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTimerEvent>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

HeadGridView::HeadGridView(Selection* selection, QWidget* parent)
    : QAbstractScrollArea(parent), selection_(selection), shownSite_(selection->head().site) {
    setAccessibleName(tr("Attention maps of all heads"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    teachReadersAboutMaps();
    connect(selection_, &Selection::headChanged, this, &HeadGridView::headMoved);
    connect(selection_, &Selection::focusChanged, this, [this] { viewport()->update(); });
    connect(selection_, &Selection::pinnedHeadsChanged, this, [this] { viewport()->update(); });
}

void HeadGridView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    thumbnails_.forgetTiles();
    forgetPictures();
    describeHead();
}

int HeadGridView::layersShown() const {
    int layers = 0;
    while (run_ && run_->record({kind(), layers}))
        ++layers;
    return layers;
}

int HeadGridView::headsShown() const {
    std::size_t heads = 0;
    for (int layer = 0; layer < layersShown(); ++layer)
        heads = std::max(heads, run_->record({kind(), layer})->heads());
    return static_cast<int>(heads);
}

std::vector<trace::HeadAddress> HeadGridView::headsInOrder() const {
    std::vector<trace::HeadAddress> heads;
    for (int layer = 0; layer < layersShown(); ++layer)
        for (int head = 0; isShown(layer) && head < headsShown(); ++head)
            heads.push_back({{kind(), layer}, head});
    if (isSorted())
        std::ranges::stable_sort(heads, {}, [this](const auto& head) { return tint().placeOf(head); });
    return heads;
}

/// Left of the rows and above the columns.
QSize HeadGridView::headingsSize() const {
    const QFontMetrics metrics(font());
    return isListed() ? QSize(0, 0)
                      : QSize(metrics.horizontalAdvance(tr("layer %1").arg(layersShown())) + 8,
                              metrics.height() + HeadGridLayout::gap);
}

HeadGridLayout HeadGridView::layOut(QSize available, bool mayScroll, Canvas canvas) const {
    auto heads = headsInOrder();
    if (heads.empty())
        return {};
    return layOutHeads({.heads = std::move(heads),
                        .columns = isListed() ? 0 : headsShown(),
                        .available = available,
                        .headings = headingsSize(),
                        .foot = footHeight(),
                        .words = wordsHeight(available.width(), canvas),
                        .mayScroll = mayScroll});
}

void HeadGridView::setImportance(const std::vector<analysis::HeadScore>& ranked, const QString& caption) {
    importance_ = tintByImportance(ranked, caption);
    tintIsAnother();
}

void HeadGridView::setStatistic(std::optional<HeadTint> statistic) {
    statistic_ = std::move(statistic);
    tintIsAnother();
}

void HeadGridView::tintIsAnother() {
    layOutAgain();
    describeHead();
    Q_EMIT tintChanged();
}

void HeadGridView::setTinted(bool tinted) {
    tinted_ = tinted;
    layOutAgain();
}

void HeadGridView::setSorted(bool sorted) {
    sorted_ = sorted;
    layOutAgain();
    headMoved();
}

void HeadGridView::setLayerOnly(bool layerOnly) {
    layerOnly_ = layerOnly;
    layOutAgain();
    headMoved();
}

void HeadGridView::layOutAgain() {
    grid_ = layOut(viewport()->size(), true, Canvas::Window);
    verticalScrollBar()->setRange(0, std::max(0, grid_.whole.height() - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(grid_.side.height() + grid_.foot + HeadGridLayout::gap);
    viewport()->update();
}

void HeadGridView::forgetPictures() {
    thumbnails_.clear();
    rest_.stop();
    layOutAgain();
}

void HeadGridView::headMoved() {
    const auto before = std::exchange(shownSite_, selection_->head().site);
    if (shownSite_.kind != before.kind || (layerOnly_ && shownSite_ != before))
        forgetPictures();
    const QRect shown = thumbnailRect(selection_->head());
    QScrollBar* bar = verticalScrollBar();
    if (shown.isValid() && shown.top() < 0)
        bar->setValue(bar->value() + shown.top() - HeadGridLayout::gap);
    else if (shown.isValid() && shown.bottom() + grid_.foot > viewport()->height())
        bar->setValue(bar->value() + shown.bottom() + grid_.foot - viewport()->height() +
                      HeadGridLayout::gap);
    describeHead();
    viewport()->update();
}

void HeadGridView::describeHead() {
    describeForReaders(this, thumbnailRect(selection_->head()).isValid() ? headDescription(selection_->head())
                                                                         : whyEmpty());
    announceCursor(this, *this);
}

QString HeadGridView::whyEmpty() const {
    if (!run_)
        return hintForNoRun(*this);
    if (run_->model && run_->model->recorded && !run_->record({.kind = kind(), .layer = 0}))
        return whyNoHead(*run_, selection_->head());
    return tr("No attention of this kind has been computed. Choose another kind, or decode.");
}

QString HeadGridView::headDescription(const trace::HeadAddress& head) const {
    QString words = tr("%1 (counted from 0)\n%2")
                        .arg(QString::fromStdString(trace::toString(head)),
                             headCaption(*run_, head, Quantity::Weights) +
                                 markInWords(headMark(run_->request.interventions, head)));
    if (const QString colours = thumbnailLimitInWords(thumbnailLimit(*run_, head, thumbnails_.tile(head)));
        !colours.isEmpty())
        words += '\n' + colours;
    if (const auto* value = tint().of(head))
        words += '\n' + value->words;
    if (const auto pin = selection_->pinOf(head))
        words += '\n' + tr("Pinned, as number %1.").arg(*pin);
    return words;
}

QRect HeadGridView::thumbnailRect(const trace::HeadAddress& head) const {
    const auto place = grid_.placeOf(head);
    return place ? grid_.cell(*place).translated(0, -verticalScrollBar()->value()) : QRect();
}

std::optional<trace::HeadAddress> HeadGridView::headAt(QPoint position) const {
    const QPoint inside = position + QPoint(0, verticalScrollBar()->value());
    for (int place = 0; place < grid_.count(); ++place)
        if (grid_.cell(place).contains(inside) || grid_.footOf(place).contains(inside))
            return grid_.heads[static_cast<std::size_t>(place)];
    return std::nullopt;
}

void HeadGridView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.background);
    if (grid_.isEmpty()) {
        drawEmptyState(painter, QRectF(viewport()->rect()),
                       tr("Shows every head as a small map: layers down, heads across."), whyEmpty(), theme);
        return;
    }
    // Small maps are all there at once, so that nothing blinks.
    if (!rest_.isActive())
        makeThumbnails();
    painter.translate(0, -verticalScrollBar()->value());
    drawHeadings(painter, grid_, theme);
    drawWords(painter, grid_, viewport()->width(), theme, Canvas::Window);
    drawPictures(painter, grid_, theme,
                 [this](const auto& head) { return HeadMap{.picture = thumbnails_.picture(head)}; });
    drawFocus(painter, grid_, theme);
    const auto frame = [&](const trace::HeadAddress& head, const QColor& colour, int width) {
        drawTileFrame(painter, thumbnailRect(head).translated(0, verticalScrollBar()->value()), colour,
                      width);
    };
    frame(selection_->head(), theme.accent, hasFocus() ? 4 : 3);
    if (hovered_ && *hovered_ != selection_->head())
        frame(*hovered_, theme.focus, 2);
}

FigureText HeadGridView::figureText() const {
    if (!hasFigure())
        return {};
    const auto site = layerOnly_ ? trace::toString(shownSite_) : std::string(trace::name(kind()));
    return {.title = tr("All heads of %1").arg(QString::fromStdString(site)),
            .caption = caption(),
            .provenance = provenance(*run_),
            .head = QString::fromStdString(site),
            .quantity = isTinted() ? quantityName(Quantity::Weights) + QStringLiteral(", ") + tint().name()
                                   : quantityName(Quantity::Weights)};
}

QSize HeadGridView::figureSize() const {
    QSize most = FigureSource::figureSize();
    if (!hasFigure())
        return most;
    if (!figureParts().caption) { // pictures are as large as above one
        const int drawn = wordsHeight(most.width(), Canvas::Page);
        const FigureWithParts all(*this, {});
        most.rheight() -= wordsHeight(most.width(), Canvas::Page) - drawn;
    }
    const int whole = layOut(most, false, Canvas::Page).whole.height() + 1;
    // Of many layers, pictures in which something is seen need more height.
    const int readable = layOut(most, true, Canvas::Page).whole.height() + 1;
    return {most.width(), whole <= most.height() ? whole : std::max(most.height(), readable)};
}

/// Pictures as large as the width makes them, up to some lines of words; in a list each has room for its
/// name.
QSize HeadGridView::narrowFigure(int width) const {
    constexpr int gap = HeadGridLayout::gap, smallest = 16, lines = 5;
    const QSize usual = figureSize();
    if (!hasFigure() || width >= usual.width())
        return usual;
    const QFontMetrics metrics(font());
    const QSize headings = headingsSize();
    const int count = static_cast<int>(headsInOrder().size());
    const int besides = 2 * HeadGridLayout::margin + headings.width() - gap;
    int columns = headsShown();
    if (isListed()) {
        const int name = metrics.horizontalAdvance(shortAddress(headsInOrder().back())) + gap;
        const int most =
            std::clamp((width - besides) / (std::max(name, lines * metrics.height()) + gap), 1, count);
        columns = (count + (count + most - 1) / most - 1) / ((count + most - 1) / most);
    }
    const int wide = std::min(usual.width(), std::max(width, besides + columns * (smallest + gap)));
    const int side = std::min((wide - besides) / columns - gap, lines * metrics.height());
    const int rows = (count + columns - 1) / columns;
    return {wide, 2 * HeadGridLayout::margin + headings.height() + rows * (side + footHeight() + gap) +
                      wordsHeight(wide, Canvas::Page)};
}

bool HeadGridView::hasFigure() const {
    return !grid_.isEmpty();
}

trace::FigureData HeadGridView::figureData() const {
    trace::FigureData data;
    if (!hasFigure())
        return data;
    for (int layer = 0; layer < run_->model->layers(kind()); ++layer)
        if (const auto* record = run_->record({kind(), layer});
            record && !record->isRecomputed() && isShown(layer))
            data.arrays.push_back(headsOfSite(*run_, *record));
    if (isTinted())
        data.tables.push_back(tintTable(tint(), grid_.heads));
    return data;
}

QString HeadGridView::whyNoData() const {
    return hasFigure() ? whyLeftOut(*run_, {kind(), 0}) : QString();
}

namespace {

/// Of one event: a tenth of what a person notices.
constexpr std::chrono::milliseconds headGridViewSlice(10);

} // namespace

ThumbnailLook HeadGridView::look() const {
    return {.side = grid_.side, .pixelRatio = devicePixelRatioF(), .theme = &themeOf(palette())};
}

std::vector<trace::HeadAddress> HeadGridView::inOrderOfSight() const {
    auto heads = grid_.heads;
    std::ranges::stable_partition(
        heads, [&](const auto& head) { return thumbnailRect(head).intersects(viewport()->rect()); });
    return heads;
}

bool HeadGridView::isComplete() const {
    return thumbnails_.hasAll(inOrderOfSight(), look());
}

void HeadGridView::makeThumbnails() {
    const auto heads = inOrderOfSight();
    const auto made = thumbnails_.makeSome(*run_, heads, look(), headGridViewSlice);
    for (const auto& head : made)
        viewport()->update(thumbnailRect(head));
    if (!thumbnails_.withoutTile(*run_, heads).empty())
        Q_EMIT tilesWanted();
    if (made.empty() || thumbnails_.hasAll(heads, look()))
        rest_.stop();
    else if (!rest_.isActive())
        rest_.start(0, this);
}

std::vector<trace::HeadAddress> HeadGridView::missingTiles() const {
    return run_ && isVisible() ? thumbnails_.withoutTile(*run_, inOrderOfSight())
                               : std::vector<trace::HeadAddress>();
}

void HeadGridView::setTile(const trace::HeadAddress& head, MapTile tile) {
    thumbnails_.setTile(head, std::move(tile));
    viewport()->update(thumbnailRect(head));
}

void HeadGridView::timerEvent(QTimerEvent* event) {
    if (event->timerId() == rest_.timerId())
        makeThumbnails();
    else
        QAbstractScrollArea::timerEvent(event);
}

std::optional<trace::HeadAddress> HeadGridView::headOf(MapCell cell) const {
    const int place = cell.row * grid_.columns + cell.column;
    return place < grid_.count() ? std::optional(grid_.heads[static_cast<std::size_t>(place)]) : std::nullopt;
}

QString HeadGridView::rowName(int row) const {
    return isListed() ? QString::number(row + 1) : tr("layer %1").arg(row);
}

QString HeadGridView::columnName(int column) const {
    return isListed() ? QString::number(column + 1) : tr("head %1").arg(column);
}

QString HeadGridView::cellInWords(MapCell cell) const {
    const auto head = headOf(cell);
    return head ? headDescription(*head) : QString();
}

QRect HeadGridView::cellArea(MapCell cell) const {
    const auto head = headOf(cell);
    return head ? thumbnailRect(*head) : QRect();
}

std::optional<MapCell> HeadGridView::cursorCell() const {
    const auto place = grid_.placeOf(selection_->head());
    return place ? std::optional(MapCell{.row = *place / grid_.columns, .column = *place % grid_.columns})
                 : std::nullopt;
}

void HeadGridView::resizeEvent(QResizeEvent*) {
    layOutAgain();
}

void HeadGridView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        forgetPictures();
}

bool HeadGridView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto head = headAt(help->pos()))
            QToolTip::showText(help->globalPos(), plainToolTip(headDescription(*head)), viewport(),
                               thumbnailRect(*head));
        else if (!grid_.isEmpty() &&
                 help->y() + verticalScrollBar()->value() >
                     grid_.whole.height() - wordsHeight(viewport()->width(), Canvas::Window))
            QToolTip::showText(help->globalPos(), plainToolTip(caption()), viewport());
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::Leave) {
        hovered_.reset();
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void HeadGridView::mouseMoveEvent(QMouseEvent* event) {
    const auto head = headAt(event->position().toPoint());
    if (head == hovered_)
        return;
    hovered_ = head;
    viewport()->update();
}

void HeadGridView::mousePressEvent(QMouseEvent* event) {
    const auto head = headAt(event->position().toPoint());
    if (head && event->button() == Qt::LeftButton)
        selection_->setHead(*head);
    else
        event->ignore();
}

void HeadGridView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto head = headAt(event->position().toPoint()); head && event->button() == Qt::LeftButton)
        Q_EMIT headOpened(*head);
}

void HeadGridView::keyPressEvent(QKeyEvent* event) {
    const auto current = grid_.placeOf(selection_->head());
    const int column = current ? *current % grid_.columns : 0;
    int place = current.value_or(-1);
    switch (event->key()) {
    case Qt::Key_Left:
        place -= column > 0 ? 1 : 0;
        break;
    case Qt::Key_Right:
        place += column + 1 < grid_.columns ? 1 : 0;
        break;
    case Qt::Key_Up:
        place -= grid_.columns;
        break;
    case Qt::Key_Down:
        place += grid_.columns;
        break;
    case Qt::Key_Home:
        place -= column;
        break;
    case Qt::Key_End:
        place = std::min(place - column + grid_.columns, grid_.count()) - 1;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (current)
            Q_EMIT headOpened(selection_->head());
        return;
    default:
        event->ignore();
        return;
    }
    if (current && place >= 0 && place < grid_.count())
        selection_->setHead(grid_.heads[static_cast<std::size_t>(place)]);
}

} // namespace headscope::widgets
