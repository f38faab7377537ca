#include "widgets/tiles/tile_grid.h"

#include "model/trace/copied_matrix.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/recorded_drawing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/drawing/wrapped_words.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/change_marks.h"
#include "widgets/map/undecoded_cells.h"
#include "widgets/tiles/head_tile.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/not_stored_words.h"
#include "widgets/words/plain_text.h"

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

namespace {

using Style = TileArrangement::Style;

/// Time for creating pictures in one event: a tenth of a noticeable delay.
constexpr std::chrono::milliseconds tileSlice(10);
constexpr double fadedOpacity = 0.25;
constexpr int tintLegendGap = 4;
constexpr int wordsGap = 8;

/// Between the headings at the left and the pictures.
int headingsGap(Style style) {
    return style == Style::Layers ? 8 : 4;
}

/// Between the pictures and the words below.
int wordsTop(Style style) {
    return style == Style::Kinds ? wordsGap : wordsGap + 7;
}

/// Returns n if only every n-th of the numbers can be written without touching the next.
int stepOf(const std::vector<TileLayout::Number>& numbers, int needed, bool across) {
    if (numbers.size() < 2)
        return 1;
    const QPoint away = numbers[1].area.topLeft() - numbers[0].area.topLeft();
    const int pitch = std::max(1, across ? away.x() : away.y());
    return (needed + pitch - 1) / pitch;
}

} // namespace

TileGrid::TileGrid(Selection* selection, QWidget* parent)
    : QAbstractScrollArea(parent), selection_(selection) {
    installMapAccessibility(this);
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    connect(selection_, &Selection::headChanged, this, &TileGrid::followHead);
    connect(selection_, &Selection::focusChanged, viewport(), qOverload<>(&QWidget::update));
    connect(selection_, &Selection::pinnedHeadsChanged, viewport(), qOverload<>(&QWidget::update));
}

void TileGrid::setRun(std::shared_ptr<const trace::Run> run) {
    finishFigure(); // a figure in preparation shows the previous run
    run_ = std::move(run);
    hovered_.reset();
    for (auto* made : {&thumbnails_, &figureThumbnails_}) {
        made->clear();
        made->forgetTiles();
    }
    arrange();
    describe();
}

void TileGrid::setTint(HeadTint tint) {
    tint_ = std::move(tint);
    arrange();
    describe();
}

void TileGrid::setMatching(std::optional<std::set<trace::HeadAddress>> heads) {
    matching_ = std::move(heads);
    viewport()->update();
}

void TileGrid::arrange() {
    arrangement_ = run_ ? arranged() : TileArrangement();
    rest_.stop();
    layOutAgain();
    if (hovered_ && !layout_.tileOf(*hovered_))
        hovered_.reset();
}

/// Beside a scroll bar the pictures are smaller and may need none: what they need without one decides, or it
/// would come and go for ever.
void TileGrid::layOutAgain() {
    const QSize most = contentsRect().size();
    layout_ = layOut(most, Canvas::Window, true);
    const bool scrolls = hasFigure() && arrangement_.sides.readable > 0 &&
                         sizeOf(layout_, most.width(), Canvas::Window).height() > most.height();
    setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    if (scrolls)
        layout_ = layOut(viewport()->size(), Canvas::Window, true);
    tabulate();
    QScrollBar* bar = verticalScrollBar();
    const int height = sizeOf(layout_, viewport()->width(), Canvas::Window).height();
    bar->setRange(0, scrolls ? std::max(0, height - viewport()->height()) : 0);
    bar->setPageStep(viewport()->height());
    bar->setSingleStep(layout_.side.height() + footHeight() + layout_.gap);
    viewport()->update();
}

void TileGrid::tabulate() {
    const bool isList = arrangement_.style == Style::List;
    auto tiles = layout_.tiles;
    if (!isList)
        std::ranges::sort(tiles, {}, &TileLayout::Tile::head);
    table_.clear();
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        if (i == 0 ||
            (isList ? tiles[i].line != tiles[i - 1].line : tiles[i].head.site != tiles[i - 1].head.site))
            table_.emplace_back();
        table_.back().push_back(tiles[i].head);
    }
}

