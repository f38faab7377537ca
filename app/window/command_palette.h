#pragma once

#include <QDialog>
#include <QStringList>

#include <functional>
#include <vector>

class QAction;
class QLineEdit;
class QListWidget;

namespace headscope::app {

/// A dialog that searches actions by name, tooltip or synonym, and heads by their numbers.
class CommandPalette : public QDialog {
    Q_OBJECT

  public:
    /// Returns the action that goes to the head named by `words`, such as "#2.5"; null if they name none.
    using HeadAction = std::function<QAction*(const QString& words)>;

    CommandPalette(std::vector<QAction*> actions, HeadAction headAction, QWidget* parent);

    /// Returns the actions that match the typed words, best first; all actions if nothing is typed.
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
