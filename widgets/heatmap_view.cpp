#include "widgets/heatmap_view.h"

#include "widgets/colour_bar.h"
#include "widgets/empty_state.h"
#include "widgets/map_marks.h"
#include "widgets/plain_text.h"
#include "widgets/theme.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double margin = 12;

std::vector<TokenLabel> labelsOf(const std::vector<trace::Token>& tokens, std::size_t count) {
    auto labels = tokenLabels(tokens);
    // While decoding runs, the token chosen last may still be missing.
    labels.resize(count);
    return labels;
}

double largestMagnitude(trace::MatrixView values) {
    double largest = 0;
    for (std::size_t r = 0; r < values.rows(); ++r)
        for (const float value : values.row(r))
            if (std::isfinite(value))
                largest = std::max(largest, std::abs(static_cast<double>(value)));
    return largest;
}

} // namespace

HeatmapView::HeatmapView(Selection* selection, QWidget* parent) : QWidget(parent), selection_(selection) {
    teachReadersAboutMaps();
    setAccessibleName(tr("Attention map of one head"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    connect(selection_, &Selection::headChanged, this, [this] {
        if (!fixedHead_)
            dataChanged();
    });
    connect(selection_, &Selection::stepChanged, this, qOverload<>(&QWidget::update));
    connect(selection_, &Selection::focusChanged, this, &HeatmapView::focusMoved);
}

void HeatmapView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    dataChanged();
}

void HeatmapView::setFixedHead(std::optional<trace::HeadAddress> head) {
    fixedHead_ = head;
    dataChanged();
}

void HeatmapView::setQuantity(Quantity quantity) {
    quantity_ = quantity;
    dataChanged();
}

void HeatmapView::setMapping(ColourMapping mapping) {
    mapping_ = mapping;
    pictureChanged();
}

void HeatmapView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    pictureChanged();
}

void HeatmapView::fit() {
    window_ = QRectF();
    pictureChanged();
}

const trace::AttentionRecord* HeatmapView::record() const {
    return run_ ? run_->record(head().site) : nullptr;
}

trace::MatrixView HeatmapView::values() const {
    const trace::AttentionRecord* site = record();
    if (!site)
        return {};
    const trace::HeadStack& stack = quantity_ == Quantity::Weights ? site->weights : site->scores;
    const int index = head().head;
    return index >= 0 && static_cast<std::size_t>(index) < stack.heads()
               ? stack.head(static_cast<std::size_t>(index))
               : trace::MatrixView();
}

TokenLabelStyle HeatmapView::labelStyle() const {
    return {.font = font(), .spaceMarks = spaceMarks_};
}

MapPicture HeatmapView::picture(const Theme& theme) const {
    MapPicture picture{.values = values()};
    if (picture.values.empty())
        return picture;
    picture.mask = &record()->mask;
    picture.pyramid = &pyramid_;
    picture.scale = quantity_ == Quantity::Weights ? ColourScale::sequential(0, 1, mapping_, theme.dark)
                                                   : ColourScale::diverging(largestScore_, theme.dark);
    picture.rowLabels = rowLabels_;
    picture.columnLabels = columnLabels_;
    return picture;
}

HeatmapView::Frame HeatmapView::frame(const QRectF& area) const {
    const QFontMetricsF metrics(font());
    const QRectF inside = area.adjusted(margin, margin, -margin, -margin);
    const double line = metrics.height();
    const double captionHeight =
        std::min(inside.height() / 3, metrics.boundingRect(inside, Qt::TextWordWrap, caption()).height());
    return {.axes = QRectF(inside.left(), inside.top(), inside.width(), line),
            .map = inside.adjusted(0, line + 8, 0, -captionHeight - 12),
            .caption = QRectF(inside.left(), inside.bottom() - captionHeight, inside.width(), captionHeight)};
}

MapLayout HeatmapView::layOut(const MapPicture& picture, const QRectF& area) const {
    MapLayoutInput input = layoutInput(picture, labelStyle(), frame(area).map);
    input.rightMargin = colourBarWidth(picture.scale, font());
    input.window = window_;
    return MapLayout(input);
}

MapMarks HeatmapView::marks() const {
    const auto kind = head().site.kind;
    const auto within = [](std::optional<int> index, std::size_t count) {
        return index && *index >= 0 && static_cast<std::size_t>(*index) < count ? index : std::nullopt;
    };
    const auto shown = values();
    MapMarks marks{.row = within(selection_->focus().query(kind), shown.rows()),
                   .column = within(selection_->focus().key(kind), shown.columns())};
    if (kind != trace::AttentionKind::EncoderSelf)
        marks.stepRow = within(selection_->step(), shown.rows());
    return marks;
}

QString HeatmapView::caption() const {
    if (values().empty())
        return {};
    QString words = headCaption(*run_, head(), quantity_);
    if (quantity_ == Quantity::Weights && mapping_ == ColourMapping::Logarithmic)
        words += QChar(' ') + tr("Logarithmic colours: %1 and less look like zero.")
                                  .arg(ColourScale::logarithmicFloor, 0, 'g', 2);
    return words;
}

