#pragma once

#include <QWidget>

#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/drawing/colour_scale.h"
#include "widgets/map/map_options.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/heatmap/map_questions.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

class QGridLayout;
class QScrollArea;
class QStackedLayout;

namespace headscope::widgets {

class HeadPanel;
class HeatmapView;
struct Theme;

/// Those that are pinned, and the selected one behind them where it is not among them; none as long as none
/// is pinned.
std::vector<trace::HeadAddress> comparedHeads(const Selection& selection);

/// How far heads are from each other.
struct HeadDistances {
    /// Mean divergence of heads from the reference of their kind; nothing where no row counts.
    using Value = std::map<trace::HeadAddress, std::optional<double>>;

    std::shared_ptr<const trace::Run> run;
    std::vector<trace::HeadAddress> heads;
    trace::HeadAddress selected;

    Value count(const trace::Task& work) const;
    friend bool operator==(const HeadDistances&, const HeadDistances&) = default;
};

/// What the others of a kind are compared with: the selected head, else the first one.
std::optional<trace::HeadAddress> referenceHead(const std::vector<trace::HeadAddress>& heads,
                                                const trace::HeadAddress& selected,
                                                trace::AttentionKind kind);

/// How many panels of `count` stand beside each other so that the smaller side of each is largest.
int panelColumns(int count, QSize available);

/// The selected head's map, large; with heads pinned their maps in panels, and the selected one's, with the
/// same quantity and scale, which light up together, and how far each is from the one that the others are
/// compared with.
class HeatmapPage : public View, public AnimatedFigure {
    Q_OBJECT

  public:
    /// `selection` outlives the panels.
    explicit HeatmapPage(Selection* selection, QWidget* parent = nullptr);

    /// The selected head's own map, shown as long as none is pinned.
    HeatmapView* single() const { return single_; }
    /// Empty as long as none is pinned.
    const std::vector<trace::HeadAddress>& heads() const { return heads_; }
    /// Of heads(), in order.
    std::vector<HeatmapView*> maps() const;
    /// What is seen of each panel's map, one behind the other; 0 for those that show all of it, empty where
    /// all do.
    std::vector<double> zoomsOfPanels() const;
    void setZoomsOfPanels(const std::vector<double>& zooms);
    /// All that may be shown some time, for menus.
    std::vector<HeatmapView*> allMaps() const;

    void setContext(const ViewContext& context) override;
    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    std::optional<Lacking> lacks() const override;
    QString whyEmpty() const override;
    /// What a panel says of its head besides the map.
    QString words(std::size_t panel) const;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool isZoomed() const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    bool hasFigure() const override;
    void setRowsDecoded(std::optional<std::size_t> rows) override;
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown) override;
    void fit() override;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    /// How far the pinned heads are from each other; nothing if fewer than two are compared.
    std::optional<HeadDistances> comparing() const;
    const HeadDistances::Value& distances() const;
    void showDistances();
    std::vector<trace::HeadAddress> headsLookedAt() const;
    void follow();
    void arrange();
    int columnsIn(QSize size) const;
    int boardWidth(QSize size) const;
    void showSelected();
    /// The one that all panels have; nothing where they differ, or there is but one.
    std::optional<ColourScale> sharedScale(const Theme& theme) const;
    void shareScale();
    void shareHeights();
    /// Maps of the same axes show the same part.
    void shareZoom(const HeatmapView* from);
    void describe(const HeatmapView* map, const QString& words);
    void keepInSight(const HeatmapView* map);
    QString comparisonInWords(const trace::HeadAddress& head) const;
    /// The same in a short line; which head it is stands above.
    QString briefWords(const trace::HeadAddress& head) const;
    QString caption() const;
    struct PageWords {
        QString ofAll;
        QStringList ofEach; ///< of heads()
    };
    PageWords pageWords() const;
    QString heading(std::size_t panel) const;
    /// A map's own block, with the parts that this figure has.
    FigureBlock blockOf(const HeatmapView& map) const;
    FigureBlock panelsBlock() const;

    static constexpr int panelGap = 4;
    static constexpr std::size_t mostPanels = Selection::mostPinnedHeads + 1; ///< the selected head's, too

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::vector<trace::HeadAddress> heads_;
    trace::HeadAddress selected_;
    std::shared_ptr<const HeadDistances::Value> distances_; ///< answer to comparing(); null until it is there
    MapQuestions questions_;
    HeatmapView* single_;
    std::vector<HeadPanel*> panels_; ///< mostPanels
    QWidget* board_;
    QGridLayout* grid_;
    QScrollArea* singleArea_; ///< a map stays readable where there is little room
    QScrollArea* boardArea_;
    QStackedLayout* stack_;
    int columns_ = 0;
    std::optional<int> scrollFrom_; ///< to the selected panel; nothing: a person scrolled since
};

} // namespace headscope::widgets
