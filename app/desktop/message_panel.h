#pragma once

#include <QFrame>

#include "model/trace/refusal.h"

#include <functional>

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
    /// Adds a button to the message that is shown, which hides it.
    void offer(const QString& name, std::function<void()> does);
    /// Hides the message if it still shows `text`.
    void takeBack(const trace::RefusalText& text);
    /// The message as one paragraph, followed by its details.
    QString words() const;

  private:
    QLabel* what_;
    QLabel* rest_;
    QLabel* details_;
    QToolButton* offer_;
    std::function<void()> does_;
    QToolButton* showDetails_;
    trace::RefusalText text_;
};

} // namespace headscope::app
