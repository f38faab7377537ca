#pragma once

#include <QDockWidget>
#include <QTimer>

#include "app/desktop/actions.h"
#include "app/document/decode_controller.h"
#include "app/results/analyses.h"
#include "app/results/twin_analyses.h"
#include "widgets/selection.h"

#include <vector>

class QComboBox;
class QMainWindow;

namespace headscope::widgets {
class AttributionView;
class LensView;
} // namespace headscope::widgets

namespace headscope::app {

/// A dock with the logit lens of the shown run beside the attribution of its logits. Both are computed for
/// every shown run, but only while the dock is visible.
class LensDock : public QDockWidget {
    Q_OBJECT

  public:
    /// All objects must outlive the dock; `window` is its parent.
    LensDock(Analyses* analyses, TwinAnalyses* twin, DecodeController* controller,
             widgets::Selection* selection, Actions* actions, QMainWindow* window);

    widgets::LensView* lens() const { return lens_; }
    widgets::AttributionView* attribution() const { return attribution_; }
    void setSpaceMarksShown(bool shown);
    /// Views that can be exported as pictures.
    std::vector<QWidget*> pictures() const;

  public Q_SLOTS:
    /// Shows the dock on top of the others at the bottom.
    void open();

  Q_SIGNALS:
    /// Description of the cell under the pointer or cursor; empty if there is none.
    void cellDescribed(const QString& words);

  private:
    void connectViews();
    void followSight(bool inSight);
    void followRun();
    void followLens();
    void followTwin();
    void showLens();
    /// Lens of the model or of its random twin, as selected.
    const std::shared_ptr<const trace::Lens>& chosenLens() const;
    void showRefusal(const trace::RefusalText& text);
    void showNothing(const QString& wayThere);
    QString whyNothing() const;

    Analyses* analyses_;
    TwinAnalyses* twin_;
    DecodeController* controller_;
    Actions* actions_;
    QComboBox* of_; ///< selects the model or its twin; hidden without a twin
    widgets::LensView* lens_;
    widgets::AttributionView* attribution_;
    bool inSight_ = false; ///< open, and not covered by another tab
    QTimer patience_;      ///< how long a stale lens stays while the next one is computed
};

} // namespace headscope::app
