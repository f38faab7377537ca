#pragma once

#include <QWidget>

#include "widgets/figure_blocks.h"
#include "widgets/views/positions/position_question.h"

#include <optional>

class QBoxLayout;
class QLabel;

namespace headscope::widgets {

class ColumnTable;
class ShareBars;

/// Word and position in the input of the first layer: the shares of every token, and the vectors of the token
/// that was hovered or selected last.
class WordPositionPage : public QWidget {
    Q_OBJECT

  public:
    explicit WordPositionPage(QWidget* parent = nullptr);

    void setShares(const TokenShares& shares);
    void setSpaceMarksShown(bool shown);
    /// The shares; the vectors would fill the page with digits.
    FigureBlock block(const FigureParts& parts) const;

  Q_SIGNALS:
    /// Describes the token under the pointer or the cursor; empty if there is none.
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
