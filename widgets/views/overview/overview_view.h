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

/// Shows every head of every layer and kind as a small map, all visible at once. Pictures are computed a few
/// at a time; a missing picture is blank.
class OverviewView : public QWidget,
                     public FigureSource,
                     public FilmedFigure,
                     public ReadableMap,
                     public ShowsTiles {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit OverviewView(Selection* selection, QWidget* parent = nullptr);

    /// `run` may be null.
    void setRun(std::shared_ptr<const trace::Run> run);
    /// Draws a bar below every picture; none if `tint` is empty.
    void setTint(HeadTint tint);

    void orderAsInTheModel();
    /// Sorts each kind by `tint`, highest first.
    void orderBy(HeadTint tint);
    /// Groups similar heads. Ignored while `grouping` is nullopt.
    void orderByGroups(std::optional<HeadGrouping> grouping);
    /// Progress (0 to 1) of comparing the heads; nullopt if no comparison runs. Meanwhile the previous groups
    /// are shown.
    void setComparing(std::optional<double> progress);

    /// Fades all other heads; nullopt fades none.
    void setMatching(std::optional<std::set<trace::HeadAddress>> heads);
    /// Roles of heads, shown in descriptions and tooltips.
    void setRoles(std::map<trace::HeadAddress, QString> roles);

    const OverviewLayout& overviewLayout() const { return layout_; }
    std::optional<trace::HeadAddress> headAt(QPoint position) const override;
    /// Returns true if every picture has been computed.
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
    // For screen readers, in model order whatever the sorting: one row per layer, kind by kind, one column
    // per head.
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
    /// Emitted if pictures are painted without the maps that missingTiles() lists.
    void tilesWanted();
    /// Emitted on double click or Enter.
    void headOpened(headscope::trace::HeadAddress head);
    /// Describes the head under the pointer, or the selected one if the view has the focus, in one line; else
    /// empty.
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

    void arrange();
    void layOutAgain();
    OverviewWish wish(QSize available, Canvas canvas) const;
    OverviewLayout layOut(QSize available, Canvas canvas) const;
    /// Returns true if each head is named below its picture, because rows and columns do not name it.
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

    QString orderInWords() const;
    QString ofWholeInWords() const;
    QString groupsInWords() const;
    QString headInALine(const trace::HeadAddress& head) const;
    QString headDescription(const trace::HeadAddress& head) const;
    QString groupInWords(const trace::HeadAddress& head) const;
    QString whyEmpty() const;
    /// Captions of a cluster of a block, longest first.
    std::vector<QString> clusterCaptions(std::size_t block, std::size_t cluster) const;

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
    std::vector<trace::AttentionSite> sites_; ///< the layers of all kinds, in order
    OverviewLayout layout_;
    HeadThumbnails thumbnails_;
    std::optional<trace::HeadAddress> hovered_;
    QBasicTimer rest_; ///< runs while pictures are missing
    HeadThumbnails figureThumbnails_;
    std::function<void()> figureReady_; ///< empty if no figure is being prepared
    const Theme* figureTheme_ = nullptr;
    QBasicTimer figureRest_; ///< runs while a figure is being prepared
};

} // namespace headscope::widgets
