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

/// The positional vectors as stored in the model, never computed from a formula: curves of selected
/// dimensions, the whole table, similarity of positions, wavelength of each dimension, a linear map that
/// shifts positions, shares of word and position in each token's vector, and in the scores of a first layer.
/// The last four are computed in the background.
class PositionalEncodingView : public View {
    Q_OBJECT

  public:
    enum Page { Curves, Table, Similarity, Wavelengths, Shift, Words, Scores };

    /// `selection` must outlive the view.
    explicit PositionalEncodingView(Selection* selection, QWidget* parent = nullptr);

    /// `run` may be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;

    Page page() const;
    PositionSide side() const;
    const std::vector<int>& dimensions() const { return dimensions_; }
    /// As requested; the similarity page shows at most mostCompared.
    int positionsShown() const;
    /// Comparing all pairs of more positions would block the window.
    static constexpr int mostCompared = 512;
    /// k of the shift.
    int offset() const;
    /// The caption, or the reason why there is no picture.
    QString caption() const;
    ScoreTermsPage* scoreTerms() const { return scores_; }
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    /// The question of the visible page, without the terms of long scores; nullopt if it has none.
    std::optional<PositionQuestion> question() const;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    void showPicture(const PictureOptions& options) override;
    QString whyEmpty() const override { return caption(); }
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    bool isZoomed() const override { return zoomedPage() && !zoomOf(*zoomedPage()).empty(); }
    /// Describes the visible part of a zoomed picture; empty: all is visible.
    QString partInWords() const;
    /// The visible part of a page; empty: all is visible. Curves: left and right end, lowest and highest
    /// value. Maps: left, top, width and height in cells.
    std::vector<double> zoomOf(Page page) const;
    /// The page whose zoom applies to the visible picture; nullopt if it cannot be zoomed.
    std::optional<Page> zoomedPage() const;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setPage(headscope::widgets::PositionalEncodingView::Page page);
    void setSide(headscope::widgets::PositionSide side);
    /// Selects dimensions (or heads), counted from 0; at most eight are drawn. Returns false and changes
    /// nothing if the table does not have all of them.
    bool setDimensions(const std::vector<int>& dimensions);
    /// Number of dimensions, or of heads for a distance bias; 0 if there are none.
    int dimensionCount() const { return table_.all ? table_.all->columns() : 0; }
    void setPositionsShown(int count);
    void setOffset(int offset);
    void setSpaceMarksShown(bool shown) override;
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
    /// For a model that rotates queries and keys, the scores page shows a score as a function of the
    /// distance.
    bool showsTurnedScore() const { return page() == Page::Scores && model() && !model()->rotation.empty(); }
    void showTurnedScore();
    QString turnedScoreCaption() const;
    std::optional<MapCell> turnedCell() const;
    /// The wavelengths of a rotation need no computation.
    bool showsRotation() const;
    /// Null before there is a run.
    const trace::ModelSummary* model() const { return run_ ? run_->model.get() : nullptr; }
    /// Why the question of the visible page cannot be answered; empty if it can.
    QString refusal() const;
    /// The answer for the visible page, possibly to its previous question; else null.
    const PositionAnswer* answer() const;
    const TokenShares& sharesOf(const PositionAnswer& answer) const;
    /// The head whose terms the scores page shows; nullopt if this side has none.
    std::optional<trace::HeadAddress> scoredHead() const;
    QString quantityInFigure() const;
    QString figureCaption() const;
    void followHead();
    QString tableCaption() const;
    QString whyNothing() const;
    QString whatIsMissing() const;
    trace::FigureData answeredData(const PositionAnswer& known) const;
    static constexpr int turnedReach = 64; ///< largest distance in either direction

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    PositionTable table_;
    std::shared_ptr<const trace::Matrix> measured_; ///< the table of origin_ and jump_
    analysis::PositionOrigin origin_;
    std::optional<analysis::LengthJump> jump_;
    std::vector<int> dimensions_{0}; ///< or heads of a distance bias
    bool hasOwnDimensions_ = false;  ///< chosen by the user: kept for another model
    std::shared_ptr<const PositionAnswer> answer_;
    QString saidRefusal_; ///< refusal() as the page shows it

    QTabBar* pages_;
    QComboBox* sides_;
    QWidget* dimensionsRow_;
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

/// Pages that can be zoomed, with the names of the choices that store the zoom.
inline constexpr std::array zoomedPages{
    std::pair{"curves-zoom", PositionalEncodingView::Page::Curves},
    std::pair{"table-zoom", PositionalEncodingView::Page::Table},
    std::pair{"similarity-zoom", PositionalEncodingView::Page::Similarity}};

} // namespace headscope::widgets
