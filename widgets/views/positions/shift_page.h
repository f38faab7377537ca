#pragma once

#include <QWidget>

#include "model/analysis/positions/positional_shift.h"

#include <optional>

class QBoxLayout;
class QLabel;

namespace headscope::widgets {

class NumberMap;
class ReadablePlot;
struct Theme;

/// How well one linear map M leads from each position to a later one, and M itself. For an exact rotation,
/// also a fit that does not know about the rotation.
class ShiftPage : public QWidget {
    Q_OBJECT

  public:
    explicit ShiftPage(QWidget* parent = nullptr);

    void setShift(const analysis::PositionalShift& shift,
                  const std::optional<analysis::PositionalShift>& fitted);
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;
    /// Height at which errors and maps are readable at this font size.
    int figureHeight() const;

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
    void fit();
    bool hasTwoMaps() const;

    ReadablePlot* errors_;
    NumberMap* map_;
    NumberMap* fittedMap_;
    QLabel* mapTitle_;
    QLabel* fittedTitle_;
    QWidget* fittedHalf_;
    QBoxLayout* maps_;
};

} // namespace headscope::widgets
