#pragma once

#include <QObject>

class QWidget;

namespace headscope::app {

/// Keys without Ctrl or Alt belong to whatever has the focus and uses them: all of them to a text field,
/// those that move about to lists, maps and buttons. The others, and all where nothing has the focus, are
/// shortcuts.
class ShortcutRules : public QObject {
    Q_OBJECT

  public:
    /// Of `window`, which owns this.
    explicit ShortcutRules(QWidget* window);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* window_;
};

} // namespace headscope::app
