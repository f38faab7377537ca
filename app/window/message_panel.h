#pragma once

#include <QFrame>

#include "model/trace/refusal.h"

class QLabel;
class QToolButton;

namespace headscope::app {

/// Says in the window, next to what was asked for, what could not be done: what, where, expected, found and
/// the way out; a library's own words under "Details". Nothing to dismiss before going on.
class MessagePanel : public QFrame {
    Q_OBJECT

  public:
    explicit MessagePanel(QWidget* parent = nullptr);

    void showRefusal(const trace::RefusalText& text);
    /// What is said no longer holds; whatever else is said stays.
    void takeBack(const trace::RefusalText& text);
    /// What the panel says, as one paragraph.
    QString words() const;

  private:
    QLabel* what_;
    QLabel* rest_;
    QLabel* details_;
    QToolButton* showDetails_;
    trace::RefusalText text_;
};

} // namespace headscope::app
