#pragma once

#include <QWidget>

#include "widgets/views/positions/position_table.h"

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QPainter;

namespace headscope::widgets {

struct Theme;

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
    /// What is seen of it after a person has zoomed or moved it, in words; empty: all of it.
    QString partInWords() const;
    /// The same as the places at its left and right end, the lowest and the highest value; empty: all of it.
    std::vector<double> zoom() const;
    /// Also before there are curves.
    void setZoom(const std::vector<double>& ends);
    /// The same in another room.
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;
    /// The position that another view lights; the pointer's own goes before.
    void setLit(std::optional<int> position);

    /// Where there is less room, what is around scrolls.
    QSize minimumSizeHint() const override { return {160, 16 * fontMetrics().height()}; }

  Q_SIGNALS:
    /// The pointer or an arrow key has moved there; nothing when it has left.
    void positionHovered(std::optional<int> position);
    /// Click or Enter.
    void positionClicked(int position);

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Plot;
    /// At a place on the axis; nothing when the pointer has left.
    void hover(std::optional<double> place);
    void showLine();
    void released(QPointF place);
    bool keyPressed(int key);
    bool isZoomed() const;

    std::unique_ptr<Plot> plot_;
    QLabel* values_;
};

} // namespace headscope::widgets