TileLayoutInput TileGrid::layoutInput(QSize available, Canvas canvas) const {
    const QFontMetrics metrics(font());
    const int line = metrics.height();
    const auto style = arrangement_.style;
    int last = 1; // of the numbers at the left
    for (const auto& block : arrangement_.blocks)
        last = std::max(last, block.columns > 0 ? block.count() / block.columns : block.count());
    const QString widest = style == Style::Layers ? tr("layer %1").arg(last) : QString::number(last);
    const QSize headings(metrics.horizontalAdvance(widest) + headingsGap(style),
                         style == Style::Layers ? line + 4 : line);
    return {.blocks = arrangement_.blocks,
            .available = available,
            .line = line,
            .titles = style == Style::Kinds,
            .headings = style == Style::List ? QSize(0, 0) : headings,
            .foot = tint_.isEmpty() ? 0 : tintBarHeight,
            .words = wordsHeight(available.width(), canvas),
            .sides = arrangement_.sides,
            .choosesColumns = style == Style::List};
}

TileLayout TileGrid::layOut(QSize available, Canvas canvas, bool mayScroll) const {
    if (arrangement_.blocks.empty())
        return {};
    TileLayoutInput input = layoutInput(available, canvas);
    if (!mayScroll)
        input.sides.readable = 0;
    if (arrangement_.named) {
        TileLayoutInput withNames = input;
        withNames.foot += input.line;
        if (TileLayout named = layOutTiles(withNames); namesHeads(named))
            return named;
    }
    return layOutTiles(input);
}

bool TileGrid::namesHeads(const TileLayout& layout) const {
    const QFontMetrics metrics(font());
    const bool hasLine = !layout.isEmpty() && layout.tiles.front().foot.height() >=
                                                  metrics.height() + (tint_.isEmpty() ? 0 : tintBarHeight);
    return hasLine && std::ranges::all_of(layout.tiles, [&](const auto& tile) {
               return metrics.horizontalAdvance(shortAddress(tile.head)) <= layout.side.width() + layout.gap;
           });
}

/// Returns the height of caption and legend, with the distance to the pictures.
int TileGrid::wordsHeight(int width, Canvas canvas) const {
    const QFontMetrics metrics(font());
    const QRect room(0, 0, std::max(80, width - 2 * tileMargin), 1000);
    const int said = !hasCaption(canvas) ? 0
                     : canvas == Canvas::Window
                         ? captionLines * metrics.height()
                         : metrics.boundingRect(room, Qt::TextWordWrap, caption()).height();
    const int legend = tint_.isEmpty() ? 0 : metrics.height() + tintLegendGap;
    return said + legend > 0 ? said + wordsGap + legend : 0;
}

bool TileGrid::hasCaption(Canvas canvas) const {
    return figureParts().caption && (canvas == Canvas::Page || arrangement_.captioned);
}

/// Pictures are as large without a caption as with one.
int TileGrid::heightSaved(int width) const {
    const int drawn = wordsHeight(width, Canvas::Page);
    const FigureWithParts all(*this, {});
    return wordsHeight(width, Canvas::Page) - drawn;
}

QSize TileGrid::lowestFigure(int width, int side) const {
    TileLayoutInput input = layoutInput({width, 0}, Canvas::Page);
    if (arrangement_.named)
        input.foot += input.line;
    return {width, lowestTiles(input, side)};
}

QSize TileGrid::sizeOf(const TileLayout& layout, int width, Canvas canvas) const {
    return {layout.right + tileMargin, layout.bottom + wordsHeight(width, canvas) + tileMargin};
}

int TileGrid::footHeight() const {
    return layout_.isEmpty() ? 0 : layout_.tiles.front().foot.height();
}

