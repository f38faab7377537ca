#include "widgets/views/heatmap/heatmap_page.h"

#include "model/analysis/heads/head_similarity.h"
#include "widgets/controls/tall_area.h"
#include "widgets/controls/view_choices.h"
#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/export/figure_heads.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/heatmap/head_panel.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QGridLayout>
#include <QPainter>
#include <QScrollBar>
#include <QStackedLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr std::size_t sides = 4; // of a zoom

constexpr double panelsWidth = 1096; ///< of a figure of several maps
constexpr double barCloser = 12;     ///< than to a map, where marks stand between
constexpr double comparedHeadsLongestBar = 320;

/// What the shared bar is beside: all but the room that it needs at the right.
QRectF sharedBarArea(const QRectF& all, const ColourScale& scale, const QFont& font) {
    const double line = QFontMetricsF(font).height();
    return {all.left(), all.top() + line, all.width() - colourBarWidth(scale, font),
            std::min(comparedHeadsLongestBar, all.height() - 2 * line)};
}

/// Parts of a figure that stand beside each other in rows.
struct PanelBlocks {
    FigureBlock heading, map, caption;
};

/// All panels are alike, so that the maps of a row begin and end at the same height.
struct PanelPlaces {
    double heading = 0, map = 0, caption = 0; ///< heights
    double width = 0;
};

} // namespace

std::vector<trace::HeadAddress> comparedHeads(const Selection& selection) {
    auto heads = selection.pinnedHeads();
    if (!heads.empty() && !selection.pinOf(selection.head()))
        heads.push_back(selection.head());
    return heads;
}

std::optional<trace::HeadAddress> referenceHead(const std::vector<trace::HeadAddress>& heads,
                                                const trace::HeadAddress& selected,
                                                trace::AttentionKind kind) {
    if (selected.site.kind == kind && std::ranges::find(heads, selected) != heads.end())
        return selected;
    const auto first = std::ranges::find(heads, kind, [](const auto& head) { return head.site.kind; });
    return first == heads.end() ? std::nullopt : std::optional(*first);
}

int panelColumns(int count, QSize available) {
    const auto smallest = [&](int columns) {
        const int rows = (count + columns - 1) / columns;
        return std::min(available.width() / columns, available.height() / rows);
    };
    int best = 1;
    for (int columns = 2; columns <= count; ++columns)
        if (smallest(columns) > smallest(best))
            best = columns;
    return best;
}

HeatmapPage::HeatmapPage(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), questions_(*this, *selection),
      single_(new HeatmapView(selection, this)), board_(new QWidget(this)), grid_(new QGridLayout(board_)),
      singleArea_(new TallArea(single_, this)), boardArea_(new TallArea(board_, this)),
      stack_(new QStackedLayout(this)) {
    setAccessibleName(tr("Heatmap"));
    grid_->setSpacing(panelGap);
    for (std::size_t i = 0; i < mostPanels; ++i) {
        panels_.push_back(new HeadPanel(selection, board_));
        panels_.back()->hide();
    }
    for (HeatmapView* map : allMaps()) {
        QSizePolicy scrolls = map->sizePolicy();
        scrolls.setHeightForWidth(true);
        map->setSizePolicy(scrolls);
        connect(map, &HeatmapView::cellDescribed, this, [this, map](const QString& words) {
            describe(map, words);
            keepInSight(map);
        });
        connect(map, &HeatmapView::dataShown, this, &HeatmapPage::shareScale);
        connect(map, &HeatmapView::zoomedByHand, this, [this, map] { shareZoom(map); });
    }
    for (QWidget* clear : std::initializer_list<QWidget*>{boardArea_->viewport(), board_})
        clear->setAutoFillBackground(false); // the shared colour bar stands behind
    board_->installEventFilter(this);
    connect(boardArea_->verticalScrollBar(), &QScrollBar::actionTriggered, this,
            [this] { scrollFrom_.reset(); });
    stack_->addWidget(singleArea_);
    stack_->addWidget(boardArea_);
    connect(selection_, &Selection::headChanged, this, &HeatmapPage::follow);
    connect(selection_, &Selection::pinnedHeadsChanged, this, &HeatmapPage::follow);
    connect(selection_, &Selection::stepChanged, this, &View::questionsChanged);
    follow();
}

