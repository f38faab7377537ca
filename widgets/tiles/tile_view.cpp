#include "widgets/tiles/tile_view.h"

#include "widgets/selection.h"
#include "widgets/tiles/tile_grid.h"

#include <utility>

namespace headscope::widgets {

TileWhat::Value TileWhat::count(const trace::Task& work) const {
    return analysis::pooledWeights(*run->record(head.site), head.head, tileSide, tileSide, 1, work.stop());
}

TileView::TileView(Selection* selection, QWidget* parent) : View(parent), selection_(selection) {
    connect(selection, &Selection::stepChanged, this, &TileView::refresh); // scores may depend on the step
}

void TileView::setGrid(TileGrid* grid) {
    grid_ = grid;
    connect(grid, &TileGrid::tilesWanted, this, &View::questionsChanged);
    connect(grid, &TileGrid::headOpened, this, [this] { Q_EMIT intended(intents::OpenHead()); });
}

void TileView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    grid_->setRun(run_);
    Q_EMIT questionsChanged();
}

std::vector<trace::Wanted> TileView::questions() const {
    auto questions =
        needsStatistics() ? statisticsQuestions(*context().document) : std::vector<trace::Wanted>();
    for (const auto& tile : tiles())
        questions.emplace_back(trace::Counted(tile));
    return questions;
}

/// Asks nothing about an incomplete run, which changes soon.
std::vector<TileWhat> TileView::tiles() const {
    constexpr std::size_t atATime = 8;
    std::vector<TileWhat> tiles;
    if (run_ && run_->complete)
        for (const auto& head : grid_->missingTiles())
            if (tiles.size() < atATime)
                tiles.push_back({.run = run_, .head = head});
    return tiles;
}

void TileView::refresh() {
    for (const auto& tile : tiles())
        if (auto known = context().known->of(tile))
            grid_->setTile(tile.head, std::move(known));
    auto known = shownStatistics(context(), statistics_);
    if (std::exchange(statistics_, known) != known)
        showStatistics(known ? *known : std::vector<analysis::HeadStatistics>());
    auto scores = shownScores(context(), selection_->step());
    if (std::exchange(scores_, scores) != scores)
        showScores(scores);
}

void TileView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    const FigureWithParts figure(*grid_, figureParts());
    grid_->drawFigure(painter, size, theme);
}

void TileView::prepareFigure(const Theme& theme, const std::function<void()>& ready) {
    grid_->prepareFigure(theme, ready);
}

FigureText TileView::figureText() const {
    return grid_->figureText();
}

std::optional<PictureOptions> TileView::picture(PictureOptions options) const {
    return grid_->picture(std::move(options));
}

bool TileView::exportChoices(PictureOptions& picture, const Choices& chosen) const {
    return grid_->exportChoices(picture, chosen);
}

QSize TileView::figureSize() const {
    const FigureWithParts figure(*grid_, figureParts());
    return grid_->figureSize();
}

QSize TileView::narrowFigure(int width) const {
    const FigureWithParts figure(*grid_, figureParts());
    return grid_->narrowFigure(width);
}

bool TileView::hasFigure() const {
    return grid_->hasFigure();
}

void TileView::setRowsDecoded(std::optional<std::size_t> rows) {
    grid_->setRowsDecoded(rows);
}

trace::FigureData TileView::figureData() const {
    return grid_->figureData();
}

std::optional<PointedAt> TileView::pointedAt(QPoint position) const {
    const auto head = grid_->headAt(grid_->viewport()->mapFrom(this, position));
    return head ? std::optional(PointedAt{.head = *head, .cell = {}}) : std::nullopt;
}

QString TileView::whyNoData() const {
    return grid_->whyNoData();
}

} // namespace headscope::widgets
