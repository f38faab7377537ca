#pragma once

#include <QAbstractScrollArea>

#include "widgets/map/accessible_map.h"
#include "widgets/selection.h"
#include "widgets/views/lens/lens_picture.h"

#include <memory>
#include <optional>

namespace headscope::widgets {

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
    QRect cellArea(MapCell cell) const override;
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
