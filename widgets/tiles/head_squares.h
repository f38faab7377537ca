#pragma once

#include <QWidget>

#include "widgets/drawing/head_ink.h"

#include <vector>

class QAbstractButton;

namespace headscope::widgets {

/// A small square for every head of a layer, in the colour and with the dashes of its lines, which shows the
/// head or takes it away. Numbers are those of the addresses, from 0.
class HeadSquares : public QWidget {
    Q_OBJECT

  public:
    explicit HeadSquares(QWidget* parent = nullptr);

    /// Without emitting anything. `most` heads may be on at once.
    void setHeads(int count, const std::vector<int>& shown, int most);

  Q_SIGNALS:
    void headToggled(int head);

  private:
    std::vector<QAbstractButton*> squares_;
};

} // namespace headscope::widgets
