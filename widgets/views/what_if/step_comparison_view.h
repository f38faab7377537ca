#pragma once

#include <QWidget>

#include "model/analysis/compare/run_comparison.h"
#include "widgets/selection.h"
#include "widgets/views/what_if/step_bars.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// Two strips of bars, one bar a step of the undisturbed output: the divergence of the changed distribution
/// from the undisturbed one, and how the probability of the token that was chosen changed. A click goes to
/// the step.
class StepComparisonView : public QWidget {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit StepComparisonView(Selection* selection, QWidget* parent = nullptr);

    void setSteps(std::vector<analysis::StepComparison> steps);
    const std::vector<analysis::StepComparison>& steps() const { return steps_; }

    std::optional<int> stepAt(QPoint position) const;
    /// Where a step's bars stand, both strips and the space between.
    QRectF stepRect(int step) const;
    /// "Step 5, “Tochter”: KL 0.4142 nats; probability 0.8300 before, 0.2100 after; another token is first".
    QString stepInWords(int step) const;

    QSize sizeHint() const override { return {260, 148}; }
    QSize minimumSizeHint() const override { return {120, 148}; }

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    StepBars bars() const;
    void describe();

    Selection* selection_;
    std::vector<analysis::StepComparison> steps_;
};

} // namespace headscope::widgets
