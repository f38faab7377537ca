#pragma once

#include <QWidget>

#include "model/trace/head_importance.h"
#include "model/trace/refusal.h"
#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/importance/importance_columns.h"
#include "widgets/words/importance_words.h"

#include <cstdint>
#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace headscope::widgets {

class ContrastField;
class ColumnTable;
struct TableFigure;

/// What every head is worth to the shown output: a way to measure it, how far that is, then the heads in a
/// list, for the current step or for the whole output.
class ImportanceView : public View, public AnimatedFigure {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit ImportanceView(Selection* selection, QWidget* parent = nullptr);

    /// The run that is shown; may be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;
    /// Of that run; null where it was not measured, not complete while it is.
    void setImportance(std::shared_ptr<const trace::HeadImportance> importance);
    /// The random twin of this seed, or none; what was measured of it reading the same output, null as long
    /// as that is not there.
    void setTwin(std::optional<std::uint64_t> seed, std::shared_ptr<const trace::HeadImportance> twin);
    /// The model was changed since the importance was measured: it is of the run before, as setRun() is.
    void setEarlier(bool earlier);
    void setMeasuring(bool measuring);
    /// Why nothing could be measured; stays until it is tried again.
    void showRefusal(const trace::RefusalText& text);

    ContrastField* contrast() const { return contrast_; }
    /// Ranked; empty as long as not all is known.
    const std::vector<analysis::HeadScore>& scores() const { return rows_.scores; }
    /// What they are of; empty as long as not all is known.
    QString caption() const;
    std::optional<trace::HeadAddress> headAt(QPoint position) const override;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QSize figureSize() const override;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;
    /// Room for a row or two: the dock above keeps its own.
    QSize minimumSizeHint() const override;

  Q_SIGNALS:
    void measureRequested();
    void cancelRequested();
    /// scores() and caption() are others.
    void scoresChanged();
    void headOpened(headscope::trace::HeadAddress head);
    void headToggled(headscope::trace::HeadAddress head);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void measureAnimation() override;

  private:
    QWidget* buildChoices();
    QWidget* buildEmpty();
    QWidget* buildProgress();
    /// Nothing for the whole output.
    ImportanceScope scope() const;
    bool isKnown() const { return run_ && importance_ && importance_->complete; }
    void showState();
    void showProgress();
    void showScores();
    void showCaption();
    /// caption(), and what the twin's column is.
    QString listCaption() const;
    std::optional<std::vector<analysis::HeadScore>> twinScores() const;
    double limit() const;
    TableFigure figure() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::HeadImportance> importance_;
    std::optional<std::uint64_t> twinSeed_;
    std::shared_ptr<const trace::HeadImportance> twin_;
    bool measuring_ = false;
    bool earlier_ = false;
    QString refusal_;

    ImportanceRows rows_;
    ContrastField* contrast_;
    QComboBox* scope_;
    QComboBox* kind_;
    QLabel* caption_;
    QStackedWidget* pages_;
    QWidget* choices_;
    QLabel* hint_;
    QPushButton* measure_;
    QPushButton* again_; ///< where the importance is an earlier one
    QProgressBar* progress_;
    ColumnTable* table_;
    double animationLimit_ = 0; ///< of the bars of all steps
};

} // namespace headscope::widgets
