#pragma once

#include <QWidget>

#include "widgets/controls/marked_slider.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/scale/scale_question.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace headscope::widgets {

class CardColumns;
class CardHead;
class ColumnTable;
class NumberBox;
class PlotPicture;
class ReadablePlot;
class TemperatureSlider;

/// Shows what the factor of q k does: the distribution of scores with and without it, their variance against
/// d_k, and how temperature sharpens or softens the rows of a head, each in a card. All follow the
/// temperature of the slider. A figure shows one page: the one that was chosen, or whose card has the keys.
class ScaleView : public View {
    Q_OBJECT

  public:
    enum Page { Scores, Variance, Temperature };

    /// `selection` must outlive the view.
    explicit ScaleView(Selection* selection, QWidget* parent = nullptr);

    /// `run` may be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;

    Page page() const { return page_; }
    ScoreScope scope() const;
    double temperature() const { return temperature_; }
    /// The query whose row is shown.
    int row() const;
    /// The caption, or the reason why there is no picture.
    QString caption() const { return caption(page()); }
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    /// What the page shows and is not known yet, without the twin; nullopt if nothing is missing.
    std::optional<ScaleQuestion> question() const { return question(page()); }
    QWidget* canvasLine() const override { return bar_; }
    void showPicture(const PictureOptions&) override { isPicture_ = true; }

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    QString whyEmpty() const override { return caption(); }
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    bool hasFigure() const override { return hasFigure(page()); }
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setPage(headscope::widgets::ScaleView::Page page);
    void setScope(headscope::widgets::ScoreScope scope);
    void setTemperature(double temperature);
    void setSpaceMarksShown(bool shown) override;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    QString headsInFigure(const ScaleQuestion* counted) const;
    /// A card with a head, controls, and a page in whose place stands why there is none.
    struct Card {
        CardHead* head = nullptr;
        QStackedWidget* pages = nullptr;
        QLabel* missing = nullptr;
    };
    void buildBar();
    void buildCards();
    QWidget* newCard(Page page, const QString& title, QWidget* controls, const std::vector<QWidget*>& pages);
    bool showCard(Page page, int which = 0);
    QWidget* controls();
    QWidget* variancePage();
    QWidget* temperaturePage();
    std::vector<Page> pagesInSight() const;
    std::optional<ScaleQuestion> question(Page page) const;
    bool hasFigure(Page page) const;
    QString caption(Page page) const;
    void connectPlots();
    void fit();
    void light(std::optional<int> query, std::optional<int> key);
    void headChanged();

    void showPage();
    void showTemperature();
    void showTemperatureControls();
    const ScaleAnswer* known() const;
    /// Why what a page shows cannot be computed; empty if it can.
    QString refusal(Page page) const;
    /// Share that is computed of it, 0 to 1.
    double shareCounted(Page page) const;
    void take(const std::shared_ptr<const ScaleAnswer>& answer);
    /// While the twin is measured, the button stops it.
    void setMeasuringTwin(bool measuring);
    std::optional<TwinSpreads> measuringTwin() const;
    void refreshTwin();
    /// Returns true if the maps of the selected head are not stored.
    bool isLong() const;
    bool hasHead() const { return scores_ || isLong(); }
    ScaleQuestion questionOf(Page page) const;
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
    bool showsHeads() const { return scope() != ScoreScope::Head || isLong(); }
    bool showsHeads(Page page) const { return page == Page::Temperature && showsHeads(); }
    const ScaleAnswer* knownHeads() const;
    /// Returns true if the shown heads are those in scope, of this run.
    bool areHeadsChosen() const;

    QString whyNothing(Page page) const;
    QString whatTheTraceLacks(Page page) const;
    QString countingInWords(Page page) const;
    QString pageCaption(Page page) const;
    QString temperatureCaption() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::optional<analysis::OpenScores> scores_; ///< of the selected head; refers to the run
    std::shared_ptr<const ScaleAnswer> answer_;
    std::shared_ptr<const ScaleAnswer> heads_;                 ///< at a temperature
    std::map<Page, std::shared_ptr<const ScaleAnswer>> taken_; ///< the last answers that were taken
    std::vector<analysis::HeadSpread> twin_;
    std::uint64_t twinShownOf_ = 1;        ///< seed of `twin_`
    std::map<Page, QString> saidRefusals_; ///< what captions say of the questions
    std::map<Page, double> saidShares_;
    QString twinRefusal_;
    bool measuringTwin_ = false;
    std::optional<double>
        varianceShownAt_; ///< temperature of the variance page, which is the same for every selected head
    double temperature_ = 1;
    bool spaceMarks_ = true;
    Page page_ = Scores;
    bool isPicture_ = false; ///< drawn by a command: only the page is asked about

    QWidget* bar_;
    QLabel* line_; ///< on the model
    std::array<Card, 3> cards_;
    CardColumns* columns_;
    QComboBox* scopes_;
    QPushButton* twinButton_;
    TemperatureSlider* slider_;
    NumberBox* temperatureBox_;
    QPushButton* reset_;
    QPushButton* unscaled_;
    QPushButton* apply_;
    QWidget* controls_ = nullptr;
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
