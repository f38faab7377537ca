#pragma once

#include <QFrame>

#include "model/trace/refusal.h"

class QLabel;
class QToolButton;

namespace headscope::app {

/// Shows an error inside the window: what happened, where, expected, found, and what to do; details from
/// libraries are under "Details". It does not block the window.
class MessagePanel : public QFrame {
    Q_OBJECT

  public:
    explicit MessagePanel(QWidget* parent = nullptr);

    void showRefusal(const trace::RefusalText& text);
    /// Hides the message if it still shows `text`.
    void takeBack(const trace::RefusalText& text);
    /// The message as one paragraph, followed by its details.
    QString words() const;

  private:
    QLabel* what_;
    QLabel* rest_;
    QLabel* details_;
    QToolButton* showDetails_;
    trace::RefusalText text_;
};

} // namespace headscope::app
