#pragma once

#include <QWidget>

class QAction;
class QHBoxLayout;
class QLabel;
class QSlider;

namespace headscope::widgets {

/// Actions of the buttons of a decode bar, which bring their shortcuts and icons.
struct DecodeActions {
    QAction* toStart = nullptr;
    QAction* back = nullptr;
    QAction* forward = nullptr;
    QAction* toEnd = nullptr;
    QAction* stop = nullptr;
    QAction* runTo = nullptr;
    QAction* options = nullptr; ///< its icon text names the decoding method
};

/// Buttons and a slider to step through the decoding. It has no shortcuts of its own.
class DecodeBar : public QWidget {
    Q_OBJECT

  public:
    explicit DecodeBar(QWidget* parent = nullptr);

    /// The actions must outlive the bar. Called once.
    void setActions(const DecodeActions& actions);

    int step() const;
    int steps() const;

  public Q_SLOTS:
    /// `step` counts from 0; without steps the slider is disabled. Emits no signal.
    void setPosition(int step, int steps);

  Q_SIGNALS:
    /// The user moved the slider.
    void stepRequested(int step);

  private:
    QHBoxLayout* buttons_;
    QSlider* slider_;
    QLabel* position_;
    int steps_ = 0;
};

} // namespace headscope::widgets
