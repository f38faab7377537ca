#pragma once

#include <QWidget>

#include "model/analysis/compare/run_comparison.h"
#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/map/named_labels.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include <memory>
#include <vector>

class QLabel;

namespace headscope::widgets {

class ChangeList;
class ScoreHistogram;
class StepComparisonView;

/// The changes in the model, to make and unmake, and their effect: the original and the changed output, the
/// change at every step, masked token or class, and the distribution of scores if they were scaled.
class WhatIfView : public View, public AnimatedFigure {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit WhatIfView(Selection* selection, QWidget* parent = nullptr);

    /// Sets the shown run, the original run, and the changed model reading the original output. The last two
    /// are null if there is nothing to compare or they are not computed yet.
    void setRuns(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Run> original,
                 std::shared_ptr<const trace::Run> forced);
    /// Comparison of the original and the forced run. Kept until there is a newer one, so that nothing
    /// flickers, or until there is nothing to compare.
    void setSteps(std::vector<analysis::StepComparison> steps);

    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    QString note() const override;
    QMenu* menu() const override;
    void addTo(QMenu& menu, const PointedAt& pointed) override;

    /// All that it says of the effect.
    QString inWords() const;

    /// Only the steps, masks or classes are drawn in a figure.
    bool hasFigure() const override;
    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown) override;

  private:
    void showOutputs();
    void showNote();
    void showScores();
    analysis::Compared compared() const;
    TokenLabel labelOf(const analysis::StepComparison& step) const;
    QString sumInWords() const;
    LabelsBelow tokensBelow(double width) const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::Run> original_;
    std::shared_ptr<const trace::Run> forced_;
    std::shared_ptr<const analysis::ChangeEffect> effect_; ///< the last answer
    QString refusal_;

    ChangeList* changes_;
    QLabel* note_;
    QLabel* before_;
    QLabel* after_;
    StepComparisonView* steps_;
    QLabel* sum_;
    ScoreHistogram* scores_;
    QLabel* scoresWords_;
    bool spaceMarks_ = true; ///< for the figure; the window does not label steps
};

} // namespace headscope::widgets
