#pragma once

#include <QWidget>

#include "widgets/drawing/token_label.h"
#include "widgets/figure_blocks.h"
#include "widgets/map/accessible_map.h"
#include "widgets/views/masks/batch_grid_layout.h"
#include "widgets/views/masks/batch_question.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

struct Theme;

/// The tokens of a padded batch: the sources and, at each position of the decoder, the fed token above its
/// label. Padding is hatched; bars mark the start token and the end token.
class BatchGrid : public QWidget, public ReadableMap {
    Q_OBJECT

  public:
    explicit BatchGrid(QWidget* parent = nullptr);

    void setBatch(const std::vector<BatchedSentence>& sentences);
    /// The sentence whose masks are shown below.
    void setChosen(int sentence);
    /// Highlights tokens of the chosen sentence: indices in its source, and in what its decoder is fed.
    void setLit(std::vector<int> source, std::vector<int> target);
    void setSpaceMarksShown(bool shown);
    /// Sets the available width; the widget then fixes its height.
    void setRoom(int width);

    const BatchGridLayout& gridLayout() const { return layout_; }
    /// The grid in a figure, without highlights.
    FigureBlock block() const;

    int rowCount() const override { return layout_.rows(); }
    int columnCount() const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override { return QString::number(column); }
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override { return cursor_; }

  Q_SIGNALS:
    /// Emitted with the cell under the pointer or the cursor; nullopt if there is none.
    void cursorMoved(std::optional<headscope::widgets::MapCell> cell);
    /// Emitted on a click, or if the cursor moves to one of its rows.
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
    /// The token of a cell; nullopt if the position is not scored.
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
    std::optional<MapCell> keyed_; ///< cell of the keyboard; becomes the cursor again when the pointer leaves
};

} // namespace headscope::widgets
