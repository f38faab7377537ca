#include "widgets/head_grid_view.h"

#include "widgets/captions.h"
#include "widgets/change_marks.h"
#include "widgets/empty_state.h"
#include "widgets/map_picture.h"
#include "widgets/plain_text.h"

#include <QFontMetrics>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace headscope::widgets {

namespace {

constexpr int margin = 12;
constexpr int gap = 4;
constexpr int smallestSide = 56; ///< below it the grid scrolls, if it is the height that is short
constexpr int largestSide = 240;

} // namespace

HeadGridView::HeadGridView(Selection* selection, QWidget* parent)
    : QAbstractScrollArea(parent), selection_(selection), shownKind_(selection->head().site.kind) {
    setAccessibleName(tr("Attention maps of all heads"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    connect(selection_, &Selection::headChanged, this, &HeadGridView::headMoved);
    connect(selection_, &Selection::focusChanged, this, [this] { viewport()->update(); });
}

void HeadGridView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
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
        heads = std::max(heads, run_->record({kind(), layer})->weights.heads());
    return static_cast<int>(heads);
}

QRect HeadGridView::Grid::cell(int layer, int head) const {
    return {origin + QPoint(head * (side.width() + gap), layer * (side.height() + gap)), side};
}

QString HeadGridView::caption() const {
    return tr("%1, every head. Rows: %2. Columns: %3. Weights from 0 to 1 in each picture.")
        .arg(kindTitle(kind()), queryAxisTitle(*run_, kind()), keyAxisTitle(*run_, kind()));
}

/// With the distance to the pictures.
int HeadGridView::captionHeight(int width) const {
    const QRect room(0, 0, std::max(80, width - 2 * margin), 1000);
    return QFontMetrics(font()).boundingRect(room, Qt::TextWordWrap, caption()).height() + 8;
}

HeadGridView::Grid HeadGridView::grid(QSize available, bool mayScroll) const {
    Grid grid{.layers = layersShown(), .heads = headsShown()};
    if (grid.layers == 0 || grid.heads == 0)
        return {};
    const QFontMetrics metrics(font());
    grid.origin = QPoint(margin + metrics.horizontalAdvance(tr("layer %1").arg(grid.layers)) + 8,
                         margin + metrics.height() + gap);
    const int wide = (available.width() - grid.origin.x() - margin + gap) / grid.heads - gap;
    const int words = captionHeight(available.width());
    const int high = (available.height() - words - grid.origin.y() - margin + gap) / grid.layers - gap;
    const int width =
        std::clamp(mayScroll ? std::max(high, smallestSide) : high, 8, std::max(8, largestSide));
    grid.side = QSize(std::max(8, std::min(wide, width)), 0);
    // Few layers leave height over: maps may be taller than wide, as long as a diagonal still looks like one.
    grid.side.setHeight(
        std::clamp(high, std::min(grid.side.width(), std::max(8, high)), grid.side.width() * 3 / 2));
    if (mayScroll)
        grid.side.setHeight(std::max(grid.side.height(), std::min(wide, smallestSide)));
    const QRect last = grid.cell(grid.layers - 1, grid.heads - 1);
    grid.whole = QSize(last.right() + margin, last.bottom() + margin + words);
    return grid;
}

void HeadGridView::layOutAgain() {
    grid_ = grid(viewport()->size(), true);
    verticalScrollBar()->setRange(0, std::max(0, grid_.whole.height() - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(grid_.side.height() + gap);
    viewport()->update();
}

void HeadGridView::forgetPictures() {
    thumbnails_.clear();
    rest_.stop();
    layOutAgain();
}

void HeadGridView::headMoved() {
    if (kind() != shownKind_) {
        shownKind_ = kind();
        forgetPictures();
    }
    const QRect shown = thumbnailRect(selection_->head());
    QScrollBar* bar = verticalScrollBar();
    if (shown.isValid() && shown.top() < 0)
        bar->setValue(bar->value() + shown.top() - gap);
    else if (shown.isValid() && shown.bottom() > viewport()->height())
        bar->setValue(bar->value() + shown.bottom() - viewport()->height() + gap);
    describeHead();
    viewport()->update();
}

void HeadGridView::describeHead() {
    describeForReaders(this, thumbnailRect(selection_->head()).isValid() ? headDescription(selection_->head())
                                                                         : whyEmpty());
}

QString HeadGridView::whyEmpty() const {
    if (!run_)
        return tr("Type a sentence and press Enter to decode it.");
    return tr(
        "This model has no such attention, or nothing of it has been computed yet. Choose another kind, or "
        "decode.");
}

QString HeadGridView::headDescription(const trace::HeadAddress& head) const {
    return tr("%1 (counted from 0)\n%2")
        .arg(QString::fromStdString(trace::toString(head)),
             headCaption(*run_, head, Quantity::Weights) +
                 markInWords(headMark(run_->request.interventions, head)));
}

QRect HeadGridView::thumbnailRect(const trace::HeadAddress& head) const {
    if (head.site.kind != kind() || head.site.layer < 0 || head.site.layer >= grid_.layers || head.head < 0 ||
        head.head >= grid_.heads)
        return {};
    return grid_.cell(head.site.layer, head.head).translated(0, -verticalScrollBar()->value());
}

std::optional<trace::HeadAddress> HeadGridView::headAt(QPoint position) const {
    for (int layer = 0; layer < grid_.layers; ++layer)
        for (int head = 0; head < grid_.heads; ++head)
            if (const trace::HeadAddress address{{kind(), layer}, head};
                thumbnailRect(address).contains(position))
                return address;
    return std::nullopt;
}

void HeadGridView::drawWords(QPainter& painter, const Grid& grid, int width, const Theme& theme) const {
    painter.setFont(font());
    painter.setPen(theme.faintText);
    const int line = QFontMetrics(font()).height();
    const bool roomForWords =
        QFontMetrics(font()).horizontalAdvance(tr("head %1").arg(grid.heads)) <= grid.side.width();
    for (int head = 0; head < grid.heads; ++head) {
        const QRect top(grid.cell(0, head).left(), grid.origin.y() - gap - line, grid.side.width(), line);
        painter.drawText(top, Qt::AlignCenter | Qt::TextDontClip,
                         roomForWords ? tr("head %1").arg(head + 1) : QString::number(head + 1));
    }
    for (int layer = 0; layer < grid.layers; ++layer) {
        const QRect first = grid.cell(layer, 0);
        painter.drawText(QRect(margin, first.top(), first.left() - margin - 8, first.height()),
                         Qt::AlignRight | Qt::AlignVCenter, tr("layer %1").arg(layer + 1));
    }
    const QRect words(margin, grid.whole.height() - captionHeight(width) + 4, width - 2 * margin,
                      captionHeight(width) - 4);
    painter.setPen(theme.text);
    painter.drawText(words, Qt::AlignLeft | Qt::TextWordWrap, caption());
}

void HeadGridView::drawPictures(QPainter& painter, const Grid& grid, const Theme& theme,
                                const PictureOf& picture) const {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(theme.line);
    for (int layer = 0; layer < grid.layers; ++layer)
        for (int head = 0; head < grid.heads; ++head) {
            const QRect cell = grid.cell(layer, head);
            if (const QPixmap shown = picture({{kind(), layer}, head}); !shown.isNull())
                painter.drawPixmap(cell, shown);
            else
                painter.fillRect(cell, theme.panel);
            painter.drawRect(cell.adjusted(0, 0, -1, -1));
            drawHeadMark(painter, QRectF(cell),
                         headMark(run_->request.interventions, {{kind(), layer}, head}), theme);
        }
}

/// The focused row and column, lightly, in every picture.
void HeadGridView::drawFocus(QPainter& painter, const Grid& grid, const Theme& theme) const {
    const trace::AttentionRecord* record = run_->record({kind(), 0});
    const auto row = selection_->focus().query(kind());
    const auto column = selection_->focus().key(kind());
    const auto band = [&](int index, std::size_t count, int length) {
        const double size = static_cast<double>(length) / static_cast<double>(count);
        return std::pair(index * size, std::max(1.0, size));
    };
    QColor light = theme.focus;
    light.setAlpha(90);
    for (int layer = 0; layer < grid.layers; ++layer)
        for (int head = 0; head < grid.heads; ++head) {
            const QRectF cell(grid.cell(layer, head));
            if (row && *row >= 0 && static_cast<std::size_t>(*row) < record->mask.rows()) {
                const auto [from, size] = band(*row, record->mask.rows(), grid.side.height());
                painter.fillRect(QRectF(cell.left(), cell.top() + from, cell.width(), size), light);
            }
            if (column && *column >= 0 && static_cast<std::size_t>(*column) < record->mask.columns()) {
                const auto [from, size] = band(*column, record->mask.columns(), grid.side.width());
                painter.fillRect(QRectF(cell.left() + from, cell.top(), size, cell.height()), light);
            }
        }
}

void HeadGridView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.background);
    if (grid_.heads == 0) {
        drawEmptyState(painter, QRectF(viewport()->rect()),
                       tr("Here every attention head is drawn as a small map: layers down, heads across."),
                       whyEmpty(), theme);
        return;
    }
    // Small maps are all there at once, so that nothing blinks.
    if (!rest_.isActive())
        makeThumbnails();
    painter.translate(0, -verticalScrollBar()->value());
    drawWords(painter, grid_, viewport()->width(), theme);
    drawPictures(painter, grid_, theme, [this](const auto& head) { return thumbnails_.picture(head); });
    drawFocus(painter, grid_, theme);
    const auto frame = [&](const trace::HeadAddress& head, const QColor& colour, int width) {
        const QRect cell = thumbnailRect(head).translated(0, verticalScrollBar()->value());
        if (!cell.isValid())
            return;
        painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(cell).adjusted(-1, -1, 0, 0));
    };
    frame(selection_->head(), theme.accent, hasFocus() ? 4 : 3);
    if (hovered_ && *hovered_ != selection_->head())
        frame(*hovered_, theme.focus, 2);
}

void HeadGridView::drawFigure(QPainter& painter, QSize size) const {
    const Theme& theme = lightTheme();
    painter.fillRect(QRect(QPoint(), size), theme.background);
    const Grid whole = grid(size, false);
    if (whole.heads == 0)
        return;
    drawWords(painter, whole, size.width(), theme);
    const ThumbnailLook look{.side = whole.side, .pixelRatio = 2, .theme = &theme};
    drawPictures(painter, whole, theme, [&](const auto& head) { return headThumbnail(*run_, head, look); });
}

FigureText HeadGridView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = tr("All heads of %1").arg(QString::fromStdString(std::string(trace::name(kind())))),
            .caption = caption(),
            .provenance = provenance(*run_)};
}

QSize HeadGridView::figureSize() const {
    const QSize most = FigureSource::figureSize();
    return hasFigure() ? QSize(most.width(), std::min(most.height(), grid(most, false).whole.height() + 1))
                       : most;
}

bool HeadGridView::hasFigure() const {
    return grid_.heads > 0;
}

} // namespace headscope::widgets
