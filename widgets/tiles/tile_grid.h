#pragma once

#include <QAbstractScrollArea>
#include <QBasicTimer>

#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/figure_source.h"
#include "widgets/map/accessible_map.h"
#include "widgets/selection.h"
#include "widgets/tiles/head_thumbnails.h"
#include "widgets/tiles/head_tint.h"
#include "widgets/tiles/tile_layout.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace headscope::widgets {

struct Theme;

/// Which heads a TileGrid shows, and how they are arranged.
struct TileArrangement {
    enum class Style {
        Kinds,  ///< blocks with titles; numbers of layers and heads, or ranks
        Layers, ///< one block: "layer 0" at the left, "head 0" above
        List,   ///< one block without headings
    };
    Style style = Style::Kinds;
    std::vector<TileBlock> blocks;
    bool named = false;    ///< addresses below the pictures, if all fit
    bool captioned = true; ///< in the window; pages have captions anyway
    TileSides sides;
};

/// Small maps of many heads in one widget. Pictures of large maps take time: visible ones are created first,
/// a few at a time, and are empty fields until then. Derived classes choose the heads and describe them.
class TileGrid : public QAbstractScrollArea, public FigureSource, public AnimatedFigure, public ReadableMap {
    Q_OBJECT

  public:
    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run);
    /// A bar under every picture; empty: none.
    void setTint(HeadTint tint);
    /// Fades the other heads; nothing: fades none.
    void setMatching(std::optional<std::set<trace::HeadAddress>> heads);

    const TileLayout& tileLayout() const { return layout_; }
    /// Returns a head's picture in the viewport; empty if there is no such head.
    QRect thumbnailRect(const trace::HeadAddress& head) const;
    std::optional<trace::HeadAddress> headAt(QPoint viewportPosition) const;
    /// True if all pictures are complete, including those scrolled out of view.
    bool isComplete() const;
    /// Heads whose maps are not stored and have no tile yet, visible ones first; empty while the grid is
    /// hidden.
    std::vector<trace::HeadAddress> missingTiles() const;
    void setTile(const trace::HeadAddress& head, MapTile tile);
    virtual QString caption() const = 0;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    void prepareFigure(const Theme& theme, const std::function<void()>& ready) override;
    bool hasFigure() const override { return !layout_.isEmpty(); }
    trace::FigureData figureData() const override;
    QString whyNoData() const override;

    // Accessible table: one row per layer and one column per head, regardless of the order of the pictures;
    // for a list, its lines.
    int rowCount() const override { return table_.size(); }
    int columnCount() const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override { return cellOf(selection_->head()); }
    std::optional<MapCell> cellUnder(QPoint point) const override;

  Q_SIGNALS:
    /// Small maps are painted without those of missingTiles().
    void tilesWanted();
    /// A head was double-clicked, or activated with Enter.
    void headOpened(headscope::trace::HeadAddress head);

  protected:
    /// `selection` must outlive the grid.
    TileGrid(Selection* selection, QWidget* parent);

    /// `run` is not null.
    virtual TileArrangement arranged() const = 0;
    /// Texts of an empty grid: what it will show, and why it is empty although there is a run.
    virtual QString purpose() const = 0;
    virtual QString whyEmpty() const = 0;
    /// Lines of a tooltip.
    virtual QStringList headInWords(const trace::HeadAddress& head) const;
    /// Describes the head under the pointer, or the selected one, for screen readers.
    virtual void describe();

    const Selection& selection() const { return *selection_; }
    const trace::Run* run() const { return run_.get(); }
    const TileArrangement& arrangement() const { return arrangement_; }
    const HeadTint& tint() const { return tint_; }
    /// Head under the pointer, or the selected head if the grid has the focus.
    std::optional<trace::HeadAddress> headLookedAt() const;
    /// Empty unless lines group heads that share keys and values.
    QString sharingInWords() const;
    void arrange();
    /// Called if the selected head changes; other heads may be shown then.
    void followHead();
    TileLayout layOut(QSize available, Canvas canvas, bool mayScroll) const;
    /// The size of pictures and words.
    QSize sizeOf(const TileLayout& layout, int width, Canvas canvas) const;
    /// Height of the caption of a figure that is drawn without one.
    int heightSaved(int width) const;
    /// Returns the size of a page of this width with pictures of this side, or of the largest that fits.
    QSize lowestFigure(int width, int side) const;
    FigureText figureTextOf(const QString& title, const QString& head = {}) const;

    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    using MapOf = std::function<HeadMap(const trace::HeadAddress&)>;

    int scrolled() const;
    int footHeight() const;
    void layOutAgain();
    TileLayoutInput layoutInput(QSize available, Canvas canvas) const;
    bool hasCaption(Canvas canvas) const;
    int wordsHeight(int width, Canvas canvas) const;
    void tabulate();
    /// True if addresses are below the pictures.
    bool namesHeads(const TileLayout& layout) const;
    std::optional<trace::HeadAddress> headOf(MapCell cell) const;
    /// Nothing if the table has no such head.
    std::optional<MapCell> cellOf(const trace::HeadAddress& head) const;
    QString headDescription(const trace::HeadAddress& head) const;
    QString whyNothing() const;
    void hover(std::optional<trace::HeadAddress> head);
    std::vector<trace::HeadAddress> inOrderOfSight() const;
    ThumbnailLook look() const;
    static ThumbnailLook figureLook(const TileLayout& layout, const Theme& theme);
    void makeThumbnails();
    void makeFigureThumbnails();
    void finishFigure();

    void drawHeadings(QPainter& painter, const TileLayout& layout, const Theme& theme) const;
    void drawClusters(QPainter& painter, const TileLayout& layout, const Theme& theme) const;
    void noteTile(QPainter& painter, const TileLayout::Tile& tile, const HeadMap& map) const;
    void drawTiles(QPainter& painter, const TileLayout& layout, const QRect& part, const Theme& theme,
                   const MapOf& map) const;
    void drawWords(QPainter& painter, const TileLayout& layout, int width, const Theme& theme,
                   Canvas canvas) const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    TileArrangement arrangement_;
    HeadTint tint_;
    std::optional<std::set<trace::HeadAddress>> matching_;
    TileLayout layout_;
    std::vector<std::vector<trace::HeadAddress>> table_; ///< rows for screen readers
    std::optional<trace::HeadAddress> hovered_;
    HeadThumbnails thumbnails_;
    QBasicTimer rest_; ///< runs while pictures are missing
    HeadThumbnails figureThumbnails_;
    std::function<void()> figureReady_; ///< empty: no figure is being prepared
    const Theme* figureTheme_ = nullptr;
    QBasicTimer figureRest_; ///< runs while a figure is being prepared
};

} // namespace headscope::widgets
