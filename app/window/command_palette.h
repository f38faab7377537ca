#pragma once

#include <QDialog>
#include <QStringList>

#include <functional>
#include <vector>

class QAction;
class QLineEdit;
class QListWidget;

namespace headscope::app {

/// Any action, found by typing some of its name, of what it does, or a synonym; and heads by their numbers.
class CommandPalette : public QDialog {
    Q_OBJECT

  public:
    /// What goes to the head that the words name, such as "#2.5"; null where they name none.
    using HeadAction = std::function<QAction*(const QString& words)>;

    CommandPalette(std::vector<QAction*> actions, HeadAction headAction, QWidget* parent);

    /// What the typed words leave, best first.
    std::vector<QAction*> found() const;
    std::vector<QAction*> withSomeOf(const QStringList& words) const;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void filter();
    void trigger();

    std::vector<QAction*> actions_;
    HeadAction headAction_;
    QLineEdit* words_;
    QListWidget* list_;
};

} // namespace headscope::app
