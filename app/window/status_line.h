#pragma once

#include <QStatusBar>

namespace headscope::app {

inline constexpr int messageTime = 6000; ///< ms that a message is shown

/// A status bar that elides the middle of messages that are too long, such as paths and commands, and shows
/// them in full in the tooltip.
class StatusLine : public QStatusBar {
    Q_OBJECT

  public:
    using QStatusBar::QStatusBar;

    /// The message as far as it fits.
    QString shownMessage() const;

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    QRect messageArea() const;
    bool isCut() const { return shownMessage() != currentMessage(); }
};

} // namespace headscope::app
