#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/work/work_queue.h"
#include "widgets/tiles/tile_grid.h"

#include <optional>
#include <vector>

namespace headscope::app {

/// Brings small maps that the shown run left out to the grids, one head at a time off the window's thread,
/// those in sight first. As soon as nobody looks, it ends.
class LongTiles : public QObject {
    Q_OBJECT

  public:
    /// All are there for as long as this is used.
    LongTiles(WorkQueue* queue, DecodeController* controller, QObject* parent = nullptr);

    void serve(widgets::TileGrid* grid);

  private:
    void follow();
    void askNext();
    void take(const trace::HeadAddress& head, const widgets::MapTile& tile);

    WorkQueue* queue_;
    DecodeController* controller_;
    std::vector<widgets::TileGrid*> grids_;
    std::optional<trace::HeadAddress> asked_; ///< on its way
};

} // namespace headscope::app
