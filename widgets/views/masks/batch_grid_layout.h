#pragma once

#include <QRectF>

#include "widgets/map/map_layout.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// What the token rows of a batch have to fit into. Lengths in pixels.
struct BatchGridInput {
    double width = 0;
    double nameWidth = 0; ///< of a row's name at the left
    double lineHeight = 16;
    int sentences = 0;
    std::vector<double> sourceWidths; ///< one a position: what its widest token needs
    std::vector<double> targetWidths; ///< empty for an encoder alone
};

/// Tokens of a batch in rows: each sentence's source; under them, for each sentence, what the decoder is fed
/// and the label it is scored on, one above the other. What is too wide goes on below, as lines of a text do.
/// Table row r of n sentences: source r for r < n; then n + 2i is fed and n + 2i + 1 the label of sentence i.
class BatchGridLayout {
  public:
    BatchGridLayout() = default;
    explicit BatchGridLayout(const BatchGridInput& input);

    int rows() const { return rows_; }
    int columnsOf(int row) const;
    /// Sentence of a table row.
    int sentenceOf(int row) const;
    bool isSource(int row) const { return row < sentences_; }
    bool isLabel(int row) const { return !isSource(row) && (row - sentences_) % 2 == 1; }

    double height() const { return height_; }
    QRectF cellRect(int row, int column) const;
    /// Where the position of a column is written above a row's cells of the same line.
    QRectF positionRect(int row, int column) const;
    /// Where a row's name is written, once for each line that its tokens take.
    std::vector<QRectF> nameRects(int row) const;
    std::optional<MapCell> cellAt(QPointF point) const;

  private:
    /// The columns of one line of tokens, of sources or of targets.
    struct Line {
        bool source = true;
        int first = 0;
        int last = 0; ///< not in it
        double top = 0;
    };
    void addLines(bool source, const std::vector<double>& widths, double& top);
    const Line* lineOf(int row, int column) const;
    /// Of a table row within a line, below the line's positions.
    double offset(int row) const;

    BatchGridInput input_;
    int sentences_ = 0;
    int rows_ = 0;
    double height_ = 0;
    double cellHeight_ = 0;
    std::vector<Line> lines_;
    std::vector<double> sourceLefts_; ///< one a position
    std::vector<double> targetLefts_;
};

} // namespace headscope::widgets
