#pragma once

#include <QAbstractScrollArea>
#include <QFont>
#include <QRectF>
#include <QString>
#include <QWidget>

#include "widgets/drawing/token_label.h"
#include "widgets/figure_blocks.h"
#include "widgets/map/accessible_map.h"
#include "widgets/views/positions/position_question.h"

#include <optional>
#include <vector>

class QBoxLayout;
class QLabel;
class QPainter;

namespace headscope::widgets {

class CardHead;
class ColumnTable;
class ReadablePlot;
class ShareBars;
struct Theme;

/// Word and position in the input of the first layer: the share of the position in every token as bars; or as
/// numbers the shares of every token, and the vectors of the token that was hovered or selected last.
class WordPositionPage : public QWidget {
    Q_OBJECT

  public:
    explicit WordPositionPage(QWidget* parent = nullptr);

    void setShares(const TokenShares& shares);
    void setSpaceMarksShown(bool shown);
    void setNumbersShown(bool shown);
    /// The highlighted token of other views.
    void setLit(std::optional<int> token);
    CardHead* cardHead() const { return cardHead_; }
    /// The shares; the vectors would fill the page with digits.
    FigureBlock block(const FigureParts& parts) const;

  Q_SIGNALS:
    /// Describes the token under the pointer or the cursor; empty if there is none.
    void tokenDescribed(const QString& words);
    void cursorMoved(std::optional<int> token);
    void tokenClicked(int token);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void showVectors(int token);
    void showChart();
    void fit();

    TokenShares shares_;
    std::optional<int> lit_;
    bool spaceMarks_ = true;
    CardHead* cardHead_;
    QLabel* mean_;
    ReadablePlot* chart_;
    QWidget* numbers_;
    ShareBars* bars_;
    QLabel* title_;
    ColumnTable* vectors_;
    QWidget* half_;
    QBoxLayout* row_;
};

/// A scrollable list of the shares of word and position in each token's vector: bars stacked to 1, or to both
/// sides of zero if one points away from the sum. Up and Down move between tokens.
class ShareBars : public QAbstractScrollArea, public ReadableMap {
    Q_OBJECT

  public:
    explicit ShareBars(QWidget* parent = nullptr);

    void setShares(const TokenShares& shares);
    void setSpaceMarksShown(bool shown);
    bool isEmpty() const { return labels_.empty(); }
    /// As many rows as fit.
    FigureBlock block(const FigureParts& parts) const;

    // For screen readers, all shares of a token are one cell.
    int rowCount() const override { return labels_.size(); }
    int columnCount() const override { return 1; }
    QString rowName(int row) const override { return labels_.at(row).full(); }
    QString columnName(int) const override { return tr("word and position"); }
    QString cellInWords(MapCell cell) const override { return inWords(cell.row); }
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override;

  Q_SIGNALS:
    /// Describes the token under the pointer or the cursor; empty if there is none.
    void tokenDescribed(const QString& words);
    void cursorMoved(std::optional<int> token);

  protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    void drawRows(QPainter& painter, const QRectF& area, const FigureParts& parts, const Theme& theme) const;
    void setRow(std::optional<int> row);
    void layOut();
    int visibleRows() const;

    struct Columns {
        QRectF token, bar, word, position;
    };
    Columns columns(const QRectF& row) const;
    double rowHeight() const;
    /// Column titles, including the legend of the bars.
    void drawHeader(QPainter& painter, const QRectF& row, const Theme& theme) const;
    void drawRow(QPainter& painter, const QRectF& row, std::size_t index, const Theme& theme) const;
    void drawBar(QPainter& painter, const QRectF& area, const analysis::EmbeddingShare& share,
                 const Theme& theme) const;
    /// “Tochter”: word 0.8123, position 0.1877 of their sum; and the norms of both vectors.
    QString inWords(std::size_t index) const;

    std::vector<TokenLabel> labels_;
    std::vector<analysis::EmbeddingShare> shares_; ///< [labels_]
    TokenLabelStyle style_;
    std::optional<int> row_;
};

} // namespace headscope::widgets
