#pragma once

#include <QStatusBar>

namespace headscope::app {

inline constexpr int messageTime = 6000; ///< ms that a message stays

/// A status bar whose messages lose their middle where they are longer than it, as a path or a command is;
/// the tooltip then says all of it.
class StatusLine : public QStatusBar {
    Q_OBJECT

  public:
    using QStatusBar::QStatusBar;

    /// As much of the message as there is room for.
    QString shownMessage() const;

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    QRect messageArea() const;
    bool isCut() const { return shownMessage() != currentMessage(); }
};

} // namespace headscope::app
