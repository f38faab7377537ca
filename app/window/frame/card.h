#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace headscope::widgets {
class HelpButton;
}

namespace headscope::app {

/// A view of the inspector below its title, which folds it.
class Card : public QWidget {
    Q_OBJECT

  public:
    /// `help`: what it shows, in sentences.
    Card(const QString& title, const QString& help, QWidget* content, QWidget* parent);

    void setTitle(const QString& title);
    /// A few words beside the title; cut where they have no room.
    void setNote(const QString& note);
    bool isOpen() const;
    void setOpen(bool open);

  Q_SIGNALS:
    void changed();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void showNote();

    QToolButton* title_;
    widgets::HelpButton* help_;
    QLabel* note_;
    QString whole_; ///< the note, uncut
    QWidget* content_;
};

} // namespace headscope::app
