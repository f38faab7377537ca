#include "app/export/trace_saver.h"

#include "app/desktop/file_dialogs.h"
#include "app/document/document.h"
#include "app/traces/trace_arrays.h"
#include "app/work/work_queue.h"
#include "model/trace/recorded_runs.h"

#include <QStringList>
#include <QWidget>

#include <utility>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;

TraceSaver::TraceSaver(Document* document, const trace::KnownAnswers* known, QWidget* window)
    : QObject(window), queue_(document->queue()), document_(document), known_(known), window_(window) {
    connect(queue_, &WorkQueue::busyChanged, this, &TraceSaver::followQueue);
}

void TraceSaver::save() {
    if (!document_->run())
        return;
    const auto name = QString::fromStdString(document_->run()->model->name).section('/', -1); // of OWNER/NAME
    const QString path =
        askFileToSave({.window = window_,
                       .title = tr("Save Trace"),
                       .start = tr("%1.safetensors").arg(name),
                       .filters = tr("Trace for Headscope (*.safetensors);;For NumPy (*.npz)")},
                      Replacing::AskedByDialog);
    const auto run = document_->run(); // may have changed during the dialog
    if (path.isEmpty() || !run)
        return;
    auto request = document_->controller()->shownRequest();
    const bool ofTrace = run->model->recorded != nullptr; // its content is fixed
    if (!ofTrace)
        request.recording = {
            .projections = true, .residual = true, .encoderOutput = true, .logProbabilities = true};
    const auto& shown = document_->state();
    request.ratherThan = shown.ratherThan;
    const auto ask = shown.request.value_or(request);
    const auto measured = known_->of(ask, trace::ImportanceWhat{widgets::ablationOf(shown)});
    waiting_.push_back({.path = path,
                        .request = std::move(request),
                        .known = {.lens = known_->of(ask, trace::LensWhat()),
                                  .importance = measured && measured->complete ? measured : nullptr},
                        .twin = ofTrace                   ? trace::recordedTwin(*run->model)
                                : widgets::hasTwin(shown) ? std::optional(shown.twinSeed)
                                                          : std::nullopt});
    if (waiting_.size() == 1)
        write();
}

void TraceSaver::write() {
    Q_EMIT savingChanged();
    queue_->ask(JobKind::Awaited, this,
                [this, trace = waiting_.front()](engine::Engine& engine, const trace::Task& work) {
                    const auto& stop = work.stop();
                    const auto complete = engine.of(trace.request, trace::RunWhat(), stop);
                    saveTrace(*complete,
                              everyAnalysis(engine, trace.request, *complete, trace.known, trace.twin, stop),
                              trace.path.toStdString());
                    return [this, path = trace.path] {
                        goOn();
                        Q_EMIT done(tr("Saved %1").arg(path), path);
                    };
                },
                {.refused = [this](const trace::RefusalText& text) {
                    Q_EMIT refused(text);
                    if (isSaving())
                        goOn();
                }});
}

void TraceSaver::goOn() {
    waiting_.pop_front();
    if (isSaving())
        write();
    else
        Q_EMIT savingChanged();
}

void TraceSaver::stop() {
    if (isSaving())
        queue_->stop(JobKind::Awaited, this);
}

/// The queue dropped the job: the remaining runs cannot be computed any more.
void TraceSaver::followQueue() {
    if (!isSaving() || queue_->isBusy(JobKind::Awaited, this))
        return;
    QStringList paths;
    for (const auto& trace : std::exchange(waiting_, {}))
        paths += trace.path;
    Q_EMIT savingChanged();
    Q_EMIT refused({.what = tr("The run to save as a trace is no longer available").toStdString(),
                    .where = paths.join(QStringLiteral(", ")).toStdString(),
                    .found = tr("it was stopped, or another model was opened meanwhile").toStdString(),
                    .wayOut = tr("show the run again and repeat the export").toStdString()});
}

} // namespace headscope::app
