#pragma once

#include <QWidget>

#include "app/desktop/actions.h"

class QLineEdit;

namespace headscope::app {

/// All shortcuts and mouse actions, to be searched.
class KeyList : public QWidget {
    Q_OBJECT

  public:
    KeyList(const Actions& actions, QWidget* parent);
    QLineEdit* words() const { return words_; }

  private:
    QLineEdit* words_;
};

} // namespace headscope::app
