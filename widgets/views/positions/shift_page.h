#pragma once

#include <QWidget>

#include "model/analysis/positions/positional_shift.h"
#include "widgets/figure_blocks.h"

#include <memory>
#include <optional>

class QBoxLayout;
class QLabel;

namespace headscope::widgets {

class DrawnPlot;
class NumberMap;
class ReadablePlot;

/// How well one linear map M leads from each position to a later one, and M itself. For an exact rotation,
/// also a fit that does not know about the rotation.
class ShiftPage : public QWidget {
    Q_OBJECT

  public:
    explicit ShiftPage(QWidget* parent = nullptr);

    void setShift(const analysis::PositionalShift& shift,
                  const std::optional<analysis::PositionalShift>& fitted);
    /// The highlighted position of other views.
    void setLit(std::optional<int> position);
    FigureBlock block() const;

  Q_SIGNALS:
    /// Describes the mark or cell under the pointer or the cursor; empty if there is none.
    void cellDescribed(const QString& words);
    void positionHovered(std::optional<int> position);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void showErrors(const analysis::PositionalShift& shift,
                    const std::optional<analysis::PositionalShift>& fitted);
    void showLit();
    void fit();

    std::shared_ptr<const DrawnPlot> plain_; ///< without the highlighted position
    std::optional<int> lit_;
    ReadablePlot* errors_;
    NumberMap* map_;
    NumberMap* fittedMap_;
    QLabel* mapTitle_;
    QLabel* fittedTitle_;
    QWidget* fittedHalf_;
    QBoxLayout* maps_;
};

} // namespace headscope::widgets
