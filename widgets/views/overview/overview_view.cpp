#include "widgets/views/overview/overview_view.h"

#include "widgets/drawing/theme.h"
#include "widgets/tiles/head_tile.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"

#include <QFontMetrics>
#include <QTimerEvent>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

namespace {

/// Of one event: a tenth of what a person notices.
constexpr std::chrono::milliseconds overviewSlice(10);

std::vector<trace::HeadAddress> headsOf(const OverviewLayout& layout) {
    std::vector<trace::HeadAddress> heads;
    for (const auto& tile : layout.tiles)
        heads.push_back(tile.head);
    return heads;
}

} // namespace

OverviewView::OverviewView(Selection* selection, QWidget* parent) : QWidget(parent), selection_(selection) {
    teachReadersAboutMaps();
    setAccessibleName(tr("Overview of all heads"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    connect(selection_, &Selection::headChanged, this, &OverviewView::headMoved);
    connect(selection_, &Selection::focusChanged, this, qOverload<>(&QWidget::update));
    connect(selection_, &Selection::pinnedHeadsChanged, this, qOverload<>(&QWidget::update));
}

void OverviewView::setRun(std::shared_ptr<const trace::Run> run) {
    finishFigure(); // it is to show the run before
    run_ = std::move(run);
    hovered_.reset();
    thumbnails_.clear();
    figureThumbnails_.clear();
    thumbnails_.forgetTiles();
    figureThumbnails_.forgetTiles();
    rest_.stop();
    sites_.clear();
    if (run_)
        for (const auto& block : blocksAsInTheModel(*run_))
            for (int layer = 0; run_->record({block.kind, layer}); ++layer)
                sites_.push_back({block.kind, layer});
    arrange();
    describe();
}

void OverviewView::setTint(HeadTint tint) {
    tint_ = std::move(tint);
    layOutAgain();
    describe();
}

void OverviewView::orderAsInTheModel() {
    order_ = Order::Model;
    arrange();
}

void OverviewView::orderBy(HeadTint tint) {
    order_ = Order::Ranked;
    rank_ = std::move(tint);
    arrange();
}

void OverviewView::orderByGroups(std::optional<HeadGrouping> grouping) {
    order_ = Order::Grouped;
    grouping_ = std::move(grouping);
    arrange();
}

void OverviewView::setComparing(std::optional<double> progress) {
    comparing_ = progress;
    if (order_ == Order::Grouped)
        layOutAgain();
}

void OverviewView::setMatching(std::optional<std::set<trace::HeadAddress>> heads) {
    matching_ = std::move(heads);
    update();
}

void OverviewView::setRoles(std::map<trace::HeadAddress, QString> roles) {
    roles_ = std::move(roles);
    describe();
}

void OverviewView::arrange() {
    blocks_.clear();
    if (run_)
        blocks_ = showsGroups()             ? blocksInGroups(*run_, *grouping_)
                  : order_ == Order::Ranked ? blocksInOrder(*run_, rank_)
                                            : blocksAsInTheModel(*run_);
    layOutAgain();
}

void OverviewView::layOutAgain() {
    layout_ = layOut(size(), Canvas::Window);
    update();
}

/// With room for names.
OverviewWish OverviewView::wish(QSize available, Canvas canvas) const {
    const QFontMetrics metrics(font());
    int most = 1;
    for (const auto& block : blocks_)
        most = std::max(most, order_ == Order::Ranked ? static_cast<int>(block.count()) : rowCount());
    return {.blocks = blocks_,
            .available = available,
            .line = metrics.height(),
            .digits = metrics.horizontalAdvance(QString::number(most)),
            .foot = (tint_.isEmpty() ? 0 : tintBarHeight) + metrics.height(),
            .words = wordsHeight(available, canvas)};
}

OverviewLayout OverviewView::layOut(QSize available, Canvas canvas) const {
    if (blocks_.empty())
        return {};
    OverviewWish wish = this->wish(available, canvas);
    if (order_ != Order::Model)
        if (OverviewLayout named = layOutOverview(wish); namesHeads(named))
            return named;
    wish.foot -= QFontMetrics(font()).height();
    return layOutOverview(wish);
}

bool OverviewView::namesHeads(const OverviewLayout& layout) const {
    const QFontMetrics metrics(font());
    const bool hasLine = !layout.isEmpty() && layout.tiles.front().foot.height() >=
                                                  metrics.height() + (tint_.isEmpty() ? 0 : tintBarHeight);
    return hasLine && std::ranges::all_of(layout.tiles, [&](const auto& tile) {
               return metrics.horizontalAdvance(shortAddress(tile.head)) <= layout.side.width() + layout.gap;
           });
}

ThumbnailLook OverviewView::look() const {
    return {.side = layout_.side, .pixelRatio = devicePixelRatioF(), .theme = &themeOf(palette())};
}

bool OverviewView::isComplete() const {
    return thumbnails_.hasAll(headsOf(layout_), look());
}

void OverviewView::makeThumbnails() {
    const auto wanted = headsOf(layout_);
    const auto fresh = thumbnails_.makeSome(*run_, wanted, look(), overviewSlice);
    for (const auto& head : fresh)
        if (const auto* tile = layout_.tileOf(head))
            update(tile->picture);
    if (!thumbnails_.withoutTile(*run_, wanted).empty())
        Q_EMIT tilesWanted();
    if (fresh.empty() || thumbnails_.hasAll(wanted, look()))
        rest_.stop();
    else if (!rest_.isActive())
        rest_.start(0, this);
}

std::vector<trace::HeadAddress> OverviewView::missingTiles() const {
    return run_ && isVisible() ? thumbnails_.withoutTile(*run_, headsOf(layout_))
                               : std::vector<trace::HeadAddress>();
}

void OverviewView::setTile(const trace::HeadAddress& head, MapTile tile) {
    figureThumbnails_.setTile(head, tile);
    thumbnails_.setTile(head, std::move(tile));
    if (const auto* there = layout_.tileOf(head))
        update(there->picture);
}

ThumbnailLook OverviewView::figureLook(const OverviewLayout& layout, const Theme& theme) {
    return {.side = layout.side, .pixelRatio = 2, .theme = &theme};
}

void OverviewView::prepareFigure(const Theme& theme, const std::function<void()>& ready) {
    figureReady_ = ready;
    figureTheme_ = &theme;
    makeFigureThumbnails();
}

void OverviewView::makeFigureThumbnails() {
    const OverviewLayout whole = layOut(figureSize(), Canvas::Page);
    const ThumbnailLook look = figureLook(whole, *figureTheme_);
    std::vector<trace::HeadAddress> missing;
    for (const auto& head : headsOf(whole))
        if (!headMapOfFigure(*run_, head, [] { return QPixmap(); }).mask &&
            thumbnails_.picture(head, look).isNull())
            missing.push_back(head);
    // What the run left out and nobody brought stays empty.
    const bool anyMade = run_ && !figureThumbnails_.makeSome(*run_, missing, look, overviewSlice).empty();
    if (!anyMade || figureThumbnails_.hasAll(missing, look))
        finishFigure();
    else if (!figureRest_.isActive())
        figureRest_.start(0, this);
}

void OverviewView::finishFigure() {
    figureRest_.stop();
    if (const auto ready = std::exchange(figureReady_, {}))
        ready();
}

void OverviewView::timerEvent(QTimerEvent* event) {
    if (event->timerId() == rest_.timerId())
        makeThumbnails();
    else if (event->timerId() == figureRest_.timerId())
        makeFigureThumbnails();
    else
        QWidget::timerEvent(event);
}

std::optional<trace::HeadAddress> OverviewView::headAt(QPoint position) const {
    const auto* tile = layout_.tileAt(position);
    return tile ? std::optional(tile->head) : std::nullopt;
}

void OverviewView::hover(std::optional<trace::HeadAddress> head) {
    if (head == hovered_)
        return;
    constexpr int frame = 4;
    for (const auto& changed : {std::exchange(hovered_, head), head})
        if (const auto* tile = changed ? layout_.tileOf(*changed) : nullptr)
            update(tile->picture.adjusted(-frame, -frame, frame, frame));
    describe();
}

void OverviewView::headMoved() {
    describe();
    announceCursor(this, *this);
    update();
}

void OverviewView::describe() {
    const auto head = hovered_.value_or(selection_->head());
    const bool isThere = layout_.tileOf(head) != nullptr;
    describeForReaders(this, isThere ? headDescription(head) : whyEmpty());
    const bool isLookedAt = isVisible() && (hovered_ || hasFocus());
    Q_EMIT headDescribed(isThere && isLookedAt ? headInALine(head) : QString());
}

int OverviewView::columnCount() const {
    std::size_t columns = 0;
    for (const auto& site : sites_)
        columns = std::max(columns, run_->record(site)->heads());
    return static_cast<int>(columns);
}

QString OverviewView::rowName(int row) const {
    const auto& site = sites_.at(static_cast<std::size_t>(row));
    return tr("%1, layer %2").arg(kindTitle(site.kind)).arg(site.layer);
}

QString OverviewView::columnName(int column) const {
    return tr("head %1").arg(column);
}

QString OverviewView::cellInWords(MapCell cell) const {
    const trace::HeadAddress head{sites_.at(static_cast<std::size_t>(cell.row)), cell.column};
    return layout_.tileOf(head) ? headDescription(head) : QString();
}

QRect OverviewView::cellArea(MapCell cell) const {
    const auto* tile = layout_.tileOf({sites_.at(static_cast<std::size_t>(cell.row)), cell.column});
    return tile ? tile->picture : QRect();
}

std::optional<MapCell> OverviewView::cursorCell() const {
    const auto found = std::ranges::find(sites_, selection_->head().site);
    if (found == sites_.end())
        return std::nullopt;
    return MapCell{static_cast<int>(found - sites_.begin()), selection_->head().head};
}

} // namespace headscope::widgets
