#pragma once

#include <QWidget>

class QToolButton;

namespace headscope::app {

/// A view of the inspector below its title, which folds it.
class Card : public QWidget {
    Q_OBJECT

  public:
    Card(const QString& title, QWidget* content, QWidget* parent);

    void setTitle(const QString& title);
    bool isOpen() const;
    void setOpen(bool open);

  Q_SIGNALS:
    void changed();

  private:
    QToolButton* title_;
    QWidget* content_;
};

} // namespace headscope::app
