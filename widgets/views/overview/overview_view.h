#pragma once

#include <QBasicTimer>
#include <QWidget>

#include "model/trace/run.h"
#include "widgets/figure_source.h"
#include "widgets/filmed_figure.h"
#include "widgets/map/accessible_map.h"
#include "widgets/selection.h"
#include "widgets/tiles/head_thumbnails.h"
#include "widgets/tiles/head_tint.h"
#include "widgets/views/overview/overview_blocks.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace headscope::widgets {

struct Theme;

/// Every head of every layer and kind as a small map, all in sight at once. Pictures come a few at a time;
/// until it is there a picture is an empty field.
class OverviewView : public QWidget,
                     public FigureSource,
                     public FilmedFigure,
                     public ReadableMap,
                     public ShowsTiles {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit OverviewView(Selection* selection, QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run);
    /// A bar under every picture; empty: none.
    void setTint(HeadTint tint);

    void orderAsInTheModel();
    /// The highest number first, within each kind.
    void orderBy(HeadTint tint);
    /// In groups that look alike; nothing as long as they are not known.
    void orderByGroups(std::optional<HeadGrouping> grouping);
    /// Heads are being compared, so much of 1 is done; nothing: no more. The groups are of a run before then.
    void setComparing(std::optional<double> progress);

    /// Other heads fade; nothing: none do.
    void setMatching(std::optional<std::set<trace::HeadAddress>> heads);
    /// What is said of heads, beside what the view knows itself.
    void setRoles(std::map<trace::HeadAddress, QString> roles);

    const OverviewLayout& overviewLayout() const { return layout_; }
    std::optional<trace::HeadAddress> headAt(QPoint position) const override;
    /// True once every picture is there.
    bool isComplete() const;
    std::vector<trace::HeadAddress> missingTiles() const override;
    void setTile(const trace::HeadAddress& head, MapTile tile) override;
    QString caption() const;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    void prepareFigure(const Theme& theme, const std::function<void()>& ready) override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    bool hasFigure() const override { return !blocks_.empty(); }
    trace::FigureData figureData() const override;
    QString whyNoData() const override;
    // To readers: a row a layer, kind by kind, a column a head, however the pictures are ordered.
    int rowCount() const override { return static_cast<int>(sites_.size()); }
    int columnCount() const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override;
    QSize sizeHint() const override { return {640, 440}; }
    QSize minimumSizeHint() const override { return {200, 140}; }

  Q_SIGNALS:
    /// Small maps are painted without what missingTiles() tells.
    void tilesWanted();
    /// Double click or Enter: the person wants to see it large.
    void headOpened(headscope::trace::HeadAddress head);
    /// The head under the pointer, or the selected one, in a line of words; empty where there is none.
    void headDescribed(const QString& words);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    enum class Order { Model, Ranked, Grouped };

    // overview_view.cpp
    void arrange();
    void layOutAgain();
    OverviewWish wish(QSize available, Canvas canvas) const;
    OverviewLayout layOut(QSize available, Canvas canvas) const;
    /// Where rows and columns do not name the heads, each is named below its picture.
    bool namesHeads(const OverviewLayout& layout) const;
    void hover(std::optional<trace::HeadAddress> head);
    void headMoved();
    void describe();
    void makeThumbnails();
    void makeFigureThumbnails();
    void finishFigure();
    ThumbnailLook look() const;
    static ThumbnailLook figureLook(const OverviewLayout& layout, const Theme& theme);
    bool showsGroups() const { return order_ == Order::Grouped && grouping_.has_value(); }

    // overview_view_words.cpp
    QString orderInWords() const;
    QString ofWholeInWords() const;
    QString groupsInWords() const;
    QString headInALine(const trace::HeadAddress& head) const;
    QString headDescription(const trace::HeadAddress& head) const;
    QString groupInWords(const trace::HeadAddress& head) const;
    QString whyEmpty() const;
    /// From long to short, of a cluster of a block.
    std::vector<QString> clusterCaptions(std::size_t block, std::size_t cluster) const;

    // overview_view_drawing.cpp
    int wordsHeight(QSize size, Canvas canvas) const;
    using MapOf = std::function<HeadMap(const trace::HeadAddress&)>;
    void drawTiles(QPainter& painter, const OverviewLayout& layout, const QRect& part, const Theme& theme,
                   const MapOf& map) const;
    void drawHeadings(QPainter& painter, const OverviewLayout& layout, const Theme& theme) const;
    void drawClusters(QPainter& painter, const OverviewLayout& layout, const Theme& theme) const;
    void drawWords(QPainter& painter, const OverviewLayout& layout, QSize size, const Theme& theme,
                   Canvas canvas) const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    HeadTint tint_;
    Order order_ = Order::Model;
    HeadTint rank_;
    std::optional<HeadGrouping> grouping_;
    std::optional<double> comparing_;
    std::optional<std::set<trace::HeadAddress>> matching_;
    std::map<trace::HeadAddress, QString> roles_;

    std::vector<OverviewBlock> blocks_;
    std::vector<trace::AttentionSite> sites_; ///< layers of every kind, in order
    OverviewLayout layout_;
    HeadThumbnails thumbnails_;
    std::optional<trace::HeadAddress> hovered_;
    QBasicTimer rest_; ///< runs while pictures are missing
    HeadThumbnails figureThumbnails_;
    std::function<void()> figureReady_; ///< empty: nobody waits
    const Theme* figureTheme_ = nullptr;
    QBasicTimer figureRest_; ///< runs while somebody waits
};

} // namespace headscope::widgets
