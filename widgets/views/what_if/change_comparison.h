#pragma once

#include <QWidget>

#include "model/analysis/compare/run_comparison.h"
#include "model/trace/run.h"
#include "widgets/filmed_figure.h"
#include "widgets/map/named_labels.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include <memory>
#include <vector>

class QLabel;

namespace headscope::widgets {

class ScoreHistogram;
class StepComparisonView;

/// What changes in the model did: the undisturbed output over the changed one, the change at every step, of a
/// classifier the probabilities of its classes; and where the scores were scaled, how they lie now.
class ChangeComparison : public View, public FilmedFigure {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit ChangeComparison(Selection* selection, QWidget* parent = nullptr);

    /// The run that is shown; the undisturbed one; the changed model reading the undisturbed output. The last
    /// two are null where there is nothing to compare, or as long as they are not there.
    void setRuns(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Run> undisturbed,
                 std::shared_ptr<const trace::Run> forced);
    /// Of the undisturbed run and the forced one. They stay until there are newer ones, so that nothing
    /// blinks, or until there is nothing to compare.
    void setSteps(std::vector<analysis::StepComparison> steps);

    /// Everything that is said, without the pictures.
    QString inWords() const;

    /// Of the steps; where there are none, nothing.
    bool hasFigure() const override;
    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QSize figureSize() const override;
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown) override;

  private:
    void showOutputs();
    void showNote();
    void showScores();
    QString sumInWords() const;
    LabelsBelow tokensBelow(double width) const;
    QString wordsBelow(const LabelsBelow& labels) const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::Run> undisturbed_;
    std::shared_ptr<const trace::Run> forced_;

    QLabel* note_;
    QLabel* before_;
    QLabel* after_;
    StepComparisonView* steps_;
    QLabel* sum_;
    ScoreHistogram* scores_;
    QLabel* scoresWords_;
    bool spaceMarks_ = true; ///< of the figure: the window names no steps
};

} // namespace headscope::widgets
