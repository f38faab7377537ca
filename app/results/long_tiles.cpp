#include "app/results/long_tiles.h"

namespace headscope::app {

using JobKind = WorkQueue::JobKind;

LongTiles::LongTiles(WorkQueue* queue, DecodeController* controller, QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller) {
    connect(controller, &DecodeController::runChanged, this, &LongTiles::follow);
}

void LongTiles::serve(widgets::TileGrid* grid) {
    grids_.push_back(grid);
    connect(grid, &widgets::TileGrid::tilesWanted, this, &LongTiles::askNext);
}

void LongTiles::follow() {
    if (!asked_)
        return;
    asked_.reset();
    queue_->stop(JobKind::Awaited, this);
}

/// Of a run that still grows there are other maps soon.
void LongTiles::askNext() {
    const auto& run = controller_->run();
    if (asked_ || !run || !run->complete)
        return;
    for (const auto* grid : grids_)
        if (const auto missing = grid->missingTiles(); !missing.empty()) {
            asked_ = missing.front();
            break;
        }
    if (!asked_)
        return;
    queue_->compute(
        JobKind::Awaited, this, [this, run, head = *asked_](std::stop_token stop) -> std::function<void()> {
            const auto tile = std::make_shared<analysis::PooledMap>(
                analysis::pooledWeights(*run->record(head.site), static_cast<std::size_t>(head.head),
                                        widgets::tileSide, widgets::tileSide, 1, stop));
            return [this, head, tile] { take(head, tile); };
        });
}

void LongTiles::take(const trace::HeadAddress& head, const widgets::MapTile& tile) {
    asked_.reset();
    for (auto* grid : grids_)
        grid->setTile(head, tile);
    askNext();
}

} // namespace headscope::app
