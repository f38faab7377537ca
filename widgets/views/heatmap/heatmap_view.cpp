#include "widgets/views/heatmap/heatmap_view.h"

#include "widgets/drawing/theme.h"
#include "widgets/words/plain_text.h"

#include <utility>

namespace headscope::widgets {

namespace {

constexpr int patience = 150; ///< ms that the picture before stays as it was

} // namespace

HeatmapView::HeatmapView(Selection* selection, QWidget* parent) : QWidget(parent), selection_(selection) {
    teachReadersAboutMaps();
    setAccessibleName(tr("Attention map of one head"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    late_.setSingleShot(true);
    late_.setInterval(patience);
    connect(&late_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
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

void HeatmapView::setMaps(std::shared_ptr<const trace::QuantityMaps> maps) {
    if (std::exchange(maps_, maps) != maps)
        dataChanged();
}

void HeatmapView::setLongMap(std::shared_ptr<const LongMap> map) {
    const bool isFirst = !std::exchange(longMapsCome_, true);
    if ((std::exchange(long_, map) != map || isFirst) && run_ && isLeftOut(*run_, head(), options_))
        dataChanged();
}

void HeatmapView::setEffect(std::shared_ptr<const trace::QuantityMaps> normWeighted) {
    effect_ = std::move(normWeighted);
    if (effect_ && !std::exchange(hasHintLine_, true))
        pictureChanged();
    update();
}

void HeatmapView::expectEffect() {
    hasHintLine_ = true;
    pictureChanged();
}

void HeatmapView::setCause(const ShownCause& cause) {
    ShownCause before = std::exchange(cause_, cause);
    if (before == cause)
        return;
    const bool tells = cause.everywhere || cause.isAwaited || !cause.whyNot.isEmpty();
    if (tells && !std::exchange(hasCauses_, true))
        pictureChanged();
    before.progress = cause.progress;
    if (before == cause)
        update(); // readers are not told of every part
    else
        focusMoved();
}

void HeatmapView::setWhyNoMaps(const QString& why) {
    if (std::exchange(whyNoMaps_, why) != why)
        dataChanged();
}

void HeatmapView::setFixedHead(std::optional<trace::HeadAddress> head) {
    const bool isAnother = std::exchange(fixedHead_, head) != head;
    dataChanged();
    if (brief_ && isAnother) // another's picture would stand under this head's name
        before_ = QPixmap();
}

void HeatmapView::setBrief(bool brief) {
    brief_ = brief;
    pictureChanged();
}

void HeatmapView::setColourBarShown(bool shown) {
    if (std::exchange(colourBar_, shown) != shown)
        pictureChanged();
}

std::optional<ColourScale> HeatmapView::colourScale(const Theme& theme) const {
    return drawn_->shown.empty() ? std::nullopt : std::optional(drawn_->tones.scale(theme.dark));
}

void HeatmapView::setOptions(const MapOptions& options) {
    if (std::exchange(options_, options) != options)
        dataChanged();
}

void HeatmapView::setQuantity(Quantity quantity) {
    MapOptions options = options_;
    options.quantity = quantity;
    setOptions(options);
}

void HeatmapView::setMapping(ColourMapping mapping) {
    MapOptions options = options_;
    options.mapping = mapping;
    setOptions(options);
}

void HeatmapView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    pictureChanged();
}

void HeatmapView::fit() {
    window_ = QRectF();
    windowChanged();
}

void HeatmapView::setZoom(const QRectF& window) {
    const bool fits = window.width() >= 1 && window.height() >= 1 &&
                      QRectF(0, 0, columnCount(), rowCount()).contains(window);
    window_ = fits ? window : QRectF();
    windowChanged();
}

bool HeatmapView::isAwaited() const {
    if (run_ && isLeftOut(*run_, head(), options_))
        return longMapsCome_ && !hasLongMap() && whyNoMaps_.isEmpty();
    return run_ && computedFor(options_.quantity) && whyNoMaps_.isEmpty() &&
           !(maps_ && holds(*maps_, head(), options_.quantity));
}

bool HeatmapView::hasLongMap() const {
    return long_ && long_->map && long_->isOf(run_, head(), options_);
}

bool HeatmapView::isPreview() const {
    return hasLongMap() && long_->map == drawn_ && long_->tokensACell > 1;
}

/// Only where it is about one head's rows as the model had them.
bool HeatmapView::isAboutEffect() const {
    return options_.quantity == Quantity::Weights || options_.quantity == Quantity::NormWeighted ||
           options_.quantity == Quantity::NormShares;
}

bool HeatmapView::comparesEffect() const {
    return isAboutEffect() && effect_ && run_ && holds(*effect_, head(), Quantity::NormWeighted);
}

bool HeatmapView::hasCauseLines() const {
    return hasCauses_ && isAboutEffect() && head().site.kind == trace::AttentionKind::Cross;
}

/// Not where nobody tells of losses, as in a comparison, nor of a trace, which holds none. Roll-outs, too,
/// have the source's tokens as keys.
bool HeatmapView::showsLosses() const {
    const bool canBeMeasured = run_ && run_->model && !run_->model->recorded;
    return options_.losses && hasCauses_ && canBeMeasured && !drawn_->shown.empty() &&
           drawn_->shown.kind == trace::AttentionKind::Cross;
}

void HeatmapView::dataChanged() {
    const bool awaited = isAwaited();
    if (awaited && !drawn_->shown.empty() && !still_.isNull()) {
        before_ = still_;
        late_.start();
    }
    if (!awaited)
        before_ = QPixmap();
    const std::size_t keysBefore = drawn_->shown.keys.spans.size();
    const bool turnedBefore = drawn_->shown.transposed;
    if (run_ && isLeftOut(*run_, head(), options_))
        drawn_ = hasLongMap() ? long_->map : std::make_shared<ReadyMap>();
    else
        drawn_ = std::make_shared<ReadyMap>(
            run_ ? widgets::shownMap(*run_, maps_.get(), head(), options_) : ShownMap(), options_);
    // A zoom stays while the keys are the same ones: the next head, one step more.
    const QRectF whole(0, 0, columnCount(), rowCount());
    if (drawn_->shown.keys.spans.size() != keysBefore || drawn_->shown.transposed != turnedBefore ||
        !whole.contains(window_))
        window_ = QRectF();
    pictureChanged();
    focusMoved();
    Q_EMIT dataShown();
}

void HeatmapView::pictureChanged() {
    still_ = QPixmap();
    const MapPicture shown = picture(themeOf(palette()));
    layout_ = MapLayout();
    labels_ = 0;
    if (!shown.values.empty()) {
        labels_ = turnedLabelsHeight(roomOf(shown, QRectF(rect()), Canvas::Window));
        layout_ = layOut(shown, QRectF(rect()), Canvas::Window);
    }
    updateGeometry();
    update();
}

/// Nothing is measured again: it comes with every step of the wheel.
void HeatmapView::windowChanged() {
    still_ = QPixmap();
    layout_.show(window_);
    update();
}

void HeatmapView::focusMoved() {
    describe(cursorCell());
    update();
}

std::optional<MapCell> HeatmapView::cursorCell() const {
    const MapMarks lit = marks(selection_->focus());
    if (lit.row && lit.column)
        return MapCell{*lit.row, *lit.column};
    return std::nullopt;
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

FigureText HeatmapView::figureText() const {
    const QString about = QString::fromStdString(isPerHead(options_.quantity) ? trace::toString(head())
                                                                              : trace::toString(head().site));
    return {.title = about,
            .caption = caption(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .head = about,
            .quantity = quantityName(options_.quantity)};
}

bool HeatmapView::hasFigure() const {
    return !drawn_->shown.empty();
}

} // namespace headscope::widgets
