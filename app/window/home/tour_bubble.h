#pragma once

#include <QFrame>
#include <QVariantAnimation>

class QLabel;
class QPushButton;

namespace headscope::app {

/// A frame around what the tour points at. It pulses, unless the desktop wants no animations, and lets all
/// clicks through.
class TourFrame : public QWidget {
    Q_OBJECT

  public:
    explicit TourFrame(QWidget* window);
    /// `target` in the window; hidden if that is empty.
    void surround(const QRect& target);
    bool isPulsing() const { return pulse_->state() == QVariantAnimation::Running; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QVariantAnimation* pulse_ = nullptr;
};

/// The words of a step of the tour beside what it points at.
class TourBubble : public QFrame {
    Q_OBJECT

  public:
    explicit TourBubble(QWidget* window);

    struct Step {
        int number; ///< from 1
        int count;
        QString words;
        bool isDone; ///< what it asks for was done
    };
    void show(const Step& step);
    /// Near `target`, and not over it where there is room elsewhere.
    void moveTo(const QRect& target);

  Q_SIGNALS:
    void backChosen();
    void nextChosen();
    void endChosen();

  private:
    QPushButton* add(const QString& text, void (TourBubble::*chosen)());

    QLabel* number_;
    QLabel* words_;
    QPushButton* back_;
    QPushButton* next_;
    QPushButton* end_;
};

} // namespace headscope::app
