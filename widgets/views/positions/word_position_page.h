#pragma once

#include <QWidget>

#include "widgets/figure_source.h"
#include "widgets/views/positions/position_question.h"

#include <optional>

class QBoxLayout;
class QLabel;

namespace headscope::widgets {

class ColumnTable;
class ShareBars;
struct Theme;

/// Word and position in what the first layer gets of each token: their shares, and of one token, the last
/// that was pointed at or gone to, the vectors themselves.
class WordPositionPage : public QWidget {
    Q_OBJECT

  public:
    explicit WordPositionPage(QWidget* parent = nullptr);

    void setShares(const TokenShares& shares);
    void setSpaceMarksShown(bool shown);
    int figureHeight() const;
    /// The shares: of the vectors a page would be full of digits.
    void drawFigure(QPainter& painter, const QRectF& area, const FigureParts& parts,
                    const Theme& theme) const;

  Q_SIGNALS:
    /// The token under the pointer or the cursor, in words; empty when there is none.
    void tokenDescribed(const QString& words);
    void cursorMoved(std::optional<int> token);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void showVectors(int token);
    void fit();

    TokenShares shares_;
    ShareBars* bars_;
    QLabel* title_;
    ColumnTable* vectors_;
    QWidget* half_;
    QBoxLayout* row_;
};

} // namespace headscope::widgets
