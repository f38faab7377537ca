#pragma once

#include <QCoreApplication>
#include <QWidget>

#include "model/trace/decode_tree.h"
#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/selection.h"
#include "widgets/tables/column_model.h"
#include "widgets/view.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;

namespace headscope::widgets {

class ColumnTable;

/// The most probable next tokens of a step, the best first; the classes of a classifier; the most probable
/// tokens of each mask; or how probably each token was replaced.
struct CandidateRows {
    std::vector<trace::Candidate> candidates;
    std::optional<std::int64_t> chosen; ///< id of the token that was taken at this step
    double before = 0;                  ///< log-probability of the target so far
    double labelSmoothing = 0;          ///< that the model was trained with
    bool areClasses = false;
    bool areLabels = false;             ///< of the tokens of the source
    bool areReplaced = false;           ///< probabilities that the tokens of the source were replaced
    std::vector<std::size_t> positions; ///< [candidates] their places in the source, if they have some
    /// [candidates] log-probabilities before the model was changed, as far as they are known of the same
    /// tokens before; empty: it is not changed.
    std::vector<std::optional<float>> originals;

    int count() const { return candidates.size(); }
    bool areOfStep() const { return !areClasses && !areReplaced && positions.empty(); }
    /// The candidates are of one mask.
    bool areOnePosition() const;
    /// Log-probability of the target so far with the token of a row.
    double sum(std::size_t row) const;
    std::optional<int> chosenRow() const;
};

/// The columns of that table: rank, token, probability, that before the model was changed, log-probability of
/// the target with the token, and a bar. Of several masks, or replaced tokens, the position comes first.
class CandidateColumns {
    Q_DECLARE_TR_FUNCTIONS(CandidateColumns)

  public:
    enum Column { Rank, Token, Probability, Before, Sum, Bar }; ///< of one step

    static TableContent content(const CandidateRows& rows);
    /// What "certain" means for a model that was trained with label smoothing; empty for 0.
    static QString certainty(double labelSmoothing);
};

/// The best next tokens at the current step; another one can be chosen. Of a classifier the classes, of other
/// encoders alone the best tokens of each mask, the labels of each token, how probably each was replaced, an
/// answer or a number: none can be chosen.
class CandidatesView : public View, public AnimatedFigure {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit CandidatesView(Selection* selection, QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;

    QString note() const override;
    QString heading() const;
    QString whyEmpty() const override { return heading(); }

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    QSize sizeHint() const override;
    bool hasFigure() const override { return rows_.count() > 0; }
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
    /// There is no table then.
    void showWords(const QString& words);
    void followFocus();
    void showTokens();
    void showRows();
    CandidateRows rowsAt(std::size_t step) const;
    std::vector<std::optional<float>> originalsAt(std::size_t step) const;
    QString whyNoStep() const;
    QString whyNoPrediction() const;
    QString caption() const;
    void choose();

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::Run> original_; ///< of a changed model, without the changes; else null
    CandidateRows rows_;
    QLabel* heading_;
    ColumnTable* table_;
    QPushButton* choose_;
    std::vector<QString> widest_; ///< text of each column at any step, so that no column moves
};

} // namespace headscope::widgets
