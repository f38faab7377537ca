#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace headscope::app {

/// A line above the workspaces: what the open model is, at the first start; or what was shown last. It takes
/// neither keys nor clicks from the window, and is gone with any of its buttons.
class WelcomeStrip : public QFrame {
    Q_OBJECT

  public:
    explicit WelcomeStrip(QWidget* parent);

    /// Offers the tour, other models and the person's own.
    void introduce();
    /// What the open model does, once it is known.
    void setTask(const QString& task);
    bool introduces() const;
    /// Offers what was shown when the last window was closed.
    void offerToContinue(const QString& sentence, const QString& model);

  Q_SIGNALS:
    void tourChosen();
    void othersChosen();
    void ownChosen();
    void continueChosen();
    /// With the other signals, too.
    void closed();

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QPushButton* add(const QString& text, const QString& toolTip, void (WelcomeStrip::*chosen)());
    void show(const QString& words, const QList<QPushButton*>& buttons);

    QLabel* words_;
    QList<QPushButton*> introducing_;
    QPushButton* continue_;
};

} // namespace headscope::app
