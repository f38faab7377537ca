#pragma once

#include <QWidget>

#include "model/analysis/positions/position_origin.h"
#include "widgets/map/map_layout.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/positions/position_question.h"
#include "widgets/views/positions/position_table.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QLabel;
class QLineEdit;
class QSpinBox;
class QStackedWidget;

namespace headscope::widgets {

class CardColumns;
class CardFrame;
class CardHead;
class DimensionPills;
class NumberMap;
class PositionCurves;
class ReadablePlot;
class ScoreTermsPage;
class Segments;
class ShiftPage;
class WordPositionPage;
struct Plot;

/// The positional vectors as stored in the model, never computed from a formula, in three cards: what is
/// added (curves of selected dimensions, the whole table, similarity of positions), how it turns (wavelength
/// of each dimension, a linear map that shifts positions), and what heads do with it (shares of word and
/// position in the scores of a first layer, and in each token's vector). What the last two show is computed
/// in the background. What the model lacks is left out. A figure shows one page: the one that was chosen, or
/// whose card has the keys.
class PositionalEncodingView : public View {
    Q_OBJECT

  public:
    enum Page { Curves, Table, Similarity, Wavelengths, Shift, Words, Scores };

    /// `selection` must outlive the view.
    explicit PositionalEncodingView(Selection* selection, QWidget* parent = nullptr);

    /// `run` may be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;

    Page page() const { return page_; }
    PositionSide side() const;
    const std::vector<int>& dimensions() const { return dimensions_; }
    /// As requested; the similarity page shows at most mostCompared.
    int positionsShown() const;
    /// Comparing all pairs of more positions would block the window.
    static constexpr int mostCompared = 512;
    /// k of the shift.
    int offset() const;
    /// The caption, or the reason why there is no picture.
    QString caption() const { return caption(page()); }
    ScoreTermsPage* scoreTerms() const { return scores_; }
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    /// The question of a page, without the terms of long scores; nullopt if it has none.
    std::optional<PositionQuestion> question() const { return question(page()); }
    std::optional<PositionQuestion> question(Page page) const;
    QWidget* canvasLine() const override { return bar_; }

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
    bool hasFigure() const override { return hasFigure(page()); }
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
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    /// Pages, and in their place what is said if there is none.
    struct Place {
        QStackedWidget* pages = nullptr;
        QLabel* missing = nullptr;
    };
    void buildBar();
    void buildControls();
    Place newPlace(const std::vector<QWidget*>& pages);
    /// Shows the widget of a page there, or why there is nothing.
    bool showIn(const Place& place, QWidget* shown, Page page);
    QWidget* addedCard();
    QWidget* turnsCard();
    QWidget* headsCard();
    void enter(const QWidget* widget);
    void showCards();
    void showBar();
    void showAdded();
    void showTurns();
    void showHeads();
    bool hasFigure(Page page) const;
    QString caption(Page page) const;
    QString headsHelp() const;
    bool rotates() const { return model() && !model()->rotation.empty(); }
    // What the cards show.
    Page addedPage() const;
    Page turnsPage() const;
    bool hasTurns() const;
    bool hasHeads() const;
    bool hasWords() const;
    std::vector<Page> pagesInSight() const;
    void connectSelection();
    void tableChanged();
    struct Measured {
        std::shared_ptr<const trace::Matrix> table;
        analysis::PositionOrigin origin;
        std::optional<analysis::LengthJump> jump;
    };
    const Measured& measured() const; ///< of table_.all, which is there
    void showDimensions();
    void showTable(Page page);
    void showVectors(const trace::Matrix& shown, const std::vector<int>& marked);
    void showSimilarity(const trace::Matrix& shown, const std::vector<int>& marked);
    Plot wavelengthPlot() const;
    void showWavelengths();
    /// Of dimensions, or of pairs that are rotated: the positions after which each repeats; 0: unknown.
    std::vector<double> wavelengthsShown() const;
    void showNearest(Plot& plot, const std::vector<double>& lengths);
    bool chooseDimensions(const QString& numbers);
    void followFocus();
    void connectPlots();
    std::size_t shownRows(Page page) const;
    /// Scores and what follows are computed in the background; the wavelengths of a rotation are not.
    bool isAnswered(Page page) const { return page >= Page::Wavelengths && !showsRotation(page); }
    bool showsRotation(Page page) const { return page == Page::Wavelengths && rotates(); }
    /// For a model that rotates queries and keys, the scores page shows a score as a function of the
    /// distance.
    bool showsTurnedScore(Page page) const { return page == Page::Scores && rotates(); }
    void showTurnedScore();
    QString turnedScoreCaption() const;
    std::optional<MapCell> turnedCell() const;
    /// Null before there is a run.
    const trace::ModelSummary* model() const { return run_ ? run_->model.get() : nullptr; }
    /// Why the question of a page cannot be answered; empty if it can.
    QString refusal(Page page) const;
    /// The answer for a page, possibly to its previous question; else null.
    const PositionAnswer* answer(Page page) const;
    const TokenShares& sharesOf(const PositionAnswer& answer) const;
    /// The head whose terms the scores page shows; nullopt if this side has none.
    std::optional<trace::HeadAddress> scoredHead() const;
    QString quantityInFigure() const;
    QString figureCaption() const;
    void followHead();
    QString tableCaption(Page page) const;
    QString whyNothing(Page page) const;
    trace::FigureData answeredData(const PositionAnswer& known) const;
    static constexpr int turnedReach = 64; ///< largest distance in either direction

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    PositionTable table_;
    mutable Measured measured_;
    std::vector<int> dimensions_{0}; ///< or heads of a distance bias
    bool hasOwnDimensions_ = false;  ///< chosen by the user: kept for another model
    std::map<PositionQuestion::About, std::shared_ptr<const PositionAnswer>> answers_;
    std::map<Page, QString> saidRefusals_; ///< refusal() as the cards show it
    Page page_ = Curves;
    bool isPicture_ = false; ///< drawn by a command: only the page is asked about

    QWidget* bar_;
    QLabel* line_; ///< on the model
    Segments* sides_;
    CardColumns* cards_;
    CardHead* addedHead_;
    CardHead* turnsHead_;
    CardFrame* turnsFrame_;
    CardFrame* headsFrame_;
    Segments* addedPages_;
    Segments* turnsPages_;
    Place added_;
    Place turns_;
    Place heads_;
    QLabel* nearestLabel_;
    QLineEdit* nearest_;
    QLabel* found_; ///< dimensions with the nearest wavelength
    DimensionPills* pills_;
    QSpinBox* positions_;
    QSpinBox* offset_;
    QLabel* result_; ///< R² of the shift
    QLabel* notice_;
    PositionCurves* curves_;
    NumberMap* map_;
    NumberMap* similarity_;
    ReadablePlot* wavelengths_;
    ShiftPage* shift_;
    WordPositionPage* words_;
    ScoreTermsPage* scores_;
};

/// Pages that can be zoomed, with the names of the choices that store the zoom.
inline constexpr std::array zoomedPages{
    std::pair{"curves-zoom", PositionalEncodingView::Page::Curves},
    std::pair{"table-zoom", PositionalEncodingView::Page::Table},
    std::pair{"similarity-zoom", PositionalEncodingView::Page::Similarity}};

} // namespace headscope::widgets
