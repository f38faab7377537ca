#pragma once

#include <QWidget>

#include "model/analysis/break_condition.h"

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;

namespace headscope::widgets {

/// Where running stops: when the output has a word, or when a token was chosen with little probability.
class RunToEditor : public QWidget {
    Q_OBJECT

  public:
    explicit RunToEditor(QWidget* parent = nullptr);

    analysis::BreakCondition condition() const;
    /// What became of the run, below the fields.
    void setOutcome(const QString& words);
    void startTyping();

  Q_SIGNALS:
    void runRequested(const headscope::analysis::BreakCondition& condition);

  private:
    void run();

    QLineEdit* text_;
    QCheckBox* doubtful_;
    QDoubleSpinBox* below_;
    QLabel* outcome_;
};

} // namespace headscope::widgets
