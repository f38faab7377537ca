#pragma once

#include <QWidget>

#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/candidates/candidate_columns.h"

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;

namespace headscope::widgets {

class ColumnTable;

/// The best next tokens at the current step; another one can be chosen. Of a classifier the classes, of other
/// encoders alone the best tokens of each mask or how probably each token was replaced: none can be chosen.
class CandidatesView : public View, public AnimatedFigure {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit CandidatesView(Selection* selection, QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;

    QString heading() const;
    QString whyEmpty() const override { return heading(); }

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    QSize sizeHint() const override;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown) override;

  protected:
    void changeEvent(QEvent* event) override;
    void measureAnimation() override { measureSteps(); }

  private:
    void measureShown();
    void measureSteps();
    void showStep();
    /// Returns false if the run has no prediction of an encoder alone.
    bool showPrediction();
    void showClasses();
    void showMasks();
    void showReplaced();
    void followFocus();
    void showTokens();
    void showRows();
    CandidateRows rowsAt(std::size_t step) const;
    QString whyNoStep() const;
    QString whyNoPrediction() const;
    QString caption() const;
    void choose();

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    CandidateRows rows_;
    QLabel* heading_;
    QLabel* certainty_;
    ColumnTable* table_;
    QPushButton* choose_;
    std::vector<QString> widest_; ///< text of each column at any step, so that no column moves
};

} // namespace headscope::widgets