int TileGrid::scrolled() const {
    return verticalScrollBar()->value();
}

QRect TileGrid::thumbnailRect(const trace::HeadAddress& head) const {
    const auto* tile = layout_.tileOf(head);
    return tile ? tile->picture.translated(0, -scrolled()) : QRect();
}

std::optional<trace::HeadAddress> TileGrid::headAt(QPoint position) const {
    const auto* tile = layout_.tileAt(position + QPoint(0, scrolled()));
    return tile ? std::optional(tile->head) : std::nullopt;
}

void TileGrid::followHead() {
    if (run_)
        if (auto now = arranged(); now.style != arrangement_.style || now.blocks != arrangement_.blocks)
            arrange();
    const QRect shown = thumbnailRect(selection_->head());
    const int below = shown.bottom() + footHeight() - viewport()->height();
    if (shown.isValid() && shown.top() < 0)
        verticalScrollBar()->setValue(scrolled() + shown.top() - layout_.gap);
    else if (shown.isValid() && below > 0)
        verticalScrollBar()->setValue(scrolled() + below + layout_.gap);
    describe();
    announceCursor(this, *this);
    viewport()->update();
}

void TileGrid::hover(std::optional<trace::HeadAddress> head) {
    if (head == hovered_)
        return;
    constexpr int frame = 4;
    for (const auto& changed : {std::exchange(hovered_, head), head})
        if (changed)
            viewport()->update(thumbnailRect(*changed).adjusted(-frame, -frame, frame, frame));
    describe();
}

void TileGrid::describe() {
    const auto head = hovered_.value_or(selection_->head());
    describeForReaders(this, layout_.tileOf(head) ? headDescription(head) : whyNothing());
}

std::optional<trace::HeadAddress> TileGrid::headLookedAt() const {
    const auto head = hovered_.value_or(selection_->head());
    const bool isLookedAt = isVisible() && (hovered_ || hasFocus());
    return isLookedAt && layout_.tileOf(head) ? std::optional(head) : std::nullopt;
}

QString TileGrid::whyNothing() const {
    return run_ ? whyEmpty() : hintForNoRun(*this);
}

QStringList TileGrid::headInWords(const trace::HeadAddress& head) const {
    const int sharing = run_->model ? run_->model->headsPerKey(head.site.kind) : 1;
    const int first = head.head / sharing * sharing;
    QStringList lines{address(head),
                      headCaption(*run_, head, Quantity::Weights) +
                          markInWords(headMark(run_->request.interventions, head)),
                      sharing > 1
                          ? tr("Heads %1 to %2 share keys and values.").arg(first).arg(first + sharing - 1)
                          : QString(),
                      thumbnailLimitInWords(thumbnailLimit(*run_, head, thumbnails_.tile(head)))};
    lines.removeAll(QString());
    return lines;
}

QString TileGrid::sharingInWords() const {
    const bool areUnderlined = std::ranges::any_of(arrangement_.blocks, [](const TileBlock& block) {
        return block.columns > 0 && block.clusters.size() > 1;
    });
    return areUnderlined ? tr("Heads underlined together share keys and values.") : QString();
}

QString TileGrid::headDescription(const trace::HeadAddress& head) const {
    QStringList lines = headInWords(head);
    if (const auto pin = selection_->pinOf(head))
        lines += tr("Pinned as number %1.").arg(*pin);
    return lines.join('\n');
}

int TileGrid::columnCount() const {
    std::size_t columns = 0;
    for (const auto& row : table_)
        columns = std::max(columns, row.size());
    return columns;
}

QString TileGrid::rowName(int row) const {
    const auto& site = table_.at(row).front().site;
    return arrangement_.style == Style::List ? QString::number(row + 1)
           : arrangement_.style == Style::Layers
               ? tr("layer %1").arg(site.layer)
               : tr("%1, layer %2").arg(kindTitle(site.kind)).arg(site.layer);
}

