#pragma once

#include <QDialog>
#include <QStringList>

#include "app/training/training_plan.h"
#include "app/training/training_process.h"
#include "widgets/view_context.h"

#include <optional>
#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;

namespace headscope::widgets {
class View;
}

namespace headscope::app {

class MessagePanel;
class TrainingForm;

/// Dialog to start a training, follow its progress and open its result. Training continues if it is closed.
class TrainDialog : public QDialog {
    Q_OBJECT

  public:
    explicit TrainDialog(QWidget* parent = nullptr);

    TrainingForm* form() const { return form_; }
    const std::vector<widgets::View*>& views() const { return views_; }
    /// What they show.
    const trace::TrainingLog& log() const { return *shown_.training; }
    const TrainingProcess* process() const { return process_; }
    /// Asks what to do with a running training before the program ends. Returns false if the user cancels.
    bool mayClose();

  public Q_SLOTS:
    /// Starts or resumes the training.
    void train();
    void stop();

  Q_SIGNALS:
    /// The user wants to open the trained model.
    void modelWanted(const QString& path);

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    QWidget* buildLeft();
    QWidget* buildRight();
    QWidget* buildViews();
    void showPoints(const QString& path, std::vector<trace::TrainingPoint> points);
    void showLogged(std::vector<trace::TrainingPoint> points);
    void showReport(const TrainingReport& report);
    void showEnd(TrainingProcess::Outcome outcome);
    void follow();
    QString whyNot() const;
    void removeNewFiles();

    TrainingForm* form_;
    TrainingProcess* process_;
    MessagePanel* message_;
    QPushButton* train_;
    QPushButton* stop_;
    QPushButton* open_;
    QPushButton* openSeries_;
    QPushButton* copy_;
    QProgressBar* bar_;
    QLabel* status_;
    QLabel* validation_;
    QLabel* sample_;
    QLabel* point_;
    widgets::DocumentState shown_;
    std::vector<widgets::View*> views_;
    TrainingFolders folders_; ///< of the training that was started last
    QStringList newFiles_;    ///< created for this training: the folder, the configuration
};

} // namespace headscope::app
