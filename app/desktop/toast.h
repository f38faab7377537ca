#pragma once

#include <QLabel>
#include <QTimer>

namespace headscope::app {

/// A note at the lower right of a window for four seconds, which takes neither keys nor clicks.
class Toast : public QLabel {
    Q_OBJECT

  public:
    explicit Toast(QWidget* window);

    void say(const QString& words);

  protected:
    bool eventFilter(QObject* window, QEvent* event) override;

  private:
    void place();

    QTimer timer_;
};

} // namespace headscope::app
