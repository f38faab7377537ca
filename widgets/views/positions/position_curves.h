#pragma once

#include <QWidget>

#include "widgets/plots/plot.h"
#include "widgets/views/positions/position_table.h"

#include <optional>
#include <vector>

class QLabel;
class QPainter;

namespace headscope::widgets {

class ReadablePlot;
struct Theme;

/// Curves of selected dimensions of positional vectors over the position.
class PositionCurves : public QWidget {
    Q_OBJECT

  public:
    /// Each has its own colour and dashes; more could not be told apart.
    static constexpr std::size_t mostCurves = 8;

    static Qt::PenStyle dashOf(std::size_t curve);

    explicit PositionCurves(QWidget* parent = nullptr);
    ~PositionCurves() override;

    /// Draws positions 0 to `positions` - 1. Dots mark the tokens of the sentence, at the values that were
    /// actually added.
    /// `names`: of the tokens at positions from 0; empty where the sentence has none.
    void show(const PositionTable& table, const std::vector<int>& dimensions, int positions,
              std::vector<QString> names = {});
    /// Describes the visible part if the user zoomed or panned; empty: all is visible.
    QString partInWords() const;
    /// The visible part as left and right end, lowest and highest value; empty: all is visible.
    std::vector<double> zoom() const { return zoom_; }
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
    /// Of the curves at the position that is marked; empty if none is.
    void valuesMarked(const std::vector<double>& values);
    /// Emitted on click or Enter.
    void positionClicked(int position);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    /// The plot with the visible part of its axes.
    Plot zoomed() const;
    /// Shows the plot with a line at a position: at the one pointed at, else at the highlighted one.
    void showPlot();
    /// Makes the visible part `factor` times as large around a point of the plot, and moves it by pixels.
    void zoomBy(double factor, QPointF around, QPointF by);

    Plot plot_; ///< of all positions
    bool byDistance_ = false;
    bool isScore_ = false;
    std::vector<QString> names_; ///< of the tokens at positions
    std::vector<double> zoom_;   ///< as in zoom()
    std::optional<int> pointed_;
    std::optional<int> lit_;
    std::optional<QPointF> pressedAt_;
    bool dragging_ = false;
    ReadablePlot* shown_;
    QLabel* values_;
};

/// Marks of one value for each of 0, 1, 2, ...
struct PositionMarks {
    QString name;
    std::vector<double> values; ///< positive; other values have no mark
    std::vector<bool> hollow;   ///< [values]
};

/// Marks over a logarithmic axis. Rows differ in colour and shape.
Plot marksPlot(const std::vector<PositionMarks>& rows, const QString& across, const QString& up);

} // namespace headscope::widgets
