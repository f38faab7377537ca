#pragma once

#include <QDialog>

#include <vector>

class QAction;
class QLineEdit;
class QListWidget;

namespace headscope::app {

/// Any action, found by typing some of its name.
class CommandPalette : public QDialog {
    Q_OBJECT

  public:
    CommandPalette(std::vector<QAction*> actions, QWidget* parent);

    /// What the typed words leave, best first.
    std::vector<QAction*> found() const;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void filter();
    void trigger();

    std::vector<QAction*> actions_;
    QLineEdit* words_;
    QListWidget* list_;
};

} // namespace headscope::app
