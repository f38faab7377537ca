#pragma once

#include <QFrame>
#include <QTimer>

class QLabel;
class QPushButton;

namespace headscope::app {

/// A short message in a corner of the window, for four seconds. It never takes the focus.
class Toast : public QFrame {
    Q_OBJECT

  public:
    explicit Toast(QWidget* window);

    void say(const QString& words);
    /// Of something written or copied. With a button that shows the folder of `file`, unless that is empty.
    void sayDone(const QString& words, const QString& file);
    QString words() const;

  protected:
    bool eventFilter(QObject* window, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    void place();

    QLabel* words_;
    QPushButton* show_;
    QString file_;
    QTimer timer_;
};

} // namespace headscope::app
