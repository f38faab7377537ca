#pragma once

#include <QDockWidget>

#include "app/document/decode_controller.h"
#include "app/results/run_queue.h"
#include "app/window/actions.h"
#include "widgets/map/map_layout.h"
#include "widgets/selection.h"

#include <memory>
#include <optional>

class QMainWindow;
class QMenu;

namespace headscope::widgets {
class ArithmeticView;
}

namespace headscope::app {

/// How one cell is computed, in its dock. As long as it is open, the run that is shown is computed once more
/// with its queries, keys and values, and what the head adds in the row that is looked at; closed, nothing
/// is.
class ArithmeticDock : public QDockWidget {
    Q_OBJECT

  public:
    /// All of them outlive the dock.
    ArithmeticDock(RunQueue* queue, DecodeController* controller, widgets::Selection* selection,
                   const Actions& actions, QMainWindow* parent);

    widgets::ArithmeticView* view() const { return view_; }
    /// "How This Cell Is Computed", which opens the dock on it.
    void addToMenu(QMenu& menu, trace::AttentionKind kind, const std::optional<widgets::MapCell>& cell);

  public Q_SLOTS:
    void open();

  private:
    void follow();
    void take(const std::shared_ptr<const trace::Run>& run);
    /// Asks for what the cell's row adds, if it is another one.
    void followRow();

    RunQueue* queue_;
    DecodeController* controller_;
    widgets::Selection* selection_;
    widgets::ArithmeticView* view_;
    std::optional<trace::Request> asked_; ///< last, of the run that is shown

    /// A row of a head in the run that is shown.
    struct Row {
        trace::Request request;
        trace::HeadAddress head;
        std::size_t query = 0;
        friend bool operator==(const Row&, const Row&) = default;
    };
    std::optional<Row> askedRow_; ///< last
};

} // namespace headscope::app
