#pragma once

#include <QWidget>

#include "model/analysis/heads/break_condition.h"

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;

namespace headscope::widgets {

/// Where running stops: when the output has a word, or when a token was chosen with little probability. How
/// little that is holds for the bars under the target's tokens, too.
class RunToEditor : public QWidget {
    Q_OBJECT

  public:
    explicit RunToEditor(QWidget* parent = nullptr);

    analysis::BreakCondition condition() const;
    /// Of a token that the model was not sure of.
    double unsureBelow() const;
    void setUnsureBelow(double probability);
    /// What became of the run, below the fields.
    void setOutcome(const QString& words);
    void startTyping();

  Q_SIGNALS:
    void runRequested(const headscope::analysis::BreakCondition& condition);
    /// By a person.
    void unsureBelowChanged(double probability);

  private:
    void run();

    QLineEdit* text_;
    QCheckBox* unsure_;
    QDoubleSpinBox* below_;
    QLabel* outcome_;
};

} // namespace headscope::widgets
