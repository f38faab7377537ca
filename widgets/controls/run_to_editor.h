#pragma once

#include <QWidget>

#include "model/analysis/heads/break_condition.h"

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;

namespace headscope::widgets {

/// Editor of the condition of Run Until: the output contains a text, or a token was chosen with low
/// probability. This threshold also applies to the bars below the target tokens.
class RunToEditor : public QWidget {
    Q_OBJECT

  public:
    explicit RunToEditor(QWidget* parent = nullptr);

    analysis::BreakCondition condition() const;
    /// Probability below which a token counts as uncertain.
    double unsureBelow() const;
    void setUnsureBelow(double probability);
    /// Shows the result of the run below the fields.
    void setOutcome(const QString& words);
    void startTyping();

  Q_SIGNALS:
    void runRequested(const headscope::analysis::BreakCondition& condition);
    /// Emitted for changes by the user only.
    void unsureBelowChanged(double probability);

  private:
    void run();

    QLineEdit* text_;
    QCheckBox* unsure_;
    QDoubleSpinBox* below_;
    QLabel* outcome_;
};

} // namespace headscope::widgets
