#pragma once

#include <QWidget>

#include "app/training/training_plan.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace headscope::widgets {
class Segments;
}

namespace headscope::app {

/// Form for a training plan.
class TrainingForm : public QWidget {
    Q_OBJECT

  public:
    explicit TrainingForm(QWidget* parent = nullptr);

    TrainingPlan plan() const;
    void setPlan(const TrainingPlan& plan);
    void setTask(TrainingTask task);
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
    QSpinBox* numberField(const QString& name, const QString& unit, int most);
    void addRows();
    QLabel* addHint();
    void follow();
    void proposeName();
    void showRows(const TrainingPlan& wanted);
    void showHints(const TrainingPlan& wanted);
    TrainingNumbers numbers() const;
    void setNumbers(const TrainingNumbers& numbers);

    TrainingTask task_ = TrainingTask::Pairs;
    TrainingTask toy_ = TrainingTask::Copy; ///< chosen last, as the size
    TrainingSize size_ = TrainingSize::Small;
    QFormLayout* rows_;
    widgets::Segments* tasks_;
    QComboBox* toys_;
    PathField file_;
    QLabel* fileHint_ = nullptr;
    PathField validation_;
    QLabel* validationHint_ = nullptr;
    QComboBox* sizes_;
    QSpinBox* vocabulary_;
    QSpinBox* encoderLayers_;
    QSpinBox* decoderLayers_;
    QSpinBox* width_;
    QSpinBox* feedForward_;
    QSpinBox* heads_;
    QComboBox* norms_;
    QComboBox* positions_;
    QSpinBox* steps_;
    QSpinBox* batchTokens_;
    QDoubleSpinBox* rate_;
    QSpinBox* warmUp_;
    QCheckBox* snapshots_;
    QLineEdit* name_;
    PathField folder_;
    QLabel* outputHint_ = nullptr;
    std::vector<QWidget*> ofPlans_; ///< rows that a configuration has itself
    bool isNameTyped_ = false;
    bool areStepsTyped_ = false;
    bool areNumbersTyped_ = false; ///< else they are those of the size
};

} // namespace headscope::app