std::vector<HeatmapView*> HeatmapPage::maps() const {
    std::vector<HeatmapView*> maps;
    for (std::size_t i = 0; i < heads_.size(); ++i)
        maps.push_back(panels_[i]->map());
    return maps;
}

std::vector<HeatmapView*> HeatmapPage::allMaps() const {
    std::vector<HeatmapView*> maps{single_};
    for (const HeadPanel* panel : panels_)
        maps.push_back(panel->map());
    return maps;
}

void HeatmapPage::setContext(const ViewContext& context) {
    View::setContext(context);
    for (HeatmapView* map : allMaps())
        map->expectEffect(); // the line has its room whether one comes or not
}

void HeatmapPage::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    questions_.setRun(run_);
    distances_.reset(); // they are of the one before
    single_->setRun(run_);
    follow();
    Q_EMIT questionsChanged();
}

HeadDistances::Value HeadDistances::count(const trace::Task& work) const {
    Value distances;
    for (const auto& head : heads)
        if (const auto reference = referenceHead(heads, selected, head.site.kind);
            reference && *reference != head) {
            trace::throwIfStopped(work.stop());
            distances[head] = analysis::divergenceOfHeads(*run, *reference, head);
        }
    return distances;
}

/// Not of a run that still grows: what is known of it is not true of the next one.
std::optional<HeadDistances> HeatmapPage::comparing() const {
    return run_ && run_->complete && heads_.size() >= 2
               ? std::optional(HeadDistances{.run = run_, .heads = heads_, .selected = selected_})
               : std::nullopt;
}

/// The selected one first.
std::vector<trace::HeadAddress> HeatmapPage::headsLookedAt() const {
    std::vector<trace::HeadAddress> heads{selected_};
    std::ranges::copy_if(heads_, std::back_inserter(heads), [this](const auto& h) { return h != selected_; });
    return heads;
}

std::vector<trace::Wanted> HeatmapPage::questions() const {
    auto questions = questions_.of(headsLookedAt());
    if (const auto question = comparing())
        questions.emplace_back(trace::Counted(*question));
    return questions;
}

void HeatmapPage::refresh() {
    if (const auto options = mapOptionsOf(*context().document); options != single_->options()) {
        for (HeatmapView* map : allMaps())
            map->setOptions(options);
        QMetaObject::invokeMethod(this, &HeatmapPage::showSelected, Qt::QueuedConnection);
    }
    questions_.answer(*single_);
    for (HeatmapView* map : maps())
        questions_.answer(*map);
    const auto question = comparing();
    auto distances = question ? context().known->of(*question) : nullptr;
    if (!distances || distances == distances_)
        return;
    distances_ = std::move(distances);
    showDistances();
}

std::optional<View::Lacking> HeatmapPage::lacks() const {
    const auto why = single_->options().losses ? questions_.whyNoLosses(single_->head()) : std::nullopt;
    return why ? std::optional(Lacking{.choice = "losses", .why = why}) : std::nullopt;
}

QString HeatmapPage::whyEmpty() const {
    return single_->whyEmpty();
}

const HeadDistances::Value& HeatmapPage::distances() const {
    static const HeadDistances::Value none;
    return distances_ ? *distances_ : none;
}

void HeatmapPage::showDistances() {
    for (std::size_t i = 0; i < heads_.size(); ++i)
        panels_[i]->setWords(briefWords(heads_[i]), words(i));
    shareHeights();
}

