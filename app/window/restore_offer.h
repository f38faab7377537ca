#pragma once

#include <QFrame>

class QLabel;

namespace headscope::app {

/// Offers what was on the screen when the program ended before its time. Nothing to answer before going on.
class RestoreOffer : public QFrame {
    Q_OBJECT

  public:
    explicit RestoreOffer(QWidget* parent = nullptr);

    /// When it was saved, in words.
    void offer(const QString& when);

  Q_SIGNALS:
    void restoreChosen();
    void discardChosen();

  private:
    QLabel* words_;
};

} // namespace headscope::app
