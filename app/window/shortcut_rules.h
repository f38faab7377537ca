#pragma once

#include <QObject>

class QWidget;

namespace headscope::app {

/// Keys without Ctrl or Alt go to the focused widget if it uses them: all of them to text fields, navigation
/// keys to lists, maps and buttons. All others are shortcuts.
class ShortcutRules : public QObject {
    Q_OBJECT

  public:
    /// `window` is the parent of this.
    explicit ShortcutRules(QWidget* window);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* window_;
};

} // namespace headscope::app