void HeatmapPage::setSpaceMarksShown(bool shown) {
    for (HeatmapView* map : allMaps())
        map->setSpaceMarksShown(shown);
}

void HeatmapPage::fit() {
    for (HeatmapView* map : allMaps())
        map->fit();
}

void HeatmapPage::follow() {
    const auto before = std::pair(heads_, selected_);
    heads_ = comparedHeads(*selection_);
    selected_ = selection_->head();
    if (std::pair(heads_, selected_) != before)
        distances_.reset();
    if (std::pair(heads_, selected_) != before) // of other panels it was scrolled elsewhere
        scrollFrom_ = heads_ != before.first ? 0 : boardArea_->verticalScrollBar()->value();
    for (std::size_t i = 0; i < panels_.size(); ++i) {
        const bool isShown = i < heads_.size();
        panels_[i]->setRun(isShown ? run_ : nullptr);
        if (isShown)
            panels_[i]->setHead(heads_[i], selection_->pinOf(heads_[i]));
        panels_[i]->setVisible(isShown);
    }
    showDistances();
    arrange();
    shareScale();
    stack_->setCurrentWidget(heads_.empty() ? singleArea_ : boardArea_);
    setFocusProxy(heads_.empty() ? single_ : panels_.front()->map());
    if (std::pair(heads_, selected_) == before)
        return;
    QMetaObject::invokeMethod(this, &HeatmapPage::showSelected, Qt::QueuedConnection);
    Q_EMIT questionsChanged();
}

void HeatmapPage::arrange() {
    const int count = static_cast<int>(heads_.size());
    columns_ = columnsIn(size());
    for (HeadPanel* panel : panels_)
        grid_->removeWidget(panel);
    for (int i = 0; i < count; ++i)
        grid_->addWidget(panels_[static_cast<std::size_t>(i)], i / columns_, i % columns_);
    const int rows = count == 0 ? 0 : (count + columns_ - 1) / columns_;
    for (int i = 0; i < static_cast<int>(mostPanels); ++i) {
        grid_->setColumnStretch(i, i < columns_ ? 1 : 0);
        grid_->setRowStretch(i, i < rows ? 1 : 0);
    }
}

void HeatmapPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        shareScale();
}

bool HeatmapPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == board_ && event->type() == QEvent::Resize && scrollFrom_)
        QMetaObject::invokeMethod(this, &HeatmapPage::showSelected, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

/// Another head may have been selected while another view was seen.
void HeatmapPage::showEvent(QShowEvent* event) {
    View::showEvent(event);
    QMetaObject::invokeMethod(this, &HeatmapPage::showSelected, Qt::QueuedConnection);
}

void HeatmapPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (columnsIn(size()) != columns_)
        arrange();
    QMetaObject::invokeMethod(this, &HeatmapPage::showSelected, Qt::QueuedConnection);
}

/// What all panels beside each other have. Beside a scroll bar, whether there is one or not: what stands on
/// the board must not depend on what stood there before, and a bar that comes with the words would make them
/// higher, and one that goes lower.
int HeatmapPage::boardWidth(QSize size) const {
    const QMargins around = grid_->contentsMargins();
    return size.width() - boardArea_->verticalScrollBar()->sizeHint().width() - around.left() -
           around.right();
}

/// Never more than there is room for: panels scroll, and must not push what stands beside them.
int HeatmapPage::columnsIn(QSize size) const {
    if (heads_.empty())
        return 0;
    int least = 1;
    for (std::size_t i = 0; i < heads_.size(); ++i)
        least = std::max(least, panels_[i]->minimumSizeHint().width());
    const int most = std::max(1, (boardWidth(size) + panelGap) / (least + panelGap));
    return std::min(panelColumns(static_cast<int>(heads_.size()), size), most);
}

