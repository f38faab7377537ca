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

/// Curves of selected dimensions of positional vectors over the position.
class PositionCurves : public QWidget {
    Q_OBJECT

  public:
    /// Each has its own colour and dashes; more could not be told apart.
    static constexpr std::size_t mostCurves = 8;

    explicit PositionCurves(QWidget* parent = nullptr);
    ~PositionCurves() override;

    /// Draws positions 0 to `positions` - 1. Dots mark the tokens of the sentence, at the values that were
    /// actually added. Shares ownership of the matrix of `table`.
    void show(const PositionTable& table, const std::vector<int>& dimensions, int positions);
    /// Describes the visible part if the user zoomed or panned; empty: all is visible.
    QString partInWords() const;
    /// The visible part as left and right end, lowest and highest value; empty: all is visible.
    std::vector<double> zoom() const;
    /// Also works before show().
    void setZoom(const std::vector<double>& ends);
    /// Draws the curves into another area.
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;
    /// The highlighted position of other views; the pointer takes precedence.
    void setLit(std::optional<int> position);

    /// In less room, the parent scrolls.
    QSize minimumSizeHint() const override { return {160, 16 * fontMetrics().height()}; }

  Q_SIGNALS:
    /// Emitted if the pointer or an arrow key moves to a position; nullopt when the pointer leaves.
    void positionHovered(std::optional<int> position);
    /// Emitted on click or Enter.
    void positionClicked(int position);

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Plot;
    /// `place` on the axis; nullopt if the pointer left.
    void hover(std::optional<double> place);
    void showLine();
    void released(QPointF place);
    bool keyPressed(int key);
    bool isZoomed() const;

    std::unique_ptr<Plot> plot_;
    QLabel* values_;
};

} // namespace headscope::widgets