QString HeatmapView::axesInWords() const {
    return tr("Rows: %1. Columns: %2.")
        .arg(queryAxisTitle(*run_, head().site.kind), keyAxisTitle(*run_, head().site.kind));
}

QString HeatmapView::whyEmpty() const {
    if (!run_)
        return tr("Type a sentence and press Enter to decode it.");
    if (!record() || head().head >= run_->model->heads(head().site.kind))
        return tr("This model has no head %1. Choose another one in the overview or with the arrow keys.")
            .arg(QString::fromStdString(trace::toString(head())));
    return tr("No row of this head has been computed yet: step forward, or decode to the end.");
}

void HeatmapView::drawStill(QPainter& painter, const QRectF& area, const Theme& theme) const {
    painter.fillRect(area, theme.background);
    painter.setFont(font());
    const MapPicture shown = picture(theme);
    if (shown.values.empty()) {
        drawEmptyState(painter, area,
                       tr("Here one attention head is drawn large: which token looked at which."), whyEmpty(),
                       theme);
        return;
    }
    const Frame parts = frame(area);
    const MapLayout layout = layOut(shown, area);
    drawMapCells(painter, shown, layout, theme);
    drawMapLabels(painter, shown, layout, labelStyle(), theme);
    drawColourBar(painter, layout.plot(), shown.scale, font(), theme);
    painter.setPen(theme.faintText);
    painter.drawText(parts.axes, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font()).elidedText(axesInWords(), Qt::ElideRight, parts.axes.width()));
    painter.setPen(theme.text);
    // Below a ribbon, not at the far end of the page.
    const double up = std::max(0.0, parts.caption.top() - layout.plot().bottom() - 12);
    painter.drawText(parts.caption.translated(0, -up), Qt::AlignLeft | Qt::TextWordWrap, caption());
}

void HeatmapView::drawMoving(QPainter& painter, const Theme& theme) const {
    const MapPicture shown = picture(theme);
    if (!shown.values.empty())
        drawMapMarks(painter, shown, layout_, marks(), labelStyle(), theme);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -1.5, -1.5));
    }
}

void HeatmapView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    if (still_.isNull() || still_.devicePixelRatio() != devicePixelRatioF()) {
        still_ = QPixmap(size() * devicePixelRatioF());
        still_.setDevicePixelRatio(devicePixelRatioF());
        QPainter painter(&still_);
        drawStill(painter, QRectF(rect()), theme);
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, still_);
    painter.setFont(font());
    drawMoving(painter, theme);
}

void HeatmapView::drawFigure(QPainter& painter, QSize size) const {
    drawStill(painter, QRectF(QPointF(), QSizeF(size)), lightTheme());
}

FigureText HeatmapView::figureText() const {
    return {.title = QString::fromStdString(trace::toString(head())),
            .caption = caption(),
            .provenance = run_ ? provenance(*run_) : QString()};
}

bool HeatmapView::hasFigure() const {
    return !values().empty();
}

void HeatmapView::dataChanged() {
    const auto shown = values();
    // A zoom stays while the keys are the same ones: the next head, one step more.
    const QRectF whole(0, 0, static_cast<double>(shown.columns()), static_cast<double>(shown.rows()));
    if (shown.columns() != columnLabels_.size() || !whole.contains(window_))
        window_ = QRectF();
    pyramid_ = shown.empty() ? MatrixPyramid() : MatrixPyramid(shown, &record()->mask);
    if (!shown.empty()) {
        rowLabels_ = labelsOf(run_->queryTokens(head().site.kind), shown.rows());
        columnLabels_ = labelsOf(run_->keyTokens(head().site.kind), shown.columns());
        largestScore_ = largestMagnitude(shown);
    }
    pictureChanged();
    focusMoved();
}

void HeatmapView::pictureChanged() {
    still_ = QPixmap();
    const MapPicture shown = picture(themeOf(palette()));
    layout_ = shown.values.empty() ? MapLayout() : layOut(shown, QRectF(rect()));
    update();
}

void HeatmapView::focusMoved() {
    describe(cursorCell());
    update();
}

std::optional<MapCell> HeatmapView::cursorCell() const {
    const MapMarks lit = marks();
    if (lit.row && lit.column)
        return MapCell{*lit.row, *lit.column};
    return std::nullopt;
}

QString HeatmapView::rowName(int row) const {
    return queryInWords(*run_, head().site.kind, row);
}

QString HeatmapView::columnName(int column) const {
    return keyInWords(*run_, head().site.kind, column);
}

QString HeatmapView::cellInWords(MapCell cell) const {
    return cellStatus(*run_, head(), cell.row, cell.column, quantity_);
}

QRect HeatmapView::cellArea(MapCell cell) const {
    return (layout_.cellRect(cell.row, cell.column) & layout_.plot()).toRect();
}

void HeatmapView::describe(std::optional<MapCell> cell) {
    const QString words = cell ? cellInWords(*cell) : QString();
    describeForReaders(this, words.isEmpty() ? caption() : words);
    announceCursor(this, *this);
    Q_EMIT cellDescribed(words);
}

} // namespace headscope::widgets
