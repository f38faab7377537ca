#pragma once

#include <QToolButton>

class QTabWidget;

namespace headscope::app {

/// A button that lists the views by name. Visible only if the tabs do not all fit.
class ViewsButton : public QToolButton {
    Q_OBJECT

  public:
    /// Placed in the upper right corner of `tabs`, its parent.
    explicit ViewsButton(QTabWidget* tabs);

    QSize sizeHint() const override;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void fill();
    void follow();

    QTabWidget* tabs_;
};

} // namespace headscope::app
