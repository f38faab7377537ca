#pragma once

#include "model/trace/matrix.h"
#include "widgets/map/map_picture.h"
#include "widgets/map/map_view.h"

#include <functional>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// A map with numbers instead of tokens on its axes: positions by dimensions, or positions by positions.
/// Signed values on a diverging scale.
class NumberMap : public MapView {
    Q_OBJECT

  public:
    /// `name` is the accessible name.
    explicit NumberMap(const QString& name, QWidget* parent = nullptr);

    /// `limit` is the magnitude at the scale's ends; `describe` names a cell in words.
    /// `first` is the number of the first row and column.
    void setMatrix(trace::Matrix values, double limit, std::function<QString(MapCell)> describe,
                   MapCell first = {});
    /// Rows (and columns, if they count the same) that are marked on the axes.
    void setMarkedRows(std::vector<int> rows, bool columnsToo);

    /// Row and column that other views highlight; the cursor of this map takes precedence.
    void setLit(std::optional<int> row, std::optional<int> column);

    bool isEmpty() const { return values_.empty(); }
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;

    int rowCount() const override { return values_.rows(); }
    int columnCount() const override { return values_.columns(); }
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override { return describe_ ? describe_(cell) : QString(); }

  protected:
    void paintStill(QPainter& painter, const Theme& theme) const override;
    void paintMoving(QPainter& painter, const Theme& theme) const override;
    TokenFocus focusAt(QPointF position) const override;
    Words wordsAt(QPointF position) const override;
    /// A zoom may be set before there is a map.
    bool hasPart(const QRectF& window) const override { return isEmpty() || MapView::hasPart(window); }
    void pictureChanged() override;

  private:
    MapPicture picture(const Theme& theme) const;
    MapLayout layOut(const QRectF& area) const;
    void drawMap(QPainter& painter, const MapLayout& layout, const Theme& theme) const;

    trace::Matrix values_;
    MatrixPyramid pyramid_;
    double limit_ = 1;
    MapCell first_;
    std::function<QString(MapCell)> describe_;
    std::vector<int> marked_;
    bool markColumns_ = false;
    std::vector<TokenLabel> rowLabels_;
    std::vector<TokenLabel> columnLabels_;
    std::optional<int> litRow_;
    std::optional<int> litColumn_;
};

} // namespace headscope::widgets
