#pragma once

#include <QAbstractTableModel>
#include <QWidget>

#include "model/trace/run.h"
#include "widgets/filmed_figure.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/candidates/candidates_figure.h"

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QTableView;

namespace headscope::widgets {

struct TokenLabel;

/// The best next tokens of one step as a table: rank, piece, probability, log-probability of the target with
/// it, bar.
class CandidatesModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Rank, Piece, Probability, Sum, Bar, ColumnCount };
    enum Role { ProbabilityRole = Qt::UserRole + 1, ChosenRole, TokenIdRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// `chosen` is the id of the token that was taken at this step, `before` the log-probability of the
    /// target so far.
    void setCandidates(std::vector<trace::Candidate> candidates, std::optional<std::int64_t> chosen,
                       double before = 0);
    /// How much of the probability the model was trained to spread over all tokens; says what "certain" is.
    void setLabelSmoothing(double smoothing) { labelSmoothing_ = smoothing; }
    const std::vector<trace::Candidate>& candidates() const { return candidates_; }
    /// They are a classifier's classes, not pieces.
    void setAreClasses(bool classes) { areClasses_ = classes; }
    bool areClasses() const { return areClasses_; }
    /// Log-probability of the target so far with the token of a row.
    double sum(std::size_t row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    QString text(std::size_t row, int column) const;
    TokenLabel label(std::size_t row) const;

    std::vector<trace::Candidate> candidates_;
    std::optional<std::int64_t> chosen_;
    double before_ = 0;
    double labelSmoothing_ = 0;
    bool areClasses_ = false;
};

/// What "certain" is for a model that was trained with label smoothing; empty for none.
QString certaintyInWords(double labelSmoothing);

/// The best next tokens at the current step; another one can be chosen. Of a classifier the classes, of which
/// none can be.
class CandidatesView : public View, public FilmedFigure {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit CandidatesView(Selection* selection, QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;

    QString heading() const;
    QString whyEmpty() const override { return heading(); }

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    QSize sizeHint() const override;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;

    /// It is of a classifier.
    bool hasClasses() const;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown) override;

  Q_SIGNALS:
    /// Double click, Enter or the button: decode this token at this step instead.
    void candidateChosen(int step, std::int64_t id);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void measureFilm() override { measureSteps(); }

  private:
    void measureShown();
    void measureSteps();
    void showStep();
    void showClasses();
    void showTokens();
    /// A classifier's answer is shown.
    void fitColumns();
    int roomOfColumns() const;
    QString whyNoStep() const;
    QString caption() const;
    CandidatesFigure figure() const;
    void choose();

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    CandidatesModel* model_;
    QLabel* heading_;
    QLabel* certainty_;
    QTableView* table_;
    QPushButton* choose_;
    bool spaceMarks_ = true;
    int columnsWidth_ = 0;            ///< that all need
    CandidatesFigure::Widths widths_; ///< that the figure's columns need at any step
};

} // namespace headscope::widgets
