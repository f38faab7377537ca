#pragma once

#include <QWidget>

#include "widgets/drawing/token_label.h"
#include "widgets/map/accessible_map.h"
#include "widgets/views/masks/batch_grid_layout.h"
#include "widgets/views/masks/batch_question.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

struct Theme;

/// The tokens of a padded batch: sources, and at each position of the decoder what it is fed above what it is
/// scored on. Padding is hatched; a bar stands before the start token and after the end token.
class BatchGrid : public QWidget, public ReadableMap {
    Q_OBJECT

  public:
    explicit BatchGrid(QWidget* parent = nullptr);

    void setBatch(const std::vector<BatchedSentence>& sentences);
    /// Whose masks stand below.
    void setChosen(int sentence);
    /// Lit tokens of the chosen sentence: places in its source, and in what its decoder is fed.
    void setLit(std::vector<int> source, std::vector<int> target);
    void setSpaceMarksShown(bool shown);
    /// The room there is across; the widget then has the height that it needs.
    void setRoom(int width);

    const BatchGridLayout& gridLayout() const { return layout_; }
    double heightFor(double width) const { return layOut(width).height(); }
    /// Without what is lit, from (0, 0) on.
    void draw(QPainter& painter, double width, const Theme& theme) const;

    int rowCount() const override { return layout_.rows(); }
    int columnCount() const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override { return QString::number(column + 1); }
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override { return cursor_; }

  Q_SIGNALS:
    /// The cell under the pointer or the cursor; nothing where there is none.
    void cursorMoved(std::optional<headscope::widgets::MapCell> cell);
    /// Click, or the cursor came to one of its rows.
    void sentenceChosen(int sentence);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    /// A token of the table; nothing where a position is not scored.
    std::optional<trace::Token> tokenAt(MapCell cell) const;
    TokenLabelStyle labelStyle() const { return {.font = font(), .spaceMarks = spaceMarks_}; }
    BatchGridLayout layOut(double width) const;
    void layoutChanged();
    void drawCell(QPainter& painter, const QRectF& area, MapCell cell, const Theme& theme) const;
    void drawRows(QPainter& painter, const BatchGridLayout& layout, const Theme& theme) const;
    void drawRow(QPainter& painter, const BatchGridLayout& layout, int row, const Theme& theme) const;
    void drawLit(QPainter& painter, const Theme& theme) const;
    void setCursorCell(std::optional<MapCell> cell);

    std::vector<BatchedSentence> sentences_;
    BatchGridLayout layout_;
    int room_ = 0;
    int chosen_ = 0;
    bool spaceMarks_ = true;
    std::vector<int> litSource_;
    std::vector<int> litTarget_;
    std::optional<MapCell> cursor_;
    std::optional<MapCell> keyed_; ///< where the keys are: the cursor again once the pointer has left
};

} // namespace headscope::widgets
