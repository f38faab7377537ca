#pragma once

#include <QWidget>

#include "widgets/views/compare/compare_bar.h"

#include <vector>

class QLabel;
class QPushButton;
class QToolButton;

namespace headscope::widgets {

class WrappedLabel;

/// Stands in the place of the maps as long as nothing is compared: why that is so, and what A can be compared
/// with.
class CompareStart : public QWidget {
    Q_OBJECT

  public:
    explicit CompareStart(QWidget* parent);

    /// Of what the model offers no B, the buttons are disabled. Null: none is open.
    void setModel(const trace::ModelSummary* model);
    /// Its first sentence is shown, and the rest on demand. `head`: one of another kind that can be compared;
    /// nothing: none is offered.
    void setWords(const QString& words, const std::optional<trace::HeadAddress>& head);

  Q_SIGNALS:
    void wanted(headscope::widgets::CompareBar::With with);
    void headWanted(headscope::trace::HeadAddress head);

  private:
    WrappedLabel* words_;
    QToolButton* details_;
    WrappedLabel* rest_;
    QPushButton* head_;
    std::optional<trace::HeadAddress> offered_;
    std::vector<QPushButton*> buttons_;
};

} // namespace headscope::widgets
