#pragma once

#include <QScrollArea>

namespace headscope::widgets {
class TokenStrip;
} // namespace headscope::widgets

namespace headscope::app {

/// As high as its strip up to some lines; a longer strip scrolls, so that the views keep their place.
class StripArea : public QScrollArea {
    Q_OBJECT

  public:
    explicit StripArea(widgets::TokenStrip* strip, QWidget* parent = nullptr);

    void setMostLines(int lines);
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    /// Scrolls to a token.
    void showChip(int index);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    widgets::TokenStrip* strip_;
    int mostLines_ = 1;
};

} // namespace headscope::app