QString TileGrid::columnName(int column) const {
    return arrangement_.style == Style::List ? QString::number(column + 1) : tr("head %1").arg(column);
}

std::optional<trace::HeadAddress> TileGrid::headOf(MapCell cell) const {
    const auto& row = table_.at(cell.row);
    const std::size_t column = cell.column;
    return column < row.size() ? std::optional(row[column]) : std::nullopt;
}

QString TileGrid::cellInWords(MapCell cell) const {
    const auto head = headOf(cell);
    return head ? headDescription(*head) : QString();
}

QRect TileGrid::cellArea(MapCell cell) const {
    const auto head = headOf(cell);
    return head ? thumbnailRect(*head) : QRect();
}

std::optional<MapCell> TileGrid::cellOf(const trace::HeadAddress& head) const {
    for (std::size_t row = 0; row < table_.size(); ++row)
        if (const auto found = std::ranges::find(table_[row], head); found != table_[row].end())
            return MapCell{static_cast<int>(row), static_cast<int>(found - table_[row].begin())};
    return std::nullopt;
}

std::optional<MapCell> TileGrid::cellUnder(QPoint point) const {
    const auto head = headAt(point);
    return head ? cellOf(*head) : std::nullopt;
}

ThumbnailLook TileGrid::look() const {
    return {.side = layout_.side, .pixelRatio = devicePixelRatioF(), .theme = &themeOf(palette())};
}

std::vector<trace::HeadAddress> TileGrid::inOrderOfSight() const {
    auto heads = layout_.heads();
    std::ranges::stable_partition(
        heads, [&](const auto& head) { return thumbnailRect(head).intersects(viewport()->rect()); });
    return heads;
}

bool TileGrid::isComplete() const {
    return thumbnails_.hasAll(layout_.heads(), look());
}

void TileGrid::makeThumbnails() {
    const auto heads = inOrderOfSight();
    const auto made = thumbnails_.makeSome(*run_, heads, look(), tileSlice);
    for (const auto& head : made)
        viewport()->update(thumbnailRect(head));
    if (!thumbnails_.withoutTile(*run_, heads).empty())
        Q_EMIT tilesWanted();
    if (made.empty() || thumbnails_.hasAll(heads, look()))
        rest_.stop();
    else if (!rest_.isActive())
        rest_.start(0, this);
}

std::vector<trace::HeadAddress> TileGrid::missingTiles() const {
    return run_ && isVisible() ? thumbnails_.withoutTile(*run_, inOrderOfSight())
                               : std::vector<trace::HeadAddress>();
}

void TileGrid::setTile(const trace::HeadAddress& head, MapTile tile) {
    figureThumbnails_.setTile(head, tile);
    thumbnails_.setTile(head, std::move(tile));
    viewport()->update(thumbnailRect(head));
}

ThumbnailLook TileGrid::figureLook(const TileLayout& layout, const Theme& theme) {
    return {.side = layout.side, .pixelRatio = 2, .theme = &theme};
}

void TileGrid::prepareFigure(const Theme& theme, const std::function<void()>& ready) {
    figureReady_ = ready;
    figureTheme_ = &theme;
    makeFigureThumbnails();
}

void TileGrid::makeFigureThumbnails() {
    const TileLayout whole = layOut(figureSize(), Canvas::Page, false);
    const ThumbnailLook look = figureLook(whole, *figureTheme_);
    std::vector<trace::HeadAddress> missing;
    for (const auto& head : whole.heads())
        if (!headMapOfFigure(*run_, head, [] { return QPixmap(); }).mask &&
            thumbnails_.picture(head, look).isNull())
            missing.push_back(head);
    // Maps that are not stored and have no tile stay empty.
    const bool anyMade = run_ && !figureThumbnails_.makeSome(*run_, missing, look, tileSlice).empty();
    if (!anyMade || figureThumbnails_.hasAll(missing, look))
        finishFigure();
    else if (!figureRest_.isActive())
        figureRest_.start(0, this);
}

