#pragma once

#include <QString>
#include <QWidget>

#include "model/trace/token.h"
#include "widgets/drawing/token_label.h"
#include "widgets/map/accessible_map.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// How a token was chosen.
struct TokenChoice {
    std::optional<double> probability; ///< from 0 to 1: a bar below the token
    bool isUnsure = false;             ///< colours the bar
    bool isForced = false;             ///< by the user, not chosen by the model: draws a lock
    QString words;                     ///< description for the tooltip
    friend bool operator==(const TokenChoice&, const TokenChoice&) = default;
};

/// A row of tokens as chips, wrapped to further lines and shaded by weights.
class TokenStrip : public QWidget, public ReadableMap {
    Q_OBJECT

  public:
    /// `name` is the accessible name, such as "Source tokens".
    explicit TokenStrip(const QString& name, QWidget* parent = nullptr);

    /// Also resets shading, choices, changes, outline and highlight.
    void setTokens(const std::vector<trace::Token>& tokens);
    /// Weights from 0 to 1, one per token, and which keys are masked; empty vectors: no shading.
    void setShading(std::vector<float> weights, std::vector<bool> masked = {});
    /// Contributions of either sign, one per token; empty: no shading.
    void setContributions(std::vector<float> contributions);
    /// One per token; empty: no bars.
    void setChoices(std::vector<TokenChoice> choices);
    const std::vector<TokenChoice>& choices() const { return choices_; }
    /// Outlines the tokens that a change of the model has changed; one per token, or empty.
    void setChanged(std::vector<bool> changed);
    const std::vector<bool>& changed() const { return changed_; }
    /// Text shown while the strip has no tokens.
    void setPlaceholder(const QString& text);

    /// Rectangle of a chip; empty if there is none.
    QRect chipRect(int index) const;
    std::optional<int> chipAt(QPoint position) const;

    int rowCount() const override { return labels_.empty() ? 0 : 1; }
    int columnCount() const override { return labels_.size(); }
    QString rowName(int) const override { return accessibleName(); }
    QString columnName(int column) const override { return exactly(labels_.at(column)); }
    QString cellInWords(MapCell cell) const override { return chipInWords(cell.column); }
    QRect cellArea(MapCell cell) const override { return chipRect(cell.column); }
    /// The chip that keys moved to, or that of the current step.
    std::optional<MapCell> cursorCell() const override;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  public Q_SLOTS:
    /// Outlines the chip of the current step.
    void setOutlined(std::optional<int> index);
    /// Highlights the chip that another view selects.
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
    /// Measures and lays out all labels again.
    void labelsChanged();
    TokenLabelStyle style() const;
    int chipHeight() const;
    void drawChoice(QPainter& painter, const QRectF& chip, const TokenChoice& choice) const;
    QString chipInWords(int index) const;
    void moveCursor(int index);
    void hover(std::optional<int> index);

    std::vector<TokenLabel> labels_;
    std::vector<int> widths_; ///< cached, as measuring thousands of labels takes longer than placing them
    std::vector<trace::Token> tokens_;
    std::vector<QRect> chips_;
    std::vector<float> weights_;
    std::optional<double> contributionLimit_; ///< the largest of the weights, which are contributions
    std::vector<bool> masked_;
    std::vector<TokenChoice> choices_;
    std::vector<bool> changed_;
    std::optional<int> outlined_;
    std::optional<int> lit_;
    std::optional<int> hovered_;
    QString placeholder_;
    bool spaceMarks_ = true;
};

} // namespace headscope::widgets
