#pragma once

#include "widgets/map/map_picture.h"
#include "widgets/map/map_view.h"
#include "widgets/views/positions/score_terms_words.h"

#include <memory>
#include <optional>

namespace headscope::widgets {

struct MapMarks;

/// The terms of one head's scores as small maps, next to their sum with token labels. All maps share a colour
/// scale and a cursor. Arrow keys move the cursor, Enter pins.
class ScoreTermMaps : public MapView {
    Q_OBJECT

  public:
    explicit ScoreTermMaps(QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setTerms(std::shared_ptr<const trace::ScoreTerms> terms, std::shared_ptr<const HeadTerms> shown);
    /// Text that is shown if there are no terms.
    void setWhyNothing(const QString& words);
    /// The row of the current step, and the highlighted cell of other views; the cursor takes precedence.
    void setMarks(std::optional<int> stepRow, std::optional<int> litRow, std::optional<int> litColumn);
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;
    /// How many rows and columns are named in `area`, after a space; empty if all are.
    QString namedInWords(const QRectF& area) const;

    std::size_t mapCount() const { return parts_.size(); }
    /// The area of a cell in one of the maps (the sum is last), in widget pixels.
    QRectF cellRect(std::size_t map, MapCell cell) const {
        return parts_.at(map).layout.cellRect(cell.row, cell.column);
    }

    int rowCount() const override;
    int columnCount() const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override;

  protected:
    void paintStill(QPainter& painter, const Theme& theme) const override;
    void paintMoving(QPainter& painter, const Theme& theme) const override;
    TokenFocus focusAt(QPointF position) const override;
    Words wordsAt(QPointF position) const override;
    void pictureChanged() override;

  private:
    struct Part {
        QString title;
        const trace::Matrix* values = nullptr;
        const MatrixPyramid* pyramid = nullptr;
        QRectF area; ///< title and picture
        MapLayout layout;
        bool labelled = false; ///< the sum has labels
    };
    std::vector<Part> layOut(const QRectF& area) const;
    std::vector<QString> titles(double width) const;
    void place(Part& part, const QRectF& area) const;
    MapPicture picture(const Part& part, const Theme& theme) const;
    std::optional<MapCell> cellOfAny(QPointF point) const;
    void drawParts(QPainter& painter, const QRectF& area, const std::vector<Part>& parts,
                   const Theme& theme) const;
    void drawMarks(QPainter& painter, const Part& part, const MapMarks& marks, const Theme& theme) const;

    std::shared_ptr<const trace::ScoreTerms> terms_;
    std::shared_ptr<const HeadTerms> shown_; ///< null if terms_ is
    QString whyNothing_;
    std::vector<TokenLabel> labels_;
    std::optional<int> stepRow_;
    std::optional<int> litRow_;
    std::optional<int> litColumn_;
    std::vector<Part> parts_; ///< for the widget's own area
};

} // namespace headscope::widgets
