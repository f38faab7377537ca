#pragma once

#include <QWidget>

#include "model/analysis/positions/position_origin.h"
#include "widgets/map/map_layout.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/positions/position_question.h"
#include "widgets/views/positions/position_table.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QStackedWidget;
class QTabBar;

namespace headscope::widgets {

class NumberMap;
class PositionCurves;
class ReadablePlot;
class ScoreTermsPage;
class ShiftPage;
class WordPositionPage;

/// The positional vectors that the model adds, as it holds them, never as a formula says: curves of chosen
/// dimensions, the whole table, how alike positions are, after how many positions a dimension repeats, how
/// well a linear map shifts positions, how much of each token's vector is position, and how much of a first
/// layer's scores. The last four take a while.
class PositionalEncodingView : public View {
    Q_OBJECT

  public:
    enum class Page { Curves, Table, Similarity, Wavelengths, Shift, Words, Scores };

    /// `selection` outlives the view.
    explicit PositionalEncodingView(Selection* selection, QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;

    Page page() const;
    PositionSide side() const;
    const std::vector<int>& dimensions() const { return dimensions_; }
    /// As asked for; similarity shows no more than mostCompared.
    int positionsShown() const;
    /// Comparing each two of more positions would stall the window.
    static constexpr int mostCompared = 512;
    /// k of the shift.
    int offset() const;
    /// The sentence under the picture, or why there is no picture.
    QString caption() const;
    ScoreTermsPage* scoreTerms() const { return scores_; }
    /// What the page in sight still needs to know.
    std::optional<Errand> errand() override;
    /// The same as a value: what the page in sight asks, without the terms of long scores.
    std::optional<PositionQuestion> question() const;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    /// Of curves, whose dashes take long.
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    FigureText figureText() const override;
    void showPicture(const PictureOptions& options) override;
    QString whyEmpty() const override { return caption(); }
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    /// Which part of the picture a person has zoomed in on, in a sentence; empty: all is seen.
    QString partInWords() const;
    /// The same in numbers, whatever page is in sight; empty: all of it. Of curves their left and right end,
    /// the lowest and the highest value; of maps left, top, width and height in cells.
    std::vector<double> zoomOf(Page page) const;
    /// The page whose zoom the picture in sight has; nothing where it has none.
    std::optional<Page> zoomedPage() const;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setPage(headscope::widgets::PositionalEncodingView::Page page);
    void setSide(headscope::widgets::PositionSide side);
    /// Dimensions count from 0; at most eight are drawn.
    /// False where what is shown has not all of them: it stays as it is.
    bool setDimensions(const std::vector<int>& dimensions);
    /// Or heads, where numbers are by head; 0 where there are none.
    int dimensionCount() const;
    void setPositionsShown(int count);
    void setOffset(int offset);
    void setSpaceMarksShown(bool shown) override;
    /// Ignored unless it answers question().
    void setAnswer(headscope::widgets::PositionAnswer answer);
    void setZoom(headscope::widgets::PositionalEncodingView::Page page, const std::vector<double>& zoom);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void buildControls();
    void buildPages();
    void connectSelection();
    void tableChanged();
    void measureTable();
    void showDimensions();
    void showPage();
    void keepHeights();
    void showControls();
    void showTable();
    void showVectors(const trace::Matrix& shown, const std::vector<int>& marked);
    void showSimilarity(const trace::Matrix& shown, const std::vector<int>& marked);
    void showAnswer();
    void showWavelengths();
    void showRotation();
    bool readDimensions();
    void followFocus();
    void connectPlots();
    std::size_t shownRows() const;
    bool isAnswered() const { return page() >= Page::Wavelengths && !showsRotation(); }
    /// Of a model that turns queries and keys, the page of scores shows one as a function of the distance.
    bool showsTurnedScore() const;
    void showTurnedScore();
    QString turnedScoreCaption() const;
    std::optional<MapCell> turnedCell() const;
    /// The wavelengths of a rotation are known without asking.
    bool showsRotation() const;
    /// Null before there is a run.
    const trace::ModelSummary* model() const { return run_ ? run_->model.get() : nullptr; }
    /// What this page asks; nothing where there is nothing to ask about.
    std::optional<PositionQuestion> wanted() const;
    /// Known of what this page is about, though perhaps of the question before; else null.
    const PositionAnswer* answer() const;
    const TokenShares& sharesOf(const PositionAnswer& answer) const;
    /// Of which the page of scores shows the terms; nothing where this side has none.
    std::optional<trace::HeadAddress> scoredHead() const;
    QString quantityInFigure() const;
    QString figureCaption() const;
    void followHead();
    QString tableCaption() const;
    QString whyNothing() const;
    QString whatIsMissing() const;
    /// With what the size leaves unnamed.
    QString figureWords(QSize size) const;
    QRectF pictureArea(QSize size) const { return areaAbove(figureWords(size), size); }
    QRectF areaAbove(const QString& words, QSize size) const;
    trace::FigureData answeredData(const PositionAnswer& known) const;
    static constexpr int turnedReach = 64; ///< distances each way

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    PositionTable table_;
    std::shared_ptr<const trace::Matrix> measured_; ///< whose origin and jump are known
    analysis::PositionOrigin origin_;
    std::optional<analysis::LengthJump> jump_;
    std::vector<int> dimensions_{0}; ///< or heads, of a table by distance; from 0
    bool hasOwnDimensions_ = false;  ///< a person wrote them: they stay where the model is another one
    std::optional<PositionAnswer> answer_;

    QTabBar* pages_;
    QComboBox* sides_;
    QLabel* dimensionsLabel_;
    QLineEdit* dimensionsEdit_;
    QSpinBox* positions_;
    QSpinBox* offset_;
    QLabel* result_; ///< R² of the shift
    QLabel* notice_;
    QStackedWidget* stack_;
    PositionCurves* curves_;
    NumberMap* map_;
    NumberMap* similarity_;
    ReadablePlot* wavelengths_;
    ShiftPage* shift_;
    WordPositionPage* words_;
    ScoreTermsPage* scores_;
    QLabel* caption_;
};

/// Pages that can be zoomed into, by the choice that keeps how far.
inline constexpr std::array zoomedPages{
    std::pair{"curves-zoom", PositionalEncodingView::Page::Curves},
    std::pair{"table-zoom", PositionalEncodingView::Page::Table},
    std::pair{"similarity-zoom", PositionalEncodingView::Page::Similarity}};

} // namespace headscope::widgets
