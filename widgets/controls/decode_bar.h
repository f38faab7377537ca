#pragma once

#include <QWidget>

class QAction;
class QHBoxLayout;
class QLabel;

namespace headscope::widgets {

/// Actions of the buttons of a decode bar, which bring their shortcuts and icons.
struct DecodeActions {
    QAction* toStart = nullptr;
    QAction* back = nullptr;
    QAction* forward = nullptr;
    QAction* toEnd = nullptr;
    QAction* stop = nullptr;
    QAction* runTo = nullptr;
};

/// Buttons to step through the decoding, and the step. It has no shortcuts of its own.
class DecodeBar : public QWidget {
    Q_OBJECT

  public:
    explicit DecodeBar(QWidget* parent = nullptr);

    /// The actions must outlive the bar. Called once.
    void setActions(const DecodeActions& actions);

  public Q_SLOTS:
    /// `step` counts from 0.
    void setPosition(int step, int steps);

  private:
    QHBoxLayout* buttons_;
    QLabel* position_;
};

} // namespace headscope::widgets