/// So that rows of maps beside each other stand at the same height.
void HeatmapPage::shareHeights() {
    const int width = (boardWidth(size()) - panelGap * (columns_ - 1)) / std::max(1, columns_);
    int words = 0;
    for (std::size_t i = 0; i < heads_.size(); ++i)
        words = std::max(words, panels_[i]->wordsNeed(width));
    for (std::size_t i = 0; i < heads_.size(); ++i)
        panels_[i]->setWordsRoom(columns_ > 1 ? words : 0); // below each other none has to match
}

void HeatmapPage::shareZoom(const HeatmapView* from) {
    for (HeatmapView* map : maps())
        if (from != single_ && map != from && map->head().site.kind == from->head().site.kind &&
            map->rowCount() == from->rowCount() && map->columnCount() == from->columnCount())
            map->setZoom(from->zoom());
}

/// Once the panels have their places, and again as often as they get others, until somebody scrolls.
void HeatmapPage::showSelected() {
    shareHeights();
    auto* bar = boardArea_->verticalScrollBar();
    const auto selected = std::ranges::find(heads_, selected_);
    if (selected == heads_.end() || !scrollFrom_)
        return;
    HeadPanel* panel = panels_[static_cast<std::size_t>(selected - heads_.begin())];
    bar->setValue(*scrollFrom_);
    if (panel->height() > boardArea_->viewport()->height())
        bar->setValue(panel->y()); // from its name on
    else
        boardArea_->ensureWidgetVisible(panel, 0, 0);
}

/// Of several maps with the same lit cell, the one that has the pointer or the keyboard speaks, else the
/// first.
void HeatmapPage::describe(const HeatmapView* map, const QString& words) {
    if (heads_.empty()) {
        if (map == single_)
            Q_EMIT cellDescribed(words);
        return;
    }
    const auto shown = maps();
    auto speaker = std::ranges::find_if(shown, [](const auto* other) { return other->underMouse(); });
    if (speaker == shown.end())
        speaker = std::ranges::find_if(shown, [](const auto* other) { return other->hasFocus(); });
    if ((speaker == shown.end() ? shown.front() : *speaker) == map)
        Q_EMIT cellDescribed(words);
}

/// The cell that the keyboard goes to.
void HeatmapPage::keepInSight(const HeatmapView* map) {
    const auto cell = map->cursorCell();
    if (!cell || !map->hasFocus() || map->underMouse())
        return;
    scrollFrom_.reset();
    QScrollArea* area = map == single_ ? singleArea_ : boardArea_;
    const QRect there = map->cellArea(*cell);
    const QPoint middle = map->mapTo(area->widget(), there.center());
    area->ensureVisible(middle.x(), middle.y(), there.width(), there.height());
}

trace::FigureData HeatmapPage::figureData() const {
    if (heads_.empty())
        return single_->figureData();
    trace::FigureData all;
    for (const auto* map : maps())
        for (auto& array : map->figureData().arrays) {
            array.name = trace::toString(map->head()) + "." + array.name;
            all.arrays.push_back(std::move(array));
        }
    QStringList heads, references;
    std::vector<double> divergences;
    for (const auto& [head, divergence] : distances()) {
        const auto reference = referenceHead(heads_, selected_, head.site.kind);
        if (!reference || *reference == head)
            continue;
        heads += address(head);
        references += address(*reference);
        divergences.push_back(divergence.value_or(noNumber));
    }
    if (!heads.isEmpty())
        all.tables.push_back({.name = "divergence",
                              .columns = {dataColumn("head", heads), dataColumn("from", references),
                                          dataColumn("mean_divergence", divergences)}});
    return all;
}

std::vector<double> HeatmapPage::zoomsOfPanels() const {
    std::vector<double> all;
    bool any = false;
    for (const auto* map : maps()) {
        auto zoom = map->zoomSides();
        any = any || !zoom.empty();
        zoom.resize(sides);
        all.insert(all.end(), zoom.begin(), zoom.end());
    }
    return any ? all : std::vector<double>();
}

