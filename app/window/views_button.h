#pragma once

#include <QToolButton>

class QTabWidget;

namespace headscope::app {

/// Lists the views by name, beside tabs that have no room for all of theirs; else it is not there.
class ViewsButton : public QToolButton {
    Q_OBJECT

  public:
    /// Stands in the upper right corner of `tabs`, which owns it.
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
