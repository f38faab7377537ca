#pragma once

#include <QPixmap>
#include <QWidget>

#include "widgets/map/accessible_map.h"
#include "widgets/map/map_picture.h"
#include "widgets/views/positions/score_terms_words.h"

#include <memory>
#include <optional>

namespace headscope::widgets {

struct MapMarks;
struct Theme;

/// The terms of one head's scores as small maps, next to their sum with token labels. All maps share a colour
/// scale and a cursor. Arrow keys move the cursor, Enter pins.
class ScoreTermMaps : public QWidget, public ReadableMap {
    Q_OBJECT

  public:
    explicit ScoreTermMaps(QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setTerms(std::shared_ptr<const trace::ScoreTerms> terms, std::shared_ptr<const HeadTerms> shown);
    /// Text that is shown if there are no terms.
    void setWhyNothing(const QString& words);
    void setSpaceMarksShown(bool shown);
    /// The row of the current step, and the highlighted cell of other views; the cursor takes precedence.
    void setMarks(std::optional<int> stepRow, std::optional<int> litRow, std::optional<int> litColumn);
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;
    /// How many rows and columns are named in `area`, after a space; empty if all are.
    QString namedInWords(const QRectF& area) const;

    std::size_t mapCount() const { return parts().size(); }
    /// The area of a cell in one of the maps (the sum is last), in widget pixels.
    QRectF cellRect(std::size_t map, MapCell cell) const {
        return parts().at(map).layout.cellRect(cell.row, cell.column);
    }

    int rowCount() const override;
    int columnCount() const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override { return cursor_; }

  Q_SIGNALS:
    void cellDescribed(const QString& words);
    void cursorMoved(std::optional<MapCell> cell);
    void cellClicked(MapCell cell);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct Part {
        QString title;
        const trace::Matrix* values = nullptr;
        const MatrixPyramid* pyramid = nullptr;
        QRectF area; ///< title and picture
        MapLayout layout;
        bool labelled = false; ///< the sum has labels
    };
    TokenLabelStyle labelStyle() const { return {.font = font(), .spaceMarks = spaceMarks_}; }
    std::vector<Part> layOut(const QRectF& area) const;
    std::vector<QString> titles(double width) const;
    void place(Part& part, const QRectF& area) const;
    MapPicture picture(const Part& part, const Theme& theme) const;
    const std::vector<Part>& parts() const;
    std::optional<MapCell> cellAt(QPointF point) const;
    void setCursorCell(std::optional<MapCell> cell);
    void drawMarks(QPainter& painter, const Part& part, const MapMarks& marks, const Theme& theme) const;
    void forgetPicture();
    void keepReadable();

    std::shared_ptr<const trace::ScoreTerms> terms_;
    std::shared_ptr<const HeadTerms> shown_; ///< null if terms_ is
    QString whyNothing_;
    std::vector<TokenLabel> labels_;
    bool spaceMarks_ = true;
    std::optional<int> stepRow_;
    std::optional<int> litRow_;
    std::optional<int> litColumn_;
    std::optional<MapCell> cursor_;
    std::optional<MapCell> keyed_; ///< cell of the keyboard; becomes the cursor again when the pointer leaves
    QPixmap still_;                ///< cached picture without the marks of the pointer
    mutable std::vector<Part> parts_; ///< for the widget's own area; empty: lay out again
};

} // namespace headscope::widgets
