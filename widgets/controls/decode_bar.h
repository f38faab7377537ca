#pragma once

#include <QWidget>

#include <vector>

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

/// Buttons to step through the decoding or, back and forward alone, through masks
/// or labelled tokens, and the step. It has no
/// shortcuts of its own.
class DecodeBar : public QWidget {
    Q_OBJECT

  public:
    /// What one step is.
    enum class Unit { Step, Mask, Token };

    explicit DecodeBar(QWidget* parent = nullptr);

    /// The actions must outlive the bar. Called once.
    void setActions(const DecodeActions& actions);

    /// Only what steps back and forward, and the step in few letters.
    void setBrief(bool brief);
    void setUnit(Unit unit);

  public Q_SLOTS:
    /// `step` counts from 0.
    void setPosition(int step, int steps);

  private:
    void showButtons();

    QHBoxLayout* buttons_;
    QLabel* position_;
    std::vector<QWidget*> rest_; ///< hidden if it is brief or does not decode
    bool brief_ = false;
    Unit unit_ = Unit::Step;
    int step_ = 0;
    int steps_ = 0;
};

} // namespace headscope::widgets