void HeatmapPage::setZoomsOfPanels(const std::vector<double>& zooms) {
    const auto panels = maps();
    for (std::size_t i = 0; i < panels.size(); ++i) {
        std::vector<double> zoom;
        if ((i + 1) * sides <= zooms.size() && zooms[i * sides + 2] > 0)
            zoom.assign(zooms.begin() + static_cast<std::ptrdiff_t>(i * sides),
                        zooms.begin() + static_cast<std::ptrdiff_t>((i + 1) * sides));
        panels[i]->setZoomSides(zoom);
    }
}

void HeatmapPage::addChoices(ViewChoices& choices) {
    choices.add(
        "heatmap", "zoom", [this] { return ChoiceValue(single_->zoomSides()); },
        [this](const ChoiceValue& value) { single_->setZoomSides(std::get<std::vector<double>>(value)); });
    choices.add(
        "heatmap", "pinned-zoom", [this] { return ChoiceValue(zoomsOfPanels()); },
        [this](const ChoiceValue& value) { setZoomsOfPanels(std::get<std::vector<double>>(value)); });
}

std::optional<ColourScale> HeatmapPage::sharedScale(const Theme& theme) const {
    std::optional<ColourScale> shared;
    for (const HeatmapView* map : maps()) {
        const auto scale = map->colourScale(theme);
        if (scale && shared && *scale != *shared)
            return std::nullopt;
        shared = shared ? shared : scale;
    }
    return heads_.size() > 1 ? shared : std::nullopt;
}

/// One bar stands for all where it says the same of all.
void HeatmapPage::shareScale() {
    const auto scale = sharedScale(themeOf(palette()));
    for (HeatmapView* map : maps())
        map->setColourBarShown(!scale);
    const double room = scale ? colourBarWidth(*scale, font()) - barCloser : 0;
    grid_->setContentsMargins(panelGap, panelGap, panelGap + static_cast<int>(std::ceil(room)), panelGap);
    shareHeights();
    update();
}

void HeatmapPage::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    const auto scale = sharedScale(theme);
    if (!scale)
        return;
    QPainter painter(this);
    const QRectF seen(0, 0, boardArea_->viewport()->width(), height()); // without its scroll bar
    drawColourBar(painter, sharedBarArea(seen, *scale, font()), *scale, font(), theme);
}

/// What is said of all maps is said once; what is of one alone stands under it.
HeatmapPage::PageWords HeatmapPage::pageWords() const {
    PageWords words;
    QStringList common = panels_.front()->map()->captionParts();
    for (const HeatmapView* map : maps())
        common.removeIf([parts = map->captionParts()](const QString& part) { return !parts.contains(part); });
    for (const HeatmapView* map : maps()) {
        QStringList own = map->captionParts();
        own.removeIf([&](const QString& part) { return common.contains(part); });
        words.ofEach += own.join(' ');
    }
    words.ofAll = common.join(' ');
    return words;
}

FigureBlock HeatmapPage::blockOf(const HeatmapView& map) const {
    const auto with = [this, &map](const auto& use) {
        const FigureWithParts parts(map, figureParts());
        return use(map.block());
    };
    return {
        .size = [=](double width) { return with([=](const auto& block) { return block.size(width); }); },
        .draw =
            [=](QPainter& painter, const QRectF& area, const Theme& theme) {
                with([&](const auto& block) { block.draw(painter, area, theme); });
            },
        .note =
            [=](const QRectF& area) { return with([=](const auto& block) { return block.note(area); }); }};
}