void TileGrid::finishFigure() {
    figureRest_.stop();
    if (const auto ready = std::exchange(figureReady_, {}))
        ready();
}

void TileGrid::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    const TileLayout whole = layOut(size, Canvas::Page, false);
    if (whole.isEmpty())
        return;
    // Scaled down if it does not fit at the smallest size, so that nothing is cut.
    const QSize needed = sizeOf(whole, size.width(), Canvas::Page);
    const double fit = std::min({1.0, static_cast<double>(size.width()) / needed.width(),
                                 static_cast<double>(size.height()) / needed.height()});
    painter.scale(fit, fit);
    drawHeadings(painter, whole, theme);
    const ThumbnailLook look = figureLook(whole, theme);
    drawTiles(painter, whole, QRect(QPoint(), needed), theme, [&](const auto& head) {
        return headMapOfFigure(*run_, head, [&] {
            for (const auto* made : {&figureThumbnails_, &thumbnails_})
                if (QPixmap picture = made->picture(head, look); !picture.isNull())
                    return picture;
            return headThumbnail(*run_, head, look, thumbnails_.tile(head));
        });
    });
    drawClusters(painter, whole, theme);
    drawWords(painter, whole, size.width(), theme, Canvas::Page);
}

FigureText TileGrid::figureTextOf(const QString& title, const QString& head) const {
    if (!hasFigure())
        return {};
    const QString weights = quantityName(Quantity::Weights);
    return {.title = title,
            .caption = caption(),
            .provenance = provenance(*run_),
            .head = head,
            .quantity = tint_.isEmpty() ? weights : weights + QStringLiteral(", ") + tint_.name()};
}

trace::FigureData TileGrid::figureData() const {
    trace::FigureData data;
    std::vector<trace::HeadAddress> heads;
    for (const auto& row : table_)
        heads.insert(heads.end(), row.begin(), row.end());
    std::set<trace::AttentionSite> sites;
    for (const auto& head : heads)
        sites.insert(head.site);
    QStringList notStored; // too long to be stored
    for (const auto& site : sites)
        if (const auto& record = *run_->record(site); record.isRecomputed())
            notStored += QString::fromStdString(trace::toString(site));
        else
            data.arrays.push_back(headsOfSite(*run_, record));
    if (!data.arrays.empty() && !notStored.isEmpty())
        data.tables.push_back({.name = "maps_left_out", .columns = {dataColumn("attention", notStored)}});
    if (hasFigure() && !tint_.isEmpty())
        data.tables.push_back(tintTable(tint_, heads));
    return data;
}

QString TileGrid::whyNoData() const {
    return hasFigure() ? whyNotStored(*run_, layout_.tiles.front().head.site) : QString();
}

void TileGrid::drawHeadings(QPainter& painter, const TileLayout& layout, const Theme& theme) const {
    const QFontMetrics metrics(font());
    painter.setFont(font());
    const bool inWords = arrangement_.style == Style::Layers;
    const auto write = [&](const std::vector<TileLayout::Number>& numbers, bool across) {
        if (numbers.empty())
            return;
        const QString last = tr("head %1").arg(numbers.back().number);
        const bool hasRoom = !across || metrics.horizontalAdvance(last) <= layout.side.width();
        const auto words = [&](int number) {
            return !inWords || !hasRoom ? QString::number(number)
                   : across             ? tr("head %1").arg(number)
                                        : tr("layer %1").arg(number);
        };
        const int needed =
            across ? metrics.horizontalAdvance(words(numbers.back().number)) + 4 : metrics.ascent();
        const std::size_t step = stepOf(numbers, needed, across);
        const int gap = across ? 0 : headingsGap(arrangement_.style);
        for (std::size_t i = 0; i < numbers.size(); i += step)
            painter.drawText(numbers[i].area.adjusted(0, 0, -gap, 0),
                             (across ? Qt::AlignCenter : Qt::AlignRight | Qt::AlignVCenter) |
                                 Qt::TextDontClip,
                             words(numbers[i].number));
    };
    const bool areShort = std::ranges::any_of(layout.blocks, [&](const auto& block) {
        return metrics.horizontalAdvance(kindTitle(block.kind)) > block.title.width();
    });
    for (const auto& block : layout.blocks) {
        painter.setPen(theme.text);
        if (!block.title.isEmpty())
            painter.drawText(block.title, Qt::AlignLeft | Qt::AlignVCenter,
                             metrics.elidedText(areShort ? shortKindTitle(block.kind) : kindTitle(block.kind),
                                                Qt::ElideRight, block.title.width()));
        painter.setPen(theme.faintText);
        write(block.columns, true);
        write(block.rows, false);
    }
}

