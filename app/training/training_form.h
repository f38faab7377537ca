#pragma once

#include <QWidget>

#include "app/training/training_plan.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace headscope::app {

/// Form for a training plan.
class TrainingForm : public QWidget {
    Q_OBJECT

  public:
    explicit TrainingForm(QWidget* parent = nullptr);

    TrainingPlan plan() const;
    void setPlan(const TrainingPlan& plan);
    /// Sets a corpus or a configuration, by the file's extension.
    void setFile(const QString& path);
    /// Returns what is missing before training can start; empty if nothing.
    QString whatIsMissing() const;

  Q_SIGNALS:
    void changed();

  private:
    struct PathField {
        QWidget* row;
        QLineEdit* path;
    };
    PathField pathField(const QString& name, const QString& title, bool ofFolder);
    void addRows();
    QLabel* addHint();
    void follow();
    void proposeName();
    void showRows(const TrainingPlan& wanted);
    void showHints(const TrainingPlan& wanted);
    TrainingTask task() const;
    TrainingSize size() const;

    QFormLayout* rows_;
    QComboBox* tasks_;
    PathField file_;
    QLabel* fileHint_ = nullptr;
    PathField validation_;
    QLabel* validationHint_ = nullptr;
    QComboBox* sizes_;
    QLabel* sizeHint_ = nullptr;
    QSpinBox* steps_;
    QCheckBox* snapshots_;
    QLineEdit* name_;
    PathField folder_;
    QLabel* outputHint_ = nullptr;
    bool isNameTyped_ = false;
    bool areStepsTyped_ = false;
};

} // namespace headscope::app
