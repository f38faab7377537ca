#pragma once

#include <QWidget>

#include "widgets/drawing/head_ink.h"

#include <vector>

class QAbstractButton;

namespace headscope::widgets {

/// A row of small toggles, one per head of a layer, in the colour and dash pattern of the head's lines.
/// Numbers count from 0.
class HeadSquares : public QWidget {
    Q_OBJECT

  public:
    explicit HeadSquares(QWidget* parent = nullptr);

    /// Emits nothing. At most `most` heads can be on.
    void setHeads(int count, const std::vector<int>& shown, int most);

  Q_SIGNALS:
    void headToggled(int head);

  private:
    std::vector<QAbstractButton*> squares_;
};

} // namespace headscope::widgets
