#pragma once

#include <QWidget>

#include "widgets/animated_figure.h"
#include "widgets/map/map_layout.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/compare/compare_bar.h"
#include "widgets/views/compare/compare_question.h"
#include "widgets/views/compare/compare_words.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QStackedWidget;
class QTabBar;

namespace headscope::widgets {

class ColumnTable;
struct LinkedMap;
class LinkedMaps;
struct TableFigure;

/// Two runs beside each other: the maps of a head of each on aligned tokens and their difference, the heads
/// that changed most, rows and keys in numbers, and what was said.
class CompareView : public View, public AnimatedFigure {
    Q_OBJECT

  public:
    enum class Page { Heads, Rows, Keys, Output };

    /// `selection` outlives the view.
    explicit CompareView(Selection* selection, QWidget* parent = nullptr);
    ~CompareView() override;

    CompareBar* bar() const { return bar_; }
    Page page() const;
    /// Both are null where there is nothing to compare, and `why` says what to do.
    void setPair(const ComparedPair& pair, const PairNames& names, const QString& why = {});
    const ComparedPair& pair() const { return pair_; }
    /// Why no maps are shown; empty where they are.
    QString whyNot() const;

    /// What is to be known for the maps; nothing without a pair.
    std::optional<CompareQuestion> question() const;
    /// The pair whose distributions are to be compared step by step; nothing where that is done, or nobody
    /// looks at them.
    std::optional<ComparedPair> wantedSteps() const;

    const LinkedMaps* maps() const { return maps_; }
    void setModel(std::shared_ptr<const trace::ModelSummary> model) override;
    void forgetTyped() override;
    QWidget* takesKeys() const override;
    /// Branches are compared, of which one is to be chosen.
    void act(const std::string& action) override;
    /// The maps of the head, then the heads where their table is shown; whoever makes the pair also answers
    /// wantedSteps().
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    /// Rows are those of changes().
    const ColumnTable* heads() const { return heads_; }
    const std::vector<analysis::HeadChange>& changes() const;
    /// The sentences above and under the maps.
    QString caption() const;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    trace::FigureData figureData() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    bool hasFigure() const override;
    void setRowsDecoded(std::optional<std::size_t> rows) override;
    /// Its table stands as it does at first: heads that changed most come first.
    bool isInUsualOrder() const;

  public Q_SLOTS:
    void setPage(headscope::widgets::CompareView::Page page);
    /// A's steps, as long as both could be compared; empty where they cannot.
    void setSteps(std::vector<headscope::analysis::StepComparison> steps);
    void setSpaceMarksShown(bool shown) override;

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    // compare_view.cpp
    void buildTables();
    void buildLayout();
    void keepHeights();
    void followHead();
    void turnPage(int page);
    void refreshMaps(const CompareQuestion& asks);
    void refreshHeads();

    // compare_figure.cpp
    bool hasTable() const;
    TableFigure tableFigure() const;

    // compare_view_pages.cpp
    void showMaps();
    void showTables();
    void showRows();
    void showKeys();
    void showOutput();
    void showHeads();
    QString whyEmpty() const override;
    void setEmptyState();
    /// The three maps as they are drawn, with what they were cut to.
    std::array<LinkedMap, 3> mapsInSight();
    QString cellInWords(MapCell cell) const;
    std::vector<TokenLabel> labels(bool queries) const;
    QString placeInWords(MapCell cell) const;

    // compare_view_focus.cpp
    void lightWindow();
    void lightMaps();
    TokenFocus toWindow(const TokenFocus& focus) const;
    TokenFocus fromWindow(const TokenFocus& focus) const;

    Selection* selection_;
    Selection* rows_; ///< what is lit on the aligned axes, which no other view has
    ComparedPair pair_;
    PairNames names_;
    QString whyNot_;
    std::shared_ptr<const CompareAnswer> answer_; ///< of the head before, until the next is there
    std::vector<std::size_t> shownRows_;          ///< places of the answer's axes
    std::vector<std::size_t> shownColumns_;
    std::shared_ptr<const ComparedHeads::Value> changes_; ///< null until they are there
    std::optional<ComparedPair> stepsOf_;
    QString saidOfMaps_;         ///< in the bar, while they are computed
    QString saidOfHeads_;        ///< instead of their table
    bool isTurningPage_ = false; ///< what was refused is wanted no more for a moment
    std::vector<analysis::StepComparison> steps_;
    bool mirroring_ = false;
    bool spaceMarks_ = true;

    CompareBar* bar_;
    LinkedMaps* maps_;
    QLabel* caption_;
    QTabBar* pages_;
    QStackedWidget* stack_;
    ColumnTable* heads_;
    ColumnTable* rowTable_;
    ColumnTable* keyTable_;
    ColumnTable* outputTable_;
    QLabel* pageWords_;
};

} // namespace headscope::widgets
