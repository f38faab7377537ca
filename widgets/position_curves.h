#pragma once

#include <QWidget>

#include "widgets/position_table.h"

#include <memory>
#include <vector>

class QLabel;

namespace headscope::widgets {

/// Curves of chosen dimensions of positional vectors over the position.
class PositionCurves : public QWidget {
    Q_OBJECT

  public:
    /// One colour and one kind of dashes each; more would not be told apart.
    static constexpr std::size_t mostCurves = 8;

    explicit PositionCurves(QWidget* parent = nullptr);
    ~PositionCurves() override;

    /// `table` outlives what is shown of it. Draws positions 0 to `positions` - 1; dots stand where the
    /// sentence is, at the values that were really added.
    void show(const PositionTable& table, const std::vector<int>& dimensions, int positions);
    void draw(QPainter& painter, const QRectF& area) const;

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Plot;
    void hover(double position);

    std::unique_ptr<Plot> plot_;
    QLabel* values_;
};

} // namespace headscope::widgets