void TileGrid::drawClusters(QPainter& painter, const TileLayout& layout, const Theme& theme) const {
    const QFontMetrics metrics(font());
    painter.setFont(font());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(theme.faintText);
    for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
        const auto& clusters = layout.blocks[b].clusters;
        for (std::size_t c = 0; c < clusters.size(); ++c) {
            for (const QRect& part : clusters[c].parts)
                if (clusters.size() > 1)
                    painter.drawLine(part.bottomLeft() + QPoint(0, 3), part.bottomRight() + QPoint(0, 3));
            for (const QString& words : arrangement_.blocks[b].clusters[c].captions)
                if (metrics.horizontalAdvance(words) <= clusters[c].caption.width()) {
                    painter.drawText(clusters[c].caption, Qt::AlignLeft | Qt::AlignVCenter, words);
                    break;
                }
        }
    }
}

/// For a page that shows values under the pointer.
void TileGrid::noteTile(QPainter& painter, const TileLayout::Tile& tile, const HeadMap& map) const {
    if (map.values.empty())
        return;
    noteForPage(painter, [&]() -> recorded::Step {
        const auto texts = [](const std::vector<trace::Token>& tokens) {
            QStringList all;
            for (const auto& label : tokenLabels(tokens))
                all += label.inWords();
            return all;
        };
        const auto kind = tile.head.site.kind;
        const auto width = map.values.columns();
        return recorded::MapValues{.name = QString::fromStdString(toString(tile.head)),
                                   .at = QRectF(tile.picture),
                                   .window = QRectF(QPointF(), QSizeF(width, map.values.rows())),
                                   .width = width,
                                   .values = trace::allowedValues(map.values, map.mask),
                                   .rows = texts(run_->queryTokens(kind)),
                                   .columns = texts(run_->keyTokens(kind))};
    });
}

void TileGrid::drawTiles(QPainter& painter, const TileLayout& layout, const QRect& part, const Theme& theme,
                         const MapOf& map) const {
    painter.setFont(font());
    const bool named = namesHeads(layout);
    for (const auto& tile : layout.tiles) {
        if (!part.intersects(tile.picture.united(tile.foot)))
            continue;
        const bool isFaded = matching_ && !matching_->contains(tile.head);
        painter.setOpacity(isFaded ? fadedOpacity : 1);
        drawHeadTile(painter,
                     {.cell = tile.picture,
                      .map = map(tile.head),
                      .mark = headMark(run_->request.interventions, tile.head),
                      .pin = figureParts().marks ? selection_->pinOf(tile.head) : std::nullopt,
                      .decoded = decodedPart(*run_->record(tile.head.site), rowsDecoded())},
                     theme);
        noteTile(painter, tile, map(tile.head));
        drawTintBar(painter, tile.foot, tint_, tile.head, theme);
        if (named)
            drawHeadName(painter, tile.foot, tile.head, theme);
    }
    painter.setOpacity(1);
}

