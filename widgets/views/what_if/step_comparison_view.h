#pragma once

#include <QWidget>

#include "model/analysis/compare/run_comparison.h"
#include "widgets/selection.h"
#include "widgets/views/what_if/step_bars.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// The bars of StepBars with tooltips. A click selects a step; masks and classes cannot be selected.
class StepComparisonView : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit StepComparisonView(Selection* selection, QWidget* parent = nullptr);

    void setSteps(std::vector<analysis::StepComparison> steps, analysis::Compared compared);
    const std::vector<analysis::StepComparison>& steps() const { return steps_; }

    std::optional<int> stepAt(QPoint position) const;
    /// The area of a step, covering both strips and the space between them.
    QRectF stepRect(int step) const;
    /// "Step 5, “Tochter”: KL 0.4142 nats; probability 0.8300 before, 0.2100 after; another token is the most
    /// probable one". With a contrast token log-probabilities compared with that one.
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
    QString nameOf(int step) const;
    bool areSteps() const { return compared_ == analysis::Compared::Steps; }

    Selection* selection_;
    std::vector<analysis::StepComparison> steps_;
    analysis::Compared compared_ = analysis::Compared::Steps;
};

} // namespace headscope::widgets
