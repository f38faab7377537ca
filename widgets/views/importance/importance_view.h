#pragma once

#include <QWidget>

#include "model/trace/head_importance.h"
#include "model/trace/refusal.h"
#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/explained.h"
#include "widgets/selection.h"
#include "widgets/tables/known_heads.h"
#include "widgets/view.h"
#include "widgets/views/importance/importance_columns.h"
#include "widgets/views/importance/removal_plot.h"

#include <cstdint>
#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace headscope::widgets {

class ContrastField;
class ColumnTable;
class ImportanceCard;
class PlotPicture;
class ReadablePlot;

/// What every head is worth to the shown output: a way to measure it, how far that is, then the heads in a
/// list, for the current step or for the whole output.
class ImportanceView : public View, public AnimatedFigure {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit ImportanceView(Selection* selection, QWidget* parent = nullptr);

    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    QString whyNot(const std::string& action) const override;
    struct Content {
        std::shared_ptr<const trace::Run> run;
        std::shared_ptr<const trace::HeadImportance> importance; ///< null: none; not complete while measured
        bool isEarlier = false;                                  ///< the model was changed since
        bool isMeasuring = false;
        QString refusal;
        std::optional<std::uint64_t> twinSeed;
        std::shared_ptr<const trace::HeadImportance> twin; ///< reading the same output; null: not there
        bool isWithCurve = false;
        KnownRemovals removals;          ///< at the current step, or of the whole output
        QString whyNoCurve;              ///< refused
        std::optional<std::size_t> step; ///< that a card explains; empty: as a person chose
        bool isKnown() const { return run && importance && importance->complete; }
        friend bool operator==(const Content&, const Content&) = default;
    };
    void setContent(Content content);
    const Content& content() const { return shown_; }

    /// Ranked; empty as long as not all is known.
    const std::vector<analysis::HeadScore>& scores() const { return rows_.scores; }
    /// What they are of; empty as long as not all is known.
    QString caption() const { return shownScores().caption(); }
    std::optional<PointedAt> pointedAt(QPoint position) const override;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    void showPicture(const PictureOptions& options) override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    QWidget* takesKeys() const override;
    bool hasFigure() const override;
    std::optional<Lacking> lacks() const override;
    trace::FigureData figureData() const override;
    /// Room for a row or two: the dock above keeps its own.
    QSize minimumSizeHint() const override;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void measureAnimation() override;
    void showForm() override;

  private:
    /// What heads are measured for on a card; empty: it is no card, or there is nothing to explain.
    std::optional<Explained> explains() const;
    void followImportance(Content& shown) const;
    void followExplained(Content& shown, const Explained& of) const;
    void showCard();
    QWidget* buildChoices();
    /// How heads are removed, and whether the curve is shown.
    QWidget* buildRemoval();
    void layOutRemoval();
    QWidget* buildEmpty();
    QWidget* buildProgress();
    /// Nothing for the whole output.
    ImportanceScope scope() const;
    ShownScores shownScores() const;
    bool isKnown() const { return shown_.isKnown(); }
    void showState();
    void showProgress();
    void showScores();
    void showCaption();
    /// What the scores are of, and what the twin's column is.
    QString listCaption() const;
    std::optional<std::vector<analysis::HeadScore>> twinScores() const;
    /// By importance, then at random; none unless the curve is shown.
    std::vector<trace::RemovalWhat> orders(const Content& shown) const;
    void findRemovals(Content& shown) const;
    void showCurve();
    void showRemoval();
    analysis::RemovalComparison removals() const;
    /// Null if nothing is known of the curve.
    std::shared_ptr<const PlotPicture> curve() const;
    void chooseAblation(int kind);
    double limit() const;

    Selection* selection_;
    Content shown_;

    ImportanceRows rows_;
    ContrastField* contrast_;
    QComboBox* scope_;
    QComboBox* kind_;
    QComboBox* ablation_;
    QLineEdit* sentence_; ///< that heads are resampled from
    QCheckBox* withCurve_;
    ReadablePlot* curve_;
    QLabel* caption_;
    QStackedWidget* pages_;
    QWidget* choices_;
    QWidget* removal_;
    QLabel* hint_;
    QPushButton* measure_;
    QPushButton* again_; ///< where the importance is an earlier one
    QProgressBar* progress_;
    ColumnTable* table_;
    QWidget* whole_; ///< all but the card
    ImportanceCard* card_;
    double animationLimit_ = 0; ///< of the bars of all steps
};

} // namespace headscope::widgets
