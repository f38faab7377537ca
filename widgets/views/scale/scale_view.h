#pragma once

#include <QWidget>

#include "widgets/controls/marked_slider.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/scale/scale_question.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTabBar;

namespace headscope::widgets {

class ColumnTable;
class NumberBox;
class PlotPicture;
class ReadablePlot;
class TemperatureSlider;

/// Shows what the factor of q k does: the distribution of scores with and without it, their variance against
/// d_k, and how temperature sharpens or softens the rows of a head. All pages follow the temperature of the
/// slider.
class ScaleView : public View {
    Q_OBJECT

  public:
    enum Page { Scores, Variance, Temperature };

    /// `selection` must outlive the view.
    explicit ScaleView(Selection* selection, QWidget* parent = nullptr);

    /// `run` may be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;

    Page page() const;
    ScoreScope scope() const;
    double temperature() const { return temperature_; }
    /// The query whose row is shown.
    int row() const;
    /// The caption, or the reason why there is no picture.
    QString caption() const;
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    /// What is shown and not known yet, without the twin; nullopt if nothing is missing.
    std::optional<ScaleQuestion> question() const;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    QString whyEmpty() const override { return caption(); }
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setPage(headscope::widgets::ScaleView::Page page);
    void setScope(headscope::widgets::ScoreScope scope);
    void setTemperature(double temperature);
    void setSpaceMarksShown(bool shown) override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    QString headsInFigure(const ScaleQuestion* counted) const;
    void buildControls();
    void buildPages();
    QWidget* controls();
    QWidget* variancePage();
    QWidget* temperaturePage();
    void connectPlots();
    void fit();
    void light(std::optional<int> query, std::optional<int> key);
    void headChanged();

    void showPage();
    void showTemperature();
    void showTemperatureControls();
    const ScaleAnswer* known() const;
    /// Why what is shown cannot be computed; empty if it can.
    QString refusal() const;
    /// Share that is computed of it, 0 to 1.
    double shareCounted() const;
    void take(const std::shared_ptr<const ScaleAnswer>& answer);
    /// While the twin is measured, the button stops it.
    void setMeasuringTwin(bool measuring);
    std::optional<TwinSpreads> measuringTwin() const;
    void refreshTwin();
    /// Returns true if the maps of the selected head are not stored.
    bool isLong() const;
    bool hasHead() const { return scores_ || isLong(); }
    ScaleQuestion questionInSight() const;
    double droppedScale() const;
    bool isScaleKnown() const;

    void showVariance();

    QWidget* headsPage();
    void connectHeads();
    void fitHeads(bool isNarrow);
    void showHeads();
    /// Entropies, hard attention and curves.
    std::array<std::shared_ptr<const PlotPicture>, 3>
    headsPictures(std::optional<trace::HeadAddress> chosen) const;
    FigureBlock headsBlock() const;
    FigureBlock temperatureBlock() const;
    /// Returns true if the temperature page shows many heads, or samples rows of a head with a long map.
    bool showsHeads() const;
    const ScaleAnswer* knownHeads() const;
    /// Returns true if the shown heads are those in scope, of this run.
    bool areHeadsChosen() const;

    QString whyNothing() const;
    QString whatTheTraceLacks() const;
    QString countingInWords() const;
    QString whatIsMissing() const;
    QString pageCaption() const;
    QString temperatureCaption() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::optional<analysis::OpenScores> scores_; ///< of the selected head; refers to the run
    std::shared_ptr<const ScaleAnswer> answer_;
    std::shared_ptr<const ScaleAnswer> heads_; ///< at a temperature
    std::shared_ptr<const ScaleAnswer> taken_; ///< the last answer that was taken
    std::vector<analysis::HeadSpread> twin_;
    std::uint64_t twinShownOf_ = 1; ///< seed of `twin_`
    QString saidRefusal_;           ///< what the caption says of the question
    double saidShare_ = 0;
    QString twinRefusal_;
    bool measuringTwin_ = false;
    std::optional<double>
        varianceShownAt_; ///< temperature of the variance page, which is the same for every selected head
    double temperature_ = 1;
    bool spaceMarks_ = true;

    QTabBar* pages_;
    QComboBox* scopes_;
    QPushButton* twinButton_;
    TemperatureSlider* slider_;
    NumberBox* temperatureBox_;
    QPushButton* asTrained_;
    QPushButton* unscaled_;
    QPushButton* apply_;
    QScrollArea* area_;
    QStackedWidget* stack_;
    QGridLayout* grid_ = nullptr; ///< of the temperature page
    ReadablePlot* scoresPlot_;
    ReadablePlot* variancePlot_;
    ColumnTable* varianceTable_;
    ReadablePlot* rowPlot_;
    ReadablePlot* mapPlot_;
    ReadablePlot* curvePlot_;
    QGridLayout* headsGrid_ = nullptr;
    ReadablePlot* entropiesPlot_; ///< this and the next two: of many heads
    ReadablePlot* hardPlot_;
    ReadablePlot* curvesPlot_;
    QLabel* caption_;
};

/// A logarithmic slider for temperatures.
class TemperatureSlider : public MarkedSlider {
    Q_OBJECT

  public:
    explicit TemperatureSlider(QWidget* parent = nullptr);

    double temperature() const;
    /// Emits nothing.
    void setTemperature(double temperature);
    /// Ignores temperatures out of range.
    void setMarks(const std::vector<double>& temperatures);

  Q_SIGNALS:
    /// Emitted if the user moves the slider.
    void temperatureChanged(double temperature);
};

} // namespace headscope::widgets
