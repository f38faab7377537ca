#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/work/work_queue.h"
#include "widgets/view.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::app {

/// Does what views in sight want computed: one errand a view at a time, dropped where the view wants another
/// one or none. What needs a model gives way to the next run.
class Errands : public QObject {
    Q_OBJECT

  public:
    /// Both are there for as long as this is used.
    Errands(WorkQueue* queue, DecodeController* controller, QObject* parent = nullptr);

    /// From now on, as long as both are there.
    void serve(widgets::View* view);
    /// Something is under way that a person waits for, and may stop.
    bool isLong() const;

  public Q_SLOTS:
    /// A person wants no more of what is under way; the views say so.
    void stop();

  private:
    struct Lane {
        widgets::View* view = nullptr; ///< null: of one that is gone
        WorkQueue::JobKind kind;
        std::optional<widgets::Errand> errand;     ///< under way
        std::optional<widgets::ErrandKey> refused; ///< last, and not begun again as long as it is wanted
        bool isTold = false;                       ///< the view hears what came of one, and wants more then
    };

    void follow(Lane& lane);
    void begin(Lane& lane);
    void drop(Lane& lane);
    void end(Lane& lane, const std::function<void()>& tell);
    void giveWay();
    void followBusy();

    WorkQueue* queue_;
    DecodeController* controller_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    bool wasDecoding_ = false;
};

} // namespace headscope::app
