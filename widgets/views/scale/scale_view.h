#pragma once

#include <QWidget>

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

class NumberBox;
class ColumnTable;
class PlotPicture;
class ReadablePlot;
class TemperatureSlider;

/// What the factor of q k does: how scores lie with it and without it, how their variance stands to d_k, and
/// how a head's rows sharpen and soften. Every page follows a temperature that a person drags.
class ScaleView : public View {
    Q_OBJECT

  public:
    enum class Page { Scores, Variance, Temperature };

    /// `selection` outlives the view.
    explicit ScaleView(Selection* selection, QWidget* parent = nullptr);
    ~ScaleView() override;

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;

    Page page() const;
    ScoreScope scope() const;
    double temperature() const { return temperature_; }
    /// The query whose row is drawn.
    int row() const;
    /// The sentence under the picture, or why there is no picture.
    QString caption() const;
    std::optional<Errand> errand() override;
    /// The same as a value: what is in sight and not known yet, without the twin.
    std::optional<ScaleQuestion> question() const;
    /// Of what question() asks for.
    ScaleKnown whatIsKnown() const;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    QString whyEmpty() const override { return caption(); }
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setPage(headscope::widgets::ScaleView::Page page);
    void setScope(headscope::widgets::ScoreScope scope);
    void setTemperature(double temperature);
    void setSpaceMarksShown(bool shown) override;
    void setAnswer(headscope::widgets::ScaleAnswer answer);
    /// How much of what is asked for is counted, from 0 to 1, now and then.
    void setShareCounted(double share);
    /// What is asked for cannot be counted.
    void showRefusal(const QString& words);
    /// Of the twin with random weights that is measured.
    void setTwinSeed(std::uint64_t seed) { twinSeed_ = seed; }
    /// While the twin runs the button stops it.
    void setMeasuringTwin(bool measuring);
    /// The spreads of the twin of the run that is shown.
    void setTwin(std::vector<headscope::analysis::HeadSpread> spreads, std::uint64_t seed);
    void showTwinRefusal(const QString& words);

  Q_SIGNALS:
    /// In every head of the model, as a change of it.
    void temperatureWanted(double temperature);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    QString headsInFigure(const ScaleQuestion* counted) const;
    // scale_view.cpp
    void buildControls();
    void buildPages();
    QWidget* controls();
    QWidget* variancePage();
    QWidget* temperaturePage();
    void connectPlots();
    void fit();
    void light(std::optional<int> query, std::optional<int> key);
    void headChanged();

    // scale_view_pages.cpp
    void showPage();
    void showTemperature();
    void showTemperatureControls();
    void showCurve();
    Errand measuringTwin();
    const ScaleAnswer* known() const;
    bool isRefused() const;
    /// The run left the selected head's maps out.
    bool isLong() const;
    bool hasHead() const { return scores_ || isLong(); }
    ScaleQuestion questionInSight() const;
    double droppedScale() const;
    bool isScaleKnown() const;

    // scale_view_variance.cpp
    void showVariance();
    QString varianceCaption() const;

    // scale_data.cpp
    trace::FigureData varianceData() const;

    // scale_view_heads.cpp
    QWidget* headsPage();
    void connectHeads();
    void fitHeads(bool isNarrow);
    void showHeads();
    /// Entropies, hard attention and curves.
    std::array<std::shared_ptr<const PlotPicture>, 3>
    headsPictures(std::optional<trace::HeadAddress> chosen) const;
    void drawHeads(QPainter& painter, const QRectF& area, const Theme& theme) const;
    QString headsCaption() const;
    trace::FigureData headsData() const;
    /// The page of the temperature shows many heads, or some rows of one that is long.
    bool showsHeads() const;
    const ScaleAnswer* knownHeads() const;
    /// What stands there is what is chosen, of this run.
    bool areHeadsChosen() const;

    // scale_view_words.cpp
    double wordsHeight(const QString& words, double width) const;
    QString whyNothing() const;
    QString whatTheTraceLacks() const;
    QString countingInWords() const;
    QString whatIsMissing() const;
    QString scoresCaption() const;
    QString temperatureCaption() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::optional<analysis::OpenScores> scores_; ///< of the selected head; looks at the run
    std::optional<ScaleAnswer> answer_;
    std::optional<ScaleAnswer> heads_; ///< at a temperature
    std::vector<analysis::HeadSpread> twin_;
    std::uint64_t twinSeed_ = 1;           ///< of the next one
    std::uint64_t twinShownOf_ = 1;        ///< of `twin_`
    double shareCounted_ = 0;              ///< of what is asked for
    std::optional<ScaleQuestion> refused_; ///< what cannot be answered
    QString refusal_;                      ///< and why
    QString twinRefusal_;
    bool measuringTwin_ = false;
    std::optional<double> varianceShownAt_; ///< the temperature; it is the same for every selected head
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
    QGridLayout* grid_ = nullptr; ///< of the page of the temperature
    ReadablePlot* scoresPlot_;
    ReadablePlot* variancePlot_;
    ColumnTable* varianceTable_;
    ReadablePlot* rowPlot_;
    ReadablePlot* mapPlot_;
    ReadablePlot* curvePlot_;
    QGridLayout* headsGrid_ = nullptr;
    ReadablePlot* entropiesPlot_; ///< of many heads, as the next two
    ReadablePlot* hardPlot_;
    ReadablePlot* curvesPlot_;
    QLabel* caption_;
};

} // namespace headscope::widgets
