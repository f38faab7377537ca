#pragma once

#include <QObject>

#include "app/desktop/settings.h"
#include "app/work/model_hash.h"
#include "app/work/work_queue.h"
#include "model/files/figure_files.h"
#include "widgets/figure_source.h"

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace headscope::app {

/// Exports the data behind views. Files are written outside the GUI thread, one export after the other.
class DataExporter : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    DataExporter(WorkQueue* queue, Settings* settings, QWidget* window, QObject* parent);

    /// Copies the numbers of `figure`, which draws something, as a table.
    void copy(const widgets::FigureSource& figure);
    /// Asks for a file and writes the numbers to it, as they are now.
    struct Saving {
        QString name;    ///< that is proposed, without an ending
        QString command; ///< that draws the figure; empty if there is none
        std::function<void(const ModelHash::Then&)> askForWeights; ///< calls back with their description
    };
    void save(const widgets::FigureSource& figure, const Saving& saving);

  Q_SIGNALS:
    void refused(const headscope::trace::RefusalText& text);
    /// Reports a completed action that is not visible otherwise.
    void done(const QString& words, const QString& file);

  private:
    /// Data of a view, independent of later changes to the view.
    struct Job {
        QString path;
        trace::FigureData data;
        files::DataNotes notes;
        std::vector<std::filesystem::path> files;
    };
    void lookAtNext();
    void askToReplace(const std::shared_ptr<Job>& job, const QStringList& replaced);
    void write(const std::shared_ptr<const Job>& job);
    void end();
    /// Runs `work` outside the GUI thread. Repeated if it was dropped because another model was opened, since
    /// it does not need the model.
    void doBeside(const std::function<std::function<void()>()>& work);

    WorkQueue* queue_;
    Settings* settings_;
    QWidget* window_;
    std::deque<std::shared_ptr<Job>> jobs_;         ///< the first is being written
    std::function<std::function<void()>()> beside_; ///< work pending in the queue; empty if none
};

} // namespace headscope::app
