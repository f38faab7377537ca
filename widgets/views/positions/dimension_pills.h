#pragma once

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QToolButton;

namespace headscope::widgets {

class DimensionPill;

/// The dimensions (or heads of a distance bias) whose curves are drawn: a pill for each, with the look of its
/// curve and its value at the marked position. A click removes one unless it is the last.
class DimensionPills : public QWidget {
    Q_OBJECT

  public:
    explicit DimensionPills(QWidget* parent = nullptr);

    /// In the order of their curves; there are `all` to choose from. Ends typing.
    void setDimensions(const std::vector<int>& dimensions, int all, bool areHeads);
    /// [dimensions], or empty if no position is marked.
    void setValues(const std::vector<double>& values);

  Q_SIGNALS:
    /// The remaining ones after a click.
    void reduced(const std::vector<int>& dimensions);
    /// A number, or several, to add; empty: typing was ended without any.
    void typed(const QString& numbers);

  private:
    void remove(const DimensionPill* pill);
    void endTyping();

    QLabel* title_;
    std::vector<DimensionPill*> pills_;
    QToolButton* add_;
    QLineEdit* field_; ///< in place of `add_` while a number is typed
};

} // namespace headscope::widgets
