#pragma once

#include "widgets/map/map_picture.h"
#include "widgets/map/map_view.h"
#include "widgets/views/positions/score_terms_words.h"

#include <memory>
#include <optional>

namespace headscope::widgets {

struct MapMarks;

/// The terms of one head's scores as small maps, and their sum beside them with its tokens: one scale, one
/// cursor for all of them. Arrow keys move it, Enter pins.
class ScoreTermMaps : public MapView {
    Q_OBJECT

  public:
    explicit ScoreTermMaps(QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setTerms(std::shared_ptr<const trace::ScoreTerms> terms, std::shared_ptr<const HeadTerms> shown);
    /// What stands where nothing is shown.
    void setWhyNothing(const QString& words);
    /// The row of the current step, and what is lit in other views; the own cursor goes before.
    void setMarks(std::optional<int> stepRow, std::optional<int> litRow, std::optional<int> litColumn);
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;
    /// How many rows and columns have names there, after a space; empty where all have.
    QString namedInWords(const QRectF& area) const;

    std::size_t mapCount() const { return parts_.size(); }
    /// Of one of the maps, the sum last, in the widget's pixels.
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
        bool labelled = false; ///< of the sum
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
    std::shared_ptr<const HeadTerms> shown_; ///< null where terms_ is
    QString whyNothing_;
    std::vector<TokenLabel> labels_;
    std::optional<int> stepRow_;
    std::optional<int> litRow_;
    std::optional<int> litColumn_;
    std::vector<Part> parts_; ///< of the widget's own area
};

} // namespace headscope::widgets
