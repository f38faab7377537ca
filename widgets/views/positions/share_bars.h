#pragma once

#include <QAbstractScrollArea>

#include "widgets/figure_blocks.h"
#include "widgets/map/accessible_map.h"
#include "widgets/views/positions/share_rows.h"

#include <optional>

namespace headscope::widgets {

/// A scrollable list of the shares of word and position in each token's vector. Up and Down move between
/// tokens.
class ShareBars : public QAbstractScrollArea, public ReadableMap {
    Q_OBJECT

  public:
    explicit ShareBars(QWidget* parent = nullptr);

    void setShares(const TokenShares& shares);
    void setSpaceMarksShown(bool shown);
    bool isEmpty() const { return rows_.labels.empty(); }
    /// As many rows as fit.
    FigureBlock block(const FigureParts& parts) const;

    // For screen readers, all shares of a token are one cell.
    int rowCount() const override { return rows_.labels.size(); }
    int columnCount() const override { return 1; }
    QString rowName(int row) const override { return rows_.labels.at(row).full(); }
    QString columnName(int) const override { return tr("word and position"); }
    QString cellInWords(MapCell cell) const override { return rows_.inWords(cell.row); }
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

    ShareRows rows_;
    std::optional<int> row_;
};

} // namespace headscope::widgets