/// The maps in rows, each with its name above and what is said of it alone below; and the bar of all.
FigureBlock HeatmapPage::panelsBlock() const {
    constexpr double gap = 12, leastPanel = 220; // narrower pages have fewer columns
    const auto count = static_cast<int>(heads_.size());
    const int most = panelColumns(count, {static_cast<int>(panelsWidth), count > 2 ? 960 : 560});
    const auto columnsIn = [=](double width) {
        return std::clamp(static_cast<int>(width / leastPanel), 1, most);
    };
    const auto rowsIn = [=](double width) { return (count + columnsIn(width) - 1) / columnsIn(width); };
    const PageWords words = pageWords();
    std::vector<PanelBlocks> panels;
    for (std::size_t i = 0; i < heads_.size(); ++i)
        panels.push_back({.heading = wordsBlock(heading(i), font()),
                          .map = blockOf(*panels_[i]->map()),
                          .caption = wordsBlock(asCaption(words.ofEach[static_cast<int>(i)]), font())});
    const auto scale = sharedScale(lightTheme());
    const double bar = scale ? std::ceil(colourBarWidth(*scale, font()) - barCloser) : 0;
    const auto placesIn = [=](double width) {
        const int columns = columnsIn(width);
        PanelPlaces places{.width = (width - bar - gap * (columns - 1)) / columns};
        for (const auto& panel : panels) {
            places.heading = std::max(places.heading, panel.heading.size(places.width).height());
            places.caption = std::max(places.caption, panel.caption.size(places.width).height());
        }
        return places;
    };
    const auto size = [=](double width) {
        PanelPlaces places = placesIn(width);
        const int columns = columnsIn(width), rows = rowsIn(width);
        for (const auto& panel : panels) {
            const QSizeF map = panel.map.size(places.width);
            places.map = std::max(places.map, map.height());
            width = std::max(width, bar + gap * (columns - 1) + columns * map.width());
        }
        const double height = places.heading + places.map + places.caption;
        return QSizeF(width, rows * (height + 2 * gap) + gap * (rows - 1));
    };
    /// Where the parts of a panel stand: the heading, the map and the caption.
    const auto areas = [=](const QRectF& area, int panel) {
        const PanelPlaces places = placesIn(area.width());
        const int columns = columnsIn(area.width()), rows = rowsIn(area.width());
        const double height = (area.height() - gap * (rows - 1)) / rows;
        const QRectF cell(area.left() + panel % columns * (places.width + gap),
                          area.top() + panel / columns * (height + gap), places.width, height);
        return std::array{QRectF(cell.topLeft(), QSizeF(cell.width(), places.heading)),
                          cell.adjusted(0, places.heading + gap, 0, -places.caption - gap),
                          cell.adjusted(0, height - places.caption, 0, 0)};
    };
    return {.size = size,
            .draw =
                [=, this](QPainter& painter, const QRectF& area, const Theme& theme) {
                    if (const auto shared = sharedScale(theme))
                        drawColourBar(painter, sharedBarArea(area, *shared, font()), *shared, font(), theme);
                    for (int i = 0; const auto& panel : panels) {
                        const auto [heading, map, caption] = areas(area, i++);
                        panel.heading.draw(painter, heading, theme);
                        panel.map.draw(painter, map, theme);
                        panel.caption.draw(painter, caption, theme);
                    }
                },
            .note =
                [=](const QRectF& area) {
                    QString longest; // most maps have the same axes
                    for (int i = 0; const auto& panel : panels) {
                        const QString note = panel.map.note(areas(area, i++)[1]);
                        longest = note.size() > longest.size() ? note : longest;
                    }
                    return longest;
                }};
}

std::optional<FigureBlocks> HeatmapPage::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    if (heads_.empty())
        return FigureBlocks{
            .picture = blockOf(*single_), .caption = single_->figureText().caption, .font = single_->font()};
    return FigureBlocks{
        .picture = panelsBlock(), .caption = pageWords().ofAll, .font = font(), .width = panelsWidth};
}

QString HeatmapPage::heading(std::size_t panel) const {
    return panels_[panel]->title() + (figureParts().caption ? '\n' + words(panel) : QString());
}

QString HeatmapPage::caption() const {
    QStringList parts;
    for (std::size_t i = 0; i < heads_.size(); ++i)
        parts += tr("%1: %2").arg(address(heads_[i]), words(i));
    return parts.join(' ') + ' ' + panels_.front()->map()->figureText().caption;
}

