#pragma once

#include <QString>
#include <QWidget>

#include "model/trace/token.h"
#include "widgets/drawing/token_label.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// How a token came to stand in its row.
struct TokenChoice {
    std::optional<double> probability; ///< 0 to 1, a bar under the token
    bool isUnsure = false;             ///< the bar is of another colour
    bool isForced = false;             ///< by a person, not chosen by the model: a lock
    QString words;                     ///< of all this, for the tooltip
    friend bool operator==(const TokenChoice&, const TokenChoice&) = default;
};

/// A row of chips, one a token, that flows onto further lines. Chips are shaded by weights.
class TokenStrip : public QWidget {
    Q_OBJECT

  public:
    /// `name` is what the strip holds, such as "Source tokens": the accessible name.
    explicit TokenStrip(const QString& name, QWidget* parent = nullptr);

    /// Shading, outline and lit chip are forgotten; the choices, too.
    void setTokens(const std::vector<trace::Token>& tokens);
    /// Weights 0 to 1, one a token, and which keys are masked; empty vectors: no shading.
    void setShading(std::vector<float> weights, std::vector<bool> masked = {});
    /// One a token; empty: nobody chose them, and there is no room for bars.
    void setChoices(std::vector<TokenChoice> choices);
    const std::vector<TokenChoice>& choices() const { return choices_; }
    /// What stands in the strip as long as it holds no token.
    void setPlaceholder(const QString& text);

    /// Where a chip stands; empty if there is none.
    QRect chipRect(int index) const;
    std::optional<int> chipAt(QPoint position) const;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  public Q_SLOTS:
    /// The chip of the current step.
    void setOutlined(std::optional<int> index);
    /// The chip that another view lights up.
    void setLit(std::optional<int> index);
    void setSpaceMarksShown(bool shown);

  Q_SIGNALS:
    void tokenHovered(std::optional<int> index);
    void tokenClicked(int index);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    std::vector<QRect> flow(int width) const;
    /// What was measured before is measured anew: other labels, or drawn otherwise.
    void labelsChanged();
    TokenLabelStyle style() const;
    int chipHeight() const;
    void drawChoice(QPainter& painter, const QRectF& chip, const TokenChoice& choice) const;
    QString chipInWords(int index) const;
    void moveCursor(int index);
    void hover(std::optional<int> index);

    std::vector<TokenLabel> labels_;
    std::vector<int> widths_; ///< of the labels: measuring thousands takes longer than placing them
    std::vector<trace::Token> tokens_;
    std::vector<QRect> chips_;
    std::vector<float> weights_;
    std::vector<bool> masked_;
    std::vector<TokenChoice> choices_;
    std::optional<int> outlined_;
    std::optional<int> lit_;
    std::optional<int> hovered_;
    QString placeholder_;
    bool spaceMarks_ = true;
};

} // namespace headscope::widgets
