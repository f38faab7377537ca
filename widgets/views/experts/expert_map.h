#pragma once

#include "model/trace/matrix.h"
#include "widgets/map/map_picture.h"
#include "widgets/map/map_view.h"

#include <functional>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// A map with a column an expert and, for one layer, the load of each expert as a bar below its column.
class ExpertMap : public MapView {
    Q_OBJECT

  public:
    explicit ExpertMap(QWidget* parent = nullptr);

    struct Content {
        std::vector<TokenLabel> rows;
        trace::Matrix values; ///< [rows, experts], from 0 to `limit`
        double limit = 1;
        std::vector<double> load;             ///< [experts] shares of the tokens; empty: no bars
        double even = 0;                      ///< the load if all experts were used alike
        std::optional<int> step;              ///< row of the current step
        std::function<QString(MapCell)> cell; ///< describes a cell
        std::function<QString(int)> ofExpert; ///< describes an expert's load
    };
    void setContent(Content content);
    const Content& content() const { return content_; }
    bool isEmpty() const { return content_.values.empty(); }

    void draw(QPainter& painter, const QRectF& area, const Theme& theme, bool withMarks) const;
    /// Room for all rows and columns, `width` wide if they need no more.
    QSizeF sizeFor(double width) const;

    int rowCount() const override { return content_.values.rows(); }
    int columnCount() const override { return content_.values.columns(); }
    QString rowName(int row) const override { return content_.rows.at(row).full(); }
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;

  protected:
    void paintStill(QPainter& painter, const Theme& theme) const override;
    void paintMoving(QPainter& painter, const Theme& theme) const override;
    TokenFocus focusAt(QPointF position) const override;
    Words wordsAt(QPointF position) const override;
    bool hasPart(const QRectF& window) const override { return isEmpty() || MapView::hasPart(window); }
    void pictureChanged() override;

  private:
    MapPicture picture(const Theme& theme) const;
    MapLayout layOut(const QRectF& area) const;
    /// Height of the bars with the gap above them; 0: there are none.
    double barsHeight() const;
    QRectF barsArea(const MapLayout& layout) const;
    void drawMap(QPainter& painter, const MapLayout& layout, const Theme& theme) const;
    void drawBars(QPainter& painter, const MapLayout& layout, const Theme& theme) const;

    Content content_;
    MatrixPyramid pyramid_;
    std::vector<TokenLabel> columns_;
};

} // namespace headscope::widgets
