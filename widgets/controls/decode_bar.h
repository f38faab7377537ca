#pragma once

#include <QWidget>

class QAction;
class QHBoxLayout;
class QLabel;
class QSlider;

namespace headscope::widgets {

/// What the buttons of a decode bar do. Shortcuts and icons are the actions' own.
struct DecodeActions {
    QAction* toStart = nullptr;
    QAction* back = nullptr;
    QAction* forward = nullptr;
    QAction* toEnd = nullptr;
    QAction* stop = nullptr;
    QAction* runTo = nullptr;
    QAction* options = nullptr; ///< says in its icon text how tokens are chosen
};

/// Buttons and a slider to walk through the steps of decoding. It has no shortcuts of its own.
class DecodeBar : public QWidget {
    Q_OBJECT

  public:
    explicit DecodeBar(QWidget* parent = nullptr);

    /// The actions outlive the bar. Called once.
    void setActions(const DecodeActions& actions);

    int step() const;
    int steps() const;

  public Q_SLOTS:
    /// Step counts from 0; with no steps the bar says there is nothing to walk through. Emits nothing.
    void setPosition(int step, int steps);

  Q_SIGNALS:
    /// The slider was moved by a person.
    void stepRequested(int step);

  private:
    QHBoxLayout* buttons_;
    QSlider* slider_;
    QLabel* position_;
    int steps_ = 0;
};

} // namespace headscope::widgets