FigureText HeatmapPage::figureText() const {
    if (heads_.empty())
        return single_->figureText();
    QStringList names;
    for (const auto& head : heads_)
        names += address(head);
    return {.title = names.join(tr(", ")),
            .caption = caption(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .head = listedHeads(heads_),
            .quantity = quantityName(single_->options().quantity)};
}

void HeatmapPage::setRowsDecoded(std::optional<std::size_t> rows) {
    for (HeatmapView* map : allMaps())
        map->setRowsDecoded(rows);
}

bool HeatmapPage::hasFigure() const {
    const auto shown = maps();
    return heads_.empty() ? single_->hasFigure()
                          : std::ranges::any_of(shown, [](const auto* map) { return map->hasFigure(); });
}

QString HeatmapPage::comparisonInWords(const trace::HeadAddress& head) const {
    const auto reference = referenceHead(heads_, selected_, head.site.kind);
    const auto others =
        std::ranges::count(heads_, head.site.kind, [](const auto& other) { return other.site.kind; });
    if (!run_ || heads_.size() < 2)
        return {};
    if (others == 1)
        return tr("The only shown head of its kind: no other has the same axes.");
    if (reference == head)
        return tr("The other heads of this kind are compared with this head.");
    const QString name = address(*reference);
    const auto found = distances().find(head);
    if (found == distances().end())
        return run_->complete ? tr("Comparing with %1...").arg(name)
                              : tr("Compared with %1 when decoding is complete.").arg(name);
    return found->second ? tr("Mean divergence of weights from %1: %2 of 1 bit (Jensen-Shannon: 0 the same, "
                              "1 nothing in common).")
                               .arg(name, QString::number(*found->second, 'f', 3))
                         : tr("No row can be compared with %1.").arg(name);
}

QString HeatmapPage::briefWords(const trace::HeadAddress& head) const {
    QStringList lines;
    const auto reference = referenceHead(heads_, selected_, head.site.kind);
    const auto found = distances().find(head);
    const QString name = reference ? address(*reference) : QString();
    if (found != distances().end() && reference != head)
        lines +=
            found->second
                ? tr("Divergence from %1: %2 of 1 bit").arg(name, QString::number(*found->second, 'f', 3))
                : tr("Not comparable with %1").arg(name);
    else if (reference == head && std::ranges::count(heads_, head.site.kind,
                                                     [](const auto& other) { return other.site.kind; }) > 1)
        lines += tr("Reference head");
    else if (reference == head && heads_.size() > 1)
        lines += tr("Not compared: no other shown head has the same axes");
    return lines.join('\n');
}

QString HeatmapPage::words(std::size_t panel) const {
    const auto& head = heads_.at(panel);
    // What compares them first: where there is little room the rest is in the tooltip.
    QString words = comparisonInWords(head);
    if (run_ && run_->model)
        words += tr(" %1.").arg(headTitle(*run_->model, head));
    return words.trimmed();
}

std::optional<PictureOptions> HeatmapPage::picture(PictureOptions options) const {
    return heads_.empty() ? single_->picture(std::move(options)) : std::move(options);
}

bool HeatmapPage::isZoomed() const {
    return heads_.empty() ? single_->isZoomed() : !zoomsOfPanels().empty();
}

QStringList HeatmapPage::nameParts(const trace::HeadAddress& head, int step) const {
    if (heads_.empty())
        return single_->nameParts(head, step);
    QStringList parts;
    if (single_->options().quantity != Quantity::Weights)
        parts += quantityKey(single_->options().quantity);
    for (const auto& each : heads_)
        parts += address(each);
    return parts;
}

View* views::makers::heatmap(Selection* selection, QWidget* parent) {
    return new HeatmapPage(selection, parent);
}

} // namespace headscope::widgets
