#pragma once

#include <QDockWidget>
#include <QTimer>

#include "app/document/decode_controller.h"
#include "app/results/analyses.h"
#include "app/results/twin_analyses.h"
#include "app/window/actions.h"
#include "widgets/selection.h"

#include <vector>

class QComboBox;
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
    LensDock(Analyses* analyses, TwinAnalyses* twin, DecodeController* controller,
             widgets::Selection* selection, Actions* actions, QMainWindow* window);

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
    void followSight(bool inSight);
    void followRun();
    void followLens();
    void followTwin();
    void showLens();
    /// Of the model, or of its random twin where that is chosen.
    const std::shared_ptr<const trace::Lens>& chosenLens() const;
    void showRefusal(const trace::RefusalText& text);
    void showNothing(const QString& wayThere);
    QString whyNothing() const;

    Analyses* analyses_;
    TwinAnalyses* twin_;
    DecodeController* controller_;
    Actions* actions_;
    QComboBox* of_; ///< the model or its twin, as long as there is one
    widgets::LensView* lens_;
    widgets::AttributionView* attribution_;
    bool inSight_ = false; ///< not closed, and not under another tab
    QTimer patience_;      ///< what is shown stays so long, while that of another run is read
};

} // namespace headscope::app
