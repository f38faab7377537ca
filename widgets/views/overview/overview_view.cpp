#include "widgets/views/overview/overview_view.h"

#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tiles/head_tile.h"
#include "widgets/words/captions.h"
#include "widgets/words/left_out_words.h"
#include "widgets/words/plain_text.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTimerEvent>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

namespace {

/// Time for one event: a tenth of what a user notices.
constexpr std::chrono::milliseconds overviewSlice(10);

std::vector<trace::HeadAddress> headsOf(const OverviewLayout& layout) {
    std::vector<trace::HeadAddress> heads;
    for (const auto& tile : layout.tiles)
        heads.push_back(tile.head);
    return heads;
}

/// Returns the index of the head's group within its kind and the mean divergence of the group.
std::optional<std::pair<std::size_t, double>> groupOf(const HeadGrouping* grouping,
                                                      const trace::HeadAddress& head) {
    const auto kind = grouping ? grouping->kinds.find(head.site.kind) : decltype(grouping->kinds.begin())();
    if (!grouping || kind == grouping->kinds.end())
        return std::nullopt;
    const auto& alike = kind->second.alike;
    for (std::size_t i = 0; i < alike.size(); ++i)
        if (std::ranges::find(alike[i].heads, head) != alike[i].heads.end())
            return std::pair(i, alike[i].divergence);
    return std::nullopt;
}

/// Table of the position of every head. With `rank`, adds the ranked value. With `grouping`, adds the index
/// of the group within its kind (NaN if in none) and the mean divergence of its members.
trace::DataTable orderTable(const std::vector<OverviewBlock>& blocks, const HeadTint* rank,
                            const HeadGrouping* grouping) {
    QStringList heads;
    std::vector<double> places, ranked, groups, divergences;
    for (const auto& block : blocks) {
        int place = 0;
        for (const auto& cluster : block.clusters)
            for (const auto& head : cluster.heads) {
                heads += QString::fromStdString(trace::toString(head));
                places.push_back(place++);
                const auto* number = rank ? rank->of(head) : nullptr;
                ranked.push_back(number ? number->number : noNumber);
                groups.push_back(noNumber);
                divergences.push_back(noNumber);
                if (const auto group = groupOf(grouping, head)) {
                    groups.back() = static_cast<double>(group->first);
                    divergences.back() = group->second;
                }
            }
    }
    trace::DataTable table{.name = "order",
                           .columns = {dataColumn("head", heads), dataColumn("place", places)}};
    if (rank)
        table.columns.push_back(dataColumn(rank->name().toStdString(), ranked));
    if (grouping) {
        table.columns.push_back(dataColumn("group", groups));
        table.columns.push_back(dataColumn("mean_divergence", divergences));
    }
    return table;
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
    finishFigure(); // the pending figure shows the previous run
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

/// Includes room for the names of the heads.
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
    // Maps that were neither stored nor delivered stay empty.
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

trace::FigureData OverviewView::figureData() const {
    trace::FigureData data;
    if (!hasFigure())
        return data;
    std::vector<trace::HeadAddress> heads;
    QStringList leftOut; // not stored because they are too long
    for (const auto& site : sites_) {
        const auto& record = *run_->record(site);
        if (!record.isRecomputed())
            data.arrays.push_back(headsOfSite(*run_, record));
        else
            leftOut += QString::fromStdString(trace::toString(site));
        for (std::size_t head = 0; head < record.heads(); ++head)
            heads.push_back({site, static_cast<int>(head)});
    }
    if (!data.arrays.empty() && !leftOut.isEmpty())
        data.tables.push_back({.name = "maps_left_out", .columns = {dataColumn("attention", leftOut)}});
    if (!tint_.isEmpty())
        data.tables.push_back(tintTable(tint_, heads));
    if (order_ == Order::Ranked || showsGroups())
        data.tables.push_back(orderTable(blocks_, order_ == Order::Ranked ? &rank_ : nullptr,
                                         showsGroups() ? &*grouping_ : nullptr));
    return data;
}

QString OverviewView::whyNoData() const {
    return hasFigure() && !sites_.empty() ? whyLeftOut(*run_, sites_.front()) : QString();
}

bool OverviewView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto* tile = layout_.tileAt(help->pos()))
        QToolTip::showText(help->globalPos(), plainToolTip(headDescription(tile->head)), this, tile->picture);
    else if (!layout_.isEmpty() && help->pos().y() > layout_.bottom)
        QToolTip::showText(help->globalPos(), plainToolTip(caption()), this);
    else
        QToolTip::hideText();
    return true;
}

void OverviewView::resizeEvent(QResizeEvent*) {
    layOutAgain();
}

void OverviewView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        layOutAgain();
}

void OverviewView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    describe();
}

void OverviewView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    describe();
}

/// A hidden view has no pointer over it.
void OverviewView::hideEvent(QHideEvent*) {
    hovered_.reset();
    describe();
}

void OverviewView::leaveEvent(QEvent*) {
    hover(std::nullopt);
}

void OverviewView::mouseMoveEvent(QMouseEvent* event) {
    hover(headAt(event->position().toPoint()));
}

void OverviewView::mousePressEvent(QMouseEvent* event) {
    const auto head = headAt(event->position().toPoint());
    if (head && event->button() == Qt::LeftButton)
        selection_->setHead(*head);
    else
        event->ignore();
}

void OverviewView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto head = headAt(event->position().toPoint()); head && event->button() == Qt::LeftButton)
        Q_EMIT headOpened(*head);
}

void OverviewView::keyPressEvent(QKeyEvent* event) {
    const auto head = selection_->head();
    const auto goTo = [this](std::optional<trace::HeadAddress> there) {
        if (there)
            selection_->setHead(*there);
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return goTo(neighbourOf(layout_, head, Direction::Left));
    case Qt::Key_Right:
        return goTo(neighbourOf(layout_, head, Direction::Right));
    case Qt::Key_Up:
        return goTo(neighbourOf(layout_, head, Direction::Up));
    case Qt::Key_Down:
        return goTo(neighbourOf(layout_, head, Direction::Down));
    case Qt::Key_Home:
        return goTo(endOfLine(layout_, head, false));
    case Qt::Key_End:
        return goTo(endOfLine(layout_, head, true));
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (layout_.tileOf(head))
            Q_EMIT headOpened(head);
        return;
    default:
        event->ignore();
    }
}

} // namespace headscope::widgets
