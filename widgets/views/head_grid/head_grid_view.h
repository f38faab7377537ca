#pragma once

#include <QAbstractScrollArea>
#include <QBasicTimer>

#include "model/trace/run.h"
#include "widgets/drawing/theme.h"
#include "widgets/figure_source.h"
#include "widgets/filmed_figure.h"
#include "widgets/map/accessible_map.h"
#include "widgets/selection.h"
#include "widgets/tiles/head_thumbnails.h"
#include "widgets/tiles/head_tint.h"
#include "widgets/views/head_grid/head_grid_layout.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// Every head of the selected kind as a small map: layers down, heads across. One widget paints all of them.
/// Large maps take a while: those in sight come first, and until it is there a picture is an empty field.
class HeadGridView : public QAbstractScrollArea,
                     public FigureSource,
                     public FilmedFigure,
                     public ShowsTiles,
                     public ReadableMap {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit HeadGridView(Selection* selection, QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run);

    /// What every head is worth, ranked, and what that is of, as a sentence; empty where it was not measured.
    void setImportance(const std::vector<analysis::HeadScore>& ranked, const QString& caption);
    /// Another number of every head in the place of importance; nothing: importance again.
    void setStatistic(std::optional<HeadTint> statistic);
    /// There is something to tint and sort by.
    bool hasTint() const { return !tint().isEmpty(); }
    /// With such a number: a signed bar under every picture.
    void setTinted(bool tinted);
    /// With such a number: the heads in its order, each with its address, instead of layers by heads.
    void setSorted(bool sorted);
    /// The heads of the selected one's layer alone, each with its address.
    void setLayerOnly(bool layerOnly);

    /// Where a head's picture stands in the viewport; empty if there is no such head.
    QRect thumbnailRect(const trace::HeadAddress& head) const;
    std::optional<trace::HeadAddress> headAt(QPoint viewportPosition) const override;
    /// True once every picture is there, also those out of sight.
    bool isComplete() const;
    std::vector<trace::HeadAddress> missingTiles() const override;
    void setTile(const trace::HeadAddress& head, MapTile tile) override;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    /// As high as the pictures need.
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;
    QString whyNoData() const override;

    // As the pictures stand: layers down and heads across, or in order.
    int rowCount() const override { return grid_.isEmpty() ? 0 : grid_.rows(); }
    int columnCount() const override { return grid_.isEmpty() ? 0 : grid_.columns; }
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override;
    QSize sizeHint() const override { return {560, 320}; }
    QSize minimumSizeHint() const override { return {18 * fontMetrics().averageCharWidth(), 120}; }

  Q_SIGNALS:
    /// Small maps are painted without what missingTiles() tells.
    void tilesWanted();
    /// Double click or Enter: the person wants to see it large.
    void headOpened(headscope::trace::HeadAddress head);
    /// hasTint() may be another.
    void tintChanged();

  protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    trace::AttentionKind kind() const { return selection_->head().site.kind; }
    int layersShown() const;
    int headsShown() const;
    const HeadTint& tint() const { return statistic_ ? *statistic_ : importance_; }
    bool isTinted() const { return tinted_ && hasTint(); }
    bool isSorted() const { return sorted_ && hasTint(); }
    /// Not layers by heads.
    bool isListed() const { return isSorted() || layerOnly_; }
    bool isShown(int layer) const { return !layerOnly_ || layer == selection_->head().site.layer; }
    std::vector<trace::HeadAddress> headsInOrder() const;
    /// Nothing where the last row has no more pictures.
    std::optional<trace::HeadAddress> headOf(MapCell cell) const;
    QSize headingsSize() const;
    HeadGridLayout layOut(QSize available, bool mayScroll, Canvas canvas) const;
    QString headDescription(const trace::HeadAddress& head) const;
    QString whyEmpty() const;
    void tintIsAnother();
    void layOutAgain();
    void headMoved();
    void describeHead();
    void forgetPictures();

    // head_grid_view_drawing.cpp
    QString caption() const;
    int wordsHeight(int width, Canvas canvas) const;
    int footHeight() const;
    void drawHeadings(QPainter& painter, const HeadGridLayout& grid, const Theme& theme) const;
    void drawWords(QPainter& painter, const HeadGridLayout& grid, int width, const Theme& theme,
                   Canvas canvas) const;
    using MapOf = std::function<HeadMap(const trace::HeadAddress&)>;
    void drawPictures(QPainter& painter, const HeadGridLayout& grid, const Theme& theme,
                      const MapOf& map) const;
    void drawFoot(QPainter& painter, const HeadGridLayout& grid, int place, const Theme& theme) const;
    void drawFocus(QPainter& painter, const HeadGridLayout& grid, const Theme& theme) const;

    // head_grid_view_pictures.cpp
    std::vector<trace::HeadAddress> inOrderOfSight() const;
    ThumbnailLook look() const;
    void makeThumbnails();

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    HeadGridLayout grid_;
    std::optional<trace::HeadAddress> hovered_;
    trace::AttentionSite shownSite_;
    HeadThumbnails thumbnails_;
    HeadTint importance_;
    std::optional<HeadTint> statistic_; ///< in its place
    bool tinted_ = false;
    bool sorted_ = false;
    bool layerOnly_ = false;
    QBasicTimer rest_; ///< runs while pictures are missing
};

} // namespace headscope::widgets
