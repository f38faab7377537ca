#pragma once

#include <QPointF>
#include <QWidget>

#include "widgets/drawing/step_columns.h"
#include "widgets/selection.h"

#include <optional>
#include <vector>

class QWheelEvent;

namespace headscope::widgets {

/// The columns of a widget with a column a step, and how far they are scrolled: as far as those of all
/// others, so that they stay below each other.
class StepAxis : public QObject {
    Q_OBJECT

  public:
    /// Both outlive this. The widget is drawn anew when the columns move or another step is the current one.
    StepAxis(QWidget* widget, Selection* selection);

    /// `prompt` given tokens are before the first column.
    void setColumns(StepColumns columns, std::size_t prompt);
    /// The columns are tokens of a text, and steps are some of them, such as masks.
    void setColumns(StepColumns columns, std::vector<std::size_t> columnOfStep);
    int stepOf(std::size_t column) const { return column + prompt_; }
    std::optional<std::size_t> current() const;
    /// Where the columns are on the widget; those before first() are left of what is seen of them.
    StepColumns shown() const;
    std::size_t first() const;
    std::optional<std::size_t> columnAt(QPointF position) const;
    /// False if all columns are in sight.
    bool scroll(const QWheelEvent& event);
    void follow();

  protected:
    bool eventFilter(QObject* widget, QEvent* event) override;

  private:
    StepColumns fitted() const;

    QWidget* widget_;
    Selection* selection_;
    StepColumns columns_;
    std::size_t prompt_ = 0;
    std::optional<std::vector<std::size_t>> columnOfStep_;
};

} // namespace headscope::widgets
