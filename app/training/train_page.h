#pragma once

#include <QStringList>
#include <QWidget>

#include "app/training/training_plan.h"
#include "app/training/training_process.h"
#include "app/work/work_queue.h"
#include "widgets/view_context.h"

#include <optional>
#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;
class QSplitter;

namespace headscope::widgets {
class SnapshotBar;
class View;
} // namespace headscope::widgets

namespace headscope::app {

class Document;
class MessagePanel;
class TrainingForm;
class TrainingSnapshots;

/// Starts a training, follows its progress, shows what it learns and opens its result. A training continues
/// if something else is shown. While nothing is trained, shows what the snapshots of the open series learned.
class TrainPage : public QWidget {
    Q_OBJECT

  public:
    explicit TrainPage(WorkQueue::MakeEngine makeEngine, QWidget* parent = nullptr);

    /// Where a series is opened, and its slider. Both must outlive this.
    void followWindow(const Document* document, widgets::SnapshotBar* slider);
    TrainingForm* form() const { return form_; }
    const std::vector<widgets::View*>& views() const { return views_; }
    /// What they show.
    const trace::TrainingLog& log() const { return *shown_.training; }
    const TrainingProcess* process() const { return process_; }
    TrainingSnapshots* snapshots() const { return snapshots_; }
    /// Asks what to do with a running training before the program ends. Returns false if the user cancels.
    bool mayClose();
    /// For the end of the program: nothing waits for running computations.
    void leaveComputing();

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
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    QWidget* buildForm();
    void widenForm();
    QWidget* buildProgress();
    QWidget* buildViews();
    void showPoints(const QString& path, std::vector<trace::TrainingPoint> points);
    void showLogged(std::vector<trace::TrainingPoint> points);
    void showReport(const TrainingReport& report);
    void showEnd(TrainingProcess::Outcome outcome);
    void follow();
    void followSeries();
    void showSeries(const QString& folder);
    void chooseSnapshot(std::int64_t step);
    QString whyNot() const;
    void removeNewFiles();

    QSplitter* columns_;
    TrainingForm* form_;
    TrainingProcess* process_;
    MessagePanel* message_;
    QPushButton* train_;
    QPushButton* stop_;
    QPushButton* open_;
    QPushButton* openSeries_;
    QPushButton* copy_;
    QProgressBar* bar_;
    QLabel* step_;
    QLabel* status_;
    QLabel* missing_; ///< beside the button that it disables
    QLabel* validation_;
    QLabel* point_;
    TrainingSnapshots* snapshots_;
    widgets::DocumentState shown_;
    std::vector<widgets::View*> views_;
    TrainingFolders folders_; ///< of the training that was started last
    QStringList newFiles_;    ///< created for this training: the folder, the configuration
    const Document* document_ = nullptr;
    widgets::SnapshotBar* slider_ = nullptr;
    QString series_;          ///< folder of the open series if it is shown
    bool hasTrained_ = false; ///< since a model was opened
};

} // namespace headscope::app