void TileGrid::drawWords(QPainter& painter, const TileLayout& layout, int width, const Theme& theme,
                         Canvas canvas) const {
    const int line = QFontMetrics(font()).height();
    QRect words(tileMargin, layout.bottom + wordsTop(arrangement_.style), width - 2 * tileMargin,
                wordsHeight(width, canvas) - wordsGap);
    painter.setFont(font());
    if (!tint_.isEmpty()) {
        drawTintLegend(painter, QRect(words.topLeft(), QSize(words.width(), line)), tint_, theme);
        words.setTop(words.top() + line + tintLegendGap);
    }
    painter.setPen(theme.text);
    if (!hasCaption(canvas))
        return;
    if (canvas == Canvas::Window)
        drawWrapped(painter, words, caption());
    else
        painter.drawText(words, Qt::AlignLeft | Qt::TextWordWrap, asCaption(caption()));
}

void TileGrid::paintEvent(QPaintEvent* event) {
    const Theme& theme = themeOf(palette());
    QPainter painter(viewport());
    painter.fillRect(event->rect(), theme.background);
    if (layout_.isEmpty()) {
        drawEmptyState(painter, QRectF(viewport()->rect()), purpose(), whyNothing(), theme);
        return;
    }
    // Small maps are created at once, to avoid flicker.
    if (!rest_.isActive())
        makeThumbnails();
    painter.translate(0, -scrolled());
    const QRect part = event->rect().translated(0, scrolled());
    drawHeadings(painter, layout_, theme);
    drawTiles(painter, layout_, part, theme,
              [this](const auto& head) { return HeadMap{.picture = thumbnails_.picture(head)}; });
    drawClusters(painter, layout_, theme);
    drawWords(painter, layout_, viewport()->width(), theme, Canvas::Window);
    if (!selection_->focus().isEmpty())
        for (const auto& tile : layout_.tiles)
            if (part.intersects(tile.picture))
                drawLitTokens(painter, tile.picture, *run_->record(tile.head.site), selection_->focus(),
                              theme);
    const auto frame = [&](const trace::HeadAddress& head, const QColor& colour, int width) {
        if (const auto* tile = layout_.tileOf(head))
            drawTileFrame(painter, tile->picture, colour, width);
    };
    frame(selection_->head(), theme.accent, hasFocus() ? 4 : 3);
    if (hovered_ && *hovered_ != selection_->head())
        frame(*hovered_, theme.focus, 2);
}

bool TileGrid::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto head = headAt(help->pos()))
            QToolTip::showText(help->globalPos(), plainToolTip(headDescription(*head)), viewport(),
                               thumbnailRect(*head));
        else if (!layout_.isEmpty() && help->y() + scrolled() > layout_.bottom)
            QToolTip::showText(help->globalPos(), plainToolTip(caption()), viewport());
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::Leave)
        hover(std::nullopt);
    return QAbstractScrollArea::viewportEvent(event);
}

void TileGrid::resizeEvent(QResizeEvent*) {
    layOutAgain();
}

void TileGrid::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        layOutAgain();
}

void TileGrid::timerEvent(QTimerEvent* event) {
    if (event->timerId() == rest_.timerId())
        makeThumbnails();
    else if (event->timerId() == figureRest_.timerId())
        makeFigureThumbnails();
    else
        QAbstractScrollArea::timerEvent(event);
}

void TileGrid::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
    describe();
}

void TileGrid::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
    describe();
}

/// A hidden grid has no head under the pointer.
void TileGrid::hideEvent(QHideEvent*) {
    hovered_.reset();
    describe();
}

void TileGrid::mouseMoveEvent(QMouseEvent* event) {
    hover(headAt(event->position().toPoint()));
}

void TileGrid::mousePressEvent(QMouseEvent* event) {
    const auto head = headAt(event->position().toPoint());
    if (head && event->button() == Qt::LeftButton)
        selection_->setHead(*head);
    else
        event->ignore();
}

void TileGrid::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto head = headAt(event->position().toPoint()); head && event->button() == Qt::LeftButton)
        Q_EMIT headOpened(*head);
}

void TileGrid::keyPressEvent(QKeyEvent* event) {
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
