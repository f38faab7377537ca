#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace headscope::app {

/// Offers what was on the screen when the program ended before its time. Nothing to answer before going on.
class RestoreOffer : public QFrame {
    Q_OBJECT

  public:
    explicit RestoreOffer(QWidget* parent = nullptr);

    /// When it was saved, in words.
    void offer(const QString& when);
    /// What was discarded can be had back.
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
