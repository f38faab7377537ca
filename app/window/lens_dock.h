#pragma once

#include <QDockWidget>
#include <QTimer>

#include "app/window/actions.h"
#include "app/window/analyses.h"
#include "app/window/decode_controller.h"
#include "widgets/selection.h"

#include <vector>

class QMainWindow;

namespace headscope::widgets {
class AttributionView;
class LensView;
} // namespace headscope::widgets

namespace headscope::app {

/// The logit lens of the shown run and the parts of its logits, side by side in a dock. Both are read of
/// every run that is shown as long as the dock is in sight, and not otherwise.
class LensDock : public QDockWidget {
    Q_OBJECT

  public:
    /// All of them outlive the dock, and `window` is where it lies.
    LensDock(Analyses* analyses, DecodeController* controller, widgets::Selection* selection,
             Actions* actions, QMainWindow* window);

    widgets::LensView* lens() const { return lens_; }
    widgets::AttributionView* attribution() const { return attribution_; }
    void setSpaceMarksShown(bool shown);
    /// Views that can be saved as pictures.
    std::vector<QWidget*> pictures() const;

  public Q_SLOTS:
    /// Shows the dock on top of the others at the window's foot.
    void open();

  Q_SIGNALS:
    /// What the pointer or the cursor is on; empty for nothing.
    void cellDescribed(const QString& words);

  private:
    void connectViews();
    void followRun();
    void followLens();
    void showRefusal(const trace::RefusalText& text);
    void showNothing(const QString& wayThere);
    QString whyNothing() const;

    Analyses* analyses_;
    DecodeController* controller_;
    Actions* actions_;
    widgets::LensView* lens_;
    widgets::AttributionView* attribution_;
    QTimer patience_; ///< what is shown stays so long, while that of another run is read
};

} // namespace headscope::app
