#pragma once

#include <QPixmap>
#include <QWidget>

#include "model/trace/run.h"
#include "widgets/accessible_map.h"
#include "widgets/captions.h"
#include "widgets/figure_source.h"
#include "widgets/map_marks.h"
#include "widgets/selection.h"

#include <memory>
#include <optional>

namespace headscope::widgets {

struct Theme;

/// One head's map, large. Hovering, pinning and the keyboard's cell cursor move the selection's focus; every
/// row and column that others light up is lit up here.
class HeatmapView : public QWidget, public FigureSource, public ReadableMap {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit HeatmapView(Selection* selection, QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run);
    /// Shows this head whatever the selection's head is, as a comparison does; nothing follows it again.
    void setFixedHead(std::optional<trace::HeadAddress> head);
    trace::HeadAddress head() const { return fixedHead_.value_or(selection_->head()); }

    Quantity quantity() const { return quantity_; }
    ColourMapping mapping() const { return mapping_; }

    /// Where the cells are, for tests and for menus on a cell.
    const MapLayout& mapLayout() const { return layout_; }
    std::optional<MapCell> cellAt(QPoint position) const;

    void drawFigure(QPainter& painter, QSize size) const override;
    FigureText figureText() const override;
    bool hasFigure() const override;
    int rowCount() const override { return static_cast<int>(values().rows()); }
    int columnCount() const override { return static_cast<int>(values().columns()); }
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override;
    QSize sizeHint() const override { return {640, 480}; }
    QSize minimumSizeHint() const override { return {240, 180}; }

  public Q_SLOTS:
    void setQuantity(headscope::widgets::Quantity quantity);
    /// Applies to weights; scores are always linear.
    void setMapping(headscope::widgets::ColourMapping mapping);
    void setSpaceMarksShown(bool shown);
    /// Shows all of the map again.
    void fit();

  Q_SIGNALS:
    /// The cell under the pointer or the cursor in words; empty when there is none.
    void cellDescribed(const QString& words);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    /// Everything about the picture but where it stands.
    MapPicture picture(const Theme& theme) const;
    /// Where the parts of the view stand within `area`.
    struct Frame {
        QRectF axes;    ///< one line that says what rows and columns are
        QRectF map;     ///< the map with its labels and colour bar
        QRectF caption; ///< at the bottom
    };
    Frame frame(const QRectF& area) const;
    MapLayout layOut(const MapPicture& picture, const QRectF& area) const;
    TokenLabelStyle labelStyle() const;
    MapMarks marks() const;
    const trace::AttentionRecord* record() const;
    trace::MatrixView values() const;
    QString tooltip(MapCell cell) const;
    /// What the pointer would light up there: a cell, or the row or column of a label.
    TokenFocus focusAt(QPointF position) const;
    QString caption() const;
    QString axesInWords() const;
    QString whyEmpty() const;
    /// Everything but the pointer's marks.
    void drawStill(QPainter& painter, const QRectF& area, const Theme& theme) const;
    void drawMoving(QPainter& painter, const Theme& theme) const;

    void dataChanged();
    void pictureChanged();
    void focusMoved();
    void moveCursor(MapCell cell);
    void describe(std::optional<MapCell> cell);

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::optional<trace::HeadAddress> fixedHead_;
    Quantity quantity_ = Quantity::Weights;
    ColourMapping mapping_ = ColourMapping::Linear;
    bool spaceMarks_ = true;

    MatrixPyramid pyramid_; ///< of values() and the record's mask
    std::vector<TokenLabel> rowLabels_;
    std::vector<TokenLabel> columnLabels_;
    double largestScore_ = 0; ///< magnitude
    MapLayout layout_;
    QRectF window_; ///< in cells; empty: all
    QPixmap still_; ///< everything that hovering does not change
    std::optional<QPointF> dragFrom_;
    bool dragged_ = false;
};

} // namespace headscope::widgets
