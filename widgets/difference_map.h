#pragma once

#include <QWidget>

#include "model/analysis/path_comparison.h"
#include "widgets/figure_source.h"
#include "widgets/map_picture.h"

#include <optional>

namespace headscope::widgets {

struct Theme;

/// What is drawn of how a head's map differs between two branches.
struct MapDifferencePicture {
    analysis::MapDifference map;
    std::vector<TokenLabel> rowLabels;
    std::vector<TokenLabel> columnLabels;
    QString title;      ///< such as "cross.2.5"
    QString caption;    ///< the sentence under the map
    QString whyNot;     ///< what stands there where the map is empty
    QString provenance; ///< model and sentence
};

/// The difference of two maps in diverging colours around zero; what only one branch has is hatched. Arrow
/// keys move a cell cursor.
class DifferenceMap : public QWidget, public FigureSource {
    Q_OBJECT

  public:
    explicit DifferenceMap(QWidget* parent = nullptr);

    void setPicture(MapDifferencePicture picture);
    /// "after ... -> ...: +0.1234", a cell in words.
    QString cellInWords(MapCell cell) const;
    bool isEmpty() const { return shown_.map.values.empty(); }

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    bool hasFigure() const override { return !isEmpty(); }
    trace::FigureData figureData() const override;
    QSize sizeHint() const override { return {420, 260}; }

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown);

  Q_SIGNALS:
    /// Empty where the pointer has left.
    void cellDescribed(const QString& words);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    MapPicture picture(const Theme& theme) const;
    double captionHeight(double width) const;
    MapLayout layOut(const MapPicture& picture, const QRectF& area) const;
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;
    void setCursorCell(std::optional<MapCell> cell);
    TokenLabelStyle style() const { return {.font = font(), .spaceMarks = spaceMarks_}; }

    MapDifferencePicture shown_;
    std::optional<MapCell> cursor_;
    bool spaceMarks_ = true;
};

} // namespace headscope::widgets
