#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace headscope::app {

/// A message that offers to restore the work shown before a crash. It does not block the window.
class RestoreOffer : public QFrame {
    Q_OBJECT

  public:
    explicit RestoreOffer(QWidget* parent = nullptr);

    /// `when`: localized time of the save.
    void offer(const QString& when);
    /// Offers to undo the discard.
    void offerToTakeBack();

  Q_SIGNALS:
    void restoreChosen();
    void discardChosen();
    void takeBackChosen();

  private:
    QPushButton* add(const QString& text, const char* name, const QString& toolTip,
                     void (RestoreOffer::*chosen)());
    void show(const QString& words, const QList<QPushButton*>& buttons);

    QLabel* words_;
    QPushButton* restore_;
    QPushButton* discard_;
    QPushButton* undo_;
    QPushButton* close_;
};

} // namespace headscope::app
