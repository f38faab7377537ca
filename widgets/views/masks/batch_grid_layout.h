#pragma once

#include <QRectF>

#include "widgets/map/map_layout.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// Input of BatchGridLayout. Lengths in pixels.
struct BatchGridInput {
    double width = 0;
    double nameWidth = 0; ///< of a row's name at the left
    double lineHeight = 16;
    int sentences = 0;
    std::vector<double> sourceWidths; ///< [positions], of the widest token at each
    std::vector<double> targetWidths; ///< empty for an encoder-only model
};

/// Tokens of a batch in rows: the source of each sentence; below them, for each sentence, the tokens fed to
/// the decoder above their labels. Rows that are too wide wrap like text.
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
    /// Area for the position of a column, above the cells of its line.
    QRectF positionRect(int row, int column) const;
    /// Areas for the name of a row, one for each line of its tokens.
    std::vector<QRectF> nameRects(int row) const;
    std::optional<MapCell> cellAt(QPointF point) const;

  private:
    /// The columns of a line of sources or of targets.
    struct Line {
        bool source = true;
        int first = 0;
        int last = 0; ///< exclusive
        double top = 0;
    };
    void addLines(bool source, const std::vector<double>& widths, double& top);
    const Line* lineOf(int row, int column) const;
    /// Offset of a table row within a line, below the positions.
    double offset(int row) const;

    BatchGridInput input_;
    int sentences_ = 0;
    int rows_ = 0;
    double height_ = 0;
    double cellHeight_ = 0;
    std::vector<Line> lines_;
    std::vector<double> sourceLefts_; ///< [positions]
    std::vector<double> targetLefts_;
};

} // namespace headscope::widgets
