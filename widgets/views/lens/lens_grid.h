#pragma once

#include <QAbstractScrollArea>

#include "widgets/drawing/token_label.h"
#include "widgets/map/accessible_map.h"
#include "widgets/selection.h"
#include "widgets/views/lens/lens_layout.h"
#include "widgets/views/lens/lens_table.h"
#include "widgets/views/lens/lens_tint.h"

#include <memory>
#include <optional>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// The drawing of a lens, shared by the grid on screen and the figure. The table must outlive it.
struct LensPicture {
    const LensTable& table;
    LensTint tint = LensTint::Probability;
    TokenLabelStyle style;
    std::optional<int> step;                 ///< column of the current step
    std::optional<int> lit;                  ///< highlighted column
    std::optional<MapCell> cursor;           ///< of the pointer or the keyboard
    std::optional<std::size_t> decoded = {}; ///< columns that an animation has reached; nullopt: all

    /// Measures the labels. Slow for long outputs.
    LensLayoutInput measured() const;
    /// Draws the part within `area` when the cells are scrolled by `offset`. Clips to `area`.
    void draw(QPainter& painter, QSizeF area, const LensLayout& layout, QPointF offset,
              const Theme& theme) const;

    bool hasColumn(int column) const { return !decoded || static_cast<std::size_t>(column) < *decoded; }

  private:
    void drawCorner(QPainter& painter, const LensLayout& layout, const Theme& theme) const;
    void drawCells(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                   const Theme& theme) const;
    void drawCell(QPainter& painter, const QRectF& area, MapCell cell, const Theme& theme) const;
    void drawMarks(QPainter& painter, const LensLayout& layout, const Theme& theme) const;
    void drawColumnHeadings(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                            const Theme& theme) const;
    void drawRowHeadings(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                         const Theme& theme) const;
    void drawLayers(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                    const Theme& theme) const;
};

/// The cells of a lens, one column per decoding step. Headings stay visible when the cells scroll. Click or
/// Enter selects the step of a cell.
class LensGrid : public QAbstractScrollArea, public ReadableMap {
    Q_OBJECT

  public:
    /// `selection` must outlive the grid.
    explicit LensGrid(Selection* selection, QWidget* parent = nullptr);

    /// Keeps the scroll position if a table was already shown.
    void setTable(std::shared_ptr<const LensTable> table);
    /// Sets the text of the empty grid: what it would show and how to get there.
    void setWhyEmpty(const QString& whatItShows, const QString& wayThere);
    void setTint(LensTint tint);
    void setSpaceMarksShown(bool shown);

    const LensTable& table() const { return *table_; }
    LensPicture picture() const;
    const LensLayout& layout() const { return layout_; }
    /// Returns the description of a point of the viewport, headings included; empty if there is none.
    QString wordsAt(QPointF place) const;

    int rowCount() const override { return table_->rows(); }
    int columnCount() const override { return table_->columns(); }
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override { return layout_.cell(cell).translated(-offset()).toRect(); }
    std::optional<MapCell> cursorCell() const override { return cursor_; }

    QSize sizeHint() const override { return {640, 240}; }
    QSize minimumSizeHint() const override { return {160, 80}; }

  Q_SIGNALS:
    /// Describes the cell under the pointer or the cursor; empty if there is none.
    void cellDescribed(const QString& words);

  protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void measure();
    LensLayout layOutWithBars() const;
    void layOutAgain();
    QPointF offset() const;
    void setCursorCell(std::optional<MapCell> cell);
    void lightStep(std::optional<int> step);
    void forgetKeys();
    void show(MapCell cell);
    void followStep();

    Selection* selection_;
    std::shared_ptr<const LensTable> table_ = std::make_shared<const LensTable>();
    LensLayoutInput measured_;
    LensLayout layout_;
    LensTint tint_ = LensTint::Probability;
    bool spaceMarks_ = true;
    std::optional<MapCell> cursor_;
    std::optional<MapCell> keyed_; ///< cell of the keyboard; becomes the cursor again when the pointer leaves
    QString whatItShows_;
    QString wayThere_;
};

} // namespace headscope::widgets
