#pragma once

#include <QFrame>
#include <QTimer>

#include <functional>

class QAction;
class QLabel;
class QPushButton;

namespace headscope::app {

/// A short message in a corner of the window, for some seconds. It never takes the focus.
class Toast : public QFrame {
    Q_OBJECT

  public:
    /// `undo` outlives this.
    Toast(QAction* undo, QWidget* window);

    void say(const QString& words);
    /// Of something written or copied. With a button that shows the folder of `file`, unless that is empty.
    void sayDone(const QString& words, const QString& file);
    void sayUndoable(const QString& words);
    /// With a button that triggers `action`.
    void offer(const QString& words, QAction* action);
    QString words() const;

  protected:
    bool eventFilter(QObject* window, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    /// `does`: of the button; nothing: there is none.
    void sayWith(const QString& words, const QString& button, std::function<void()> does);
    void place();

    QAction* undo_;
    QLabel* words_;
    QPushButton* button_;
    std::function<void()> does_;
    QTimer timer_;
};

} // namespace headscope::app
