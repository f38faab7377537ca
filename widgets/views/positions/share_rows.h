#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include "widgets/drawing/token_label.h"
#include "widgets/views/positions/position_question.h"

#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// Tokens with a bar of the shares of word and position: stacked to 1, or to both sides of zero if one points
/// away from the sum. Used on screen and in figures.
struct ShareRows {
    std::vector<TokenLabel> labels;
    std::vector<analysis::EmbeddingShare> shares; ///< [labels]
    TokenLabelStyle style;

    double rowHeight() const;
    /// Column titles, including the legend of the bars.
    void drawHeader(QPainter& painter, const QRectF& row, const Theme& theme) const;
    void drawRow(QPainter& painter, const QRectF& row, std::size_t index, const Theme& theme) const;
    /// “Tochter”: word 0.8123, position 0.1877 of their sum; and the norms of both vectors.
    QString inWords(std::size_t index) const;

  private:
    struct Columns {
        QRectF token, bar, word, position;
    };
    Columns columns(const QRectF& row) const;
    void drawBar(QPainter& painter, const QRectF& area, const analysis::EmbeddingShare& share,
                 const Theme& theme) const;
};

} // namespace headscope::widgets
