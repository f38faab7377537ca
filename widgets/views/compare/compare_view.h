#pragma once

#include <QWidget>

#include "widgets/animated_figure.h"
#include "widgets/map/map_layout.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/compare/chosen_other.h"
#include "widgets/views/compare/compared_quantity.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QFrame;
class QLabel;
class QProgressBar;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace headscope::widgets {

class ChangeStrip;
class ColumnTable;
class CompareStart;
class CompareTitles;
struct LinkedMap;
class LinkedMaps;
class Patience;
struct TableFigure;
class WrappedLabel;

/// Two runs beside each other: the maps of a head of each on aligned tokens and their difference, the heads
/// that changed most, and in a drawer tables of heads, rows, keys and what was said.
class CompareView : public View, public AnimatedFigure {
    Q_OBJECT

  public:
    enum class Page { Heads, Rows, Keys, Output };

    /// `selection` outlives the view.
    explicit CompareView(Selection* selection, QWidget* parent = nullptr);
    ~CompareView() override;

    CompareBar* bar() const { return bar_; }
    /// Of the figure; in the window its table is seen in the open drawer.
    Page page() const { return page_; }
    bool isDrawerOpen() const;
    /// Both are null where there is nothing to compare.
    const ComparedPair& pair() const { return pair_; }
    /// Why no maps are shown; empty where they are.
    QString whyNot() const;

    /// What is to be known for the maps; nothing without a pair.
    std::optional<CompareQuestion> question() const;
    const LinkedMaps* maps() const { return maps_; }
    const CompareTitles* titles() const { return titles_; }
    const ChangeStrip* strip() const { return strip_; }
    void setModel(std::shared_ptr<const trace::ModelSummary> model) override;
    void forgetTyped() override;
    void noteIntent(const Intent& intent) override;
    QWidget* takesKeys() const override;
    void showPicture(const PictureOptions& options) override;
    QString whyNot(const std::string& action) const override;
    /// Paths are compared, of which one is to be chosen; or the next head is shown that changed less or more.
    void act(const std::string& action) override;
    /// B, then the maps of the head, in weights and in the chosen quantity, then what the page shows.
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    /// Rows are those of changes().
    const ColumnTable* heads() const { return heads_; }
    const std::vector<analysis::HeadChange>& changes() const;
    /// The sentences above and under the maps.
    QString caption() const;

    std::optional<FigureBlocks> figureBlocks() const override;
    trace::FigureData figureData() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    bool hasFigure() const override;
    void setRowsDecoded(std::optional<std::size_t> rows) override;
    /// Its table stands as it does at first: heads that changed most come first.
    bool isInUsualOrder() const;
    QString whyEmpty() const override;
    QString wayOutInWindow() const override;
    QString wayOutOfCommand() const override;

  public Q_SLOTS:
    /// Another page opens the drawer.
    void setPage(headscope::widgets::CompareView::Page page);
    void setDrawerOpen(bool open);
    void setSpaceMarksShown(bool shown) override;

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    /// "[" and "]" of the window, as long as this view is seen.
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void buildTables();
    void buildLayout();
    QWidget* newDrawer();
    void connectBar();
    void keepHeights();
    void turnPage(Page page);
    void swap();
    QString whyNotSwapped() const;
    void goToChanged(int by);
    /// Of the selected head among changes, most changed first, from 0; nothing: it did not change.
    std::optional<std::size_t> rankOfHead() const;
    /// What was refused is asked again.
    void askAgain();
    void fillBar();
    void fillHeads();
    void fillBranchesAndSteps();
    void choose(const char* name, ChoiceValue value);
    /// Shows B as it is known.
    void followOther();
    void setPair(const ComparedPair& pair, const PairNames& names);
    /// What is known of the comparison of weights, in the chosen quantity.
    QuantityAnswer known(const CompareQuestion& asks) const;
    void refreshMaps(const CompareQuestion& asks);
    void refreshHeads();
    void refreshSteps();
    std::optional<trace::Wanted> stepsQuestion() const;
    std::pair<QString, double> busyWith() const;
    QString busyWords() const;
    bool hasTable() const;
    TableFigure tableFigure() const;
    void showMaps();
    /// B is on its way.
    bool isWorking() const;
    /// A, and empty places for the rest.
    void showFirstAlone();
    void showTitles();
    void showStrip();
    void showKey();
    void showBusy(bool isLate);
    void showStep();
    std::optional<ChangedMaps> stripQuestion() const;
    std::optional<trace::HeadAddress> headOfCommonKind() const;
    void showTables();
    void showRows();
    void showKeys();
    void showOutput();
    void showHeads();
    void setEmptyState();
    /// The three maps as they are drawn, with what they were cut to.
    std::array<LinkedMap, 3> mapsInSight();
    QString cellInWords(MapCell cell) const;
    QString cellTip(MapCell cell) const;
    std::vector<TokenLabel> labels(bool queries) const;
    QString placeInWords(MapCell cell) const;
    void lightWindow();
    void lightMaps();
    TokenFocus toWindow(const TokenFocus& focus) const;
    TokenFocus fromWindow(const TokenFocus& focus) const;

    Selection* selection_;
    Selection* rows_;   ///< what is lit on the aligned axes, which no other view has
    ChosenOther other_; ///< of the last complete run
    ComparedPair pair_;
    PairNames names_;
    std::shared_ptr<const CompareAnswer> answer_; ///< of the head before, until the next is there
    std::vector<std::size_t> shownRows_;          ///< places of the answer's axes
    std::vector<std::size_t> shownColumns_;
    std::shared_ptr<const ComparedHeads::Value> changes_;   ///< null until they are there
    std::vector<analysis::HeadChange> byChange_;            ///< of them, most changed first
    std::shared_ptr<const ChangedMaps::Value> changedMaps_; ///< of the first of those
    std::optional<std::pair<OtherRun, OtherRun>> reading_;  ///< A and B, where their steps can be compared
    std::optional<ComparedSteps> asksSteps_;                ///< once A's is there
    std::shared_ptr<const ComparedSteps::Value> steps_;
    QString saidOfMaps_; ///< while they are computed
    double shareOfMaps_ = 0;
    QString whyNoAnswer_;        ///< empty: they are not refused
    QString saidOfHeads_;        ///< instead of their table
    bool isAskingAgain_ = false; ///< what was refused is wanted no more for a moment
    // What the bar shows.
    DocumentState::Branches shownBranches_;
    std::string shownSentence_;
    std::string shownHead_ = "same";
    bool isAlignedOnly_ = false; ///< as it is shown
    std::string shownSecond_;
    bool mirroring_ = false;
    bool spaceMarks_ = true;

    CompareBar* bar_;
    QStackedWidget* body_; ///< the maps, or why there are none
    CompareStart* start_;
    LinkedMaps* maps_;
    CompareTitles* titles_;
    ChangeStrip* strip_;
    QFrame* busy_; ///< over the place of B
    QLabel* busyWords_;
    QProgressBar* busyShare_;
    Patience* patience_; ///< until it is shown
    WrappedLabel* key_;  ///< how labels and hatching are to be read
    Page page_ = Page::Heads;
    QSplitter* split_;
    QWidget* drawer_;
    std::vector<QToolButton*> pages_;
    QStackedWidget* stack_;
    ColumnTable* heads_;
    ColumnTable* rowTable_;
    ColumnTable* keyTable_;
    ColumnTable* outputTable_;
    QLabel* pageWords_;
};

} // namespace headscope::widgets
