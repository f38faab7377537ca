#include "app/window/model_opener.h"

#include "app/plain/resource_folders.h"
#include "app/plain/sidecar.h"
#include "app/window/missing_settings_dialog.h"

#include <algorithm>
#include <filesystem>

namespace headscope::app {

ModelOpener::ModelOpener(RunQueue* queue, Settings* settings, QWidget* window)
    : QObject(window), queue_(queue), settings_(settings), window_(window) {
    connect(queue_, &RunQueue::settingsMissing, this, &ModelOpener::ask);
    connect(queue_, &RunQueue::modelOpened, this, &ModelOpener::remember);
    connect(queue_, &RunQueue::refused, this, &ModelOpener::leave);
    connect(queue_, &RunQueue::tried, this, [this](int index, const std::optional<engine::Trial>& trial) {
        if (dialog_)
            dialog_->addTrial(trying_.at(static_cast<std::size_t>(index)), trial);
    });
}

void ModelOpener::open(const QString& pathOrName) {
    const auto path = std::filesystem::absolute(resolveModel(pathOrName.toStdString()));
    path_ = QString::fromStdString(path.lexically_normal().string());
    openWith({});
}

void ModelOpener::openWith(const Answers& answers) {
    used_ = answers;
    queue_->open(sourceWith(answers));
}

engine::ModelSource ModelOpener::sourceWith(const Answers& answers) const {
    engine::ModelSource source{.path = path_.toStdString(), .toDecode = true};
    for (const auto& [key, value] : answers)
        source.settings.push_back({key, value});
    return source;
}

/// What was answered before is used where it is asked for, so that a file that says it since is believed.
void ModelOpener::ask(const trace::MissingSettings& missing) {
    const Answers before = settings_->answers(path_);
    Answers remembered;
    for (const auto& setting : missing.settings())
        if (const auto answer = before.find(setting.key); answer != before.end())
            remembered.insert(*answer);
    if (used_.empty() && isComplete(missing.settings(), remembered))
        return openWith(remembered);
    delete dialog_;
    dialog_ = new MissingSettingsDialog(path_.toStdString(), missing.settings(), window_);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog_, &MissingSettingsDialog::trialsWanted, this, [this](const std::vector<Answers>& ways) {
        trying_ = ways;
        std::vector<engine::ModelSource> sources;
        std::ranges::transform(ways, std::back_inserter(sources),
                               [this](const Answers& way) { return sourceWith(way); });
        queue_->tryOut(std::move(sources), sample_.toStdString());
    });
    connect(dialog_, &QDialog::accepted, this, [this] { useAnswers(*dialog_); });
    connect(dialog_, &QDialog::rejected, this, [this, text = missing.text()] {
        queue_->stop(RunQueue::Slot::Trial);
        leave(RunQueue::Slot::Model);
        Q_EMIT refused(text);
    });
    dialog_->open();
}

void ModelOpener::useAnswers(const MissingSettingsDialog& dialog) {
    queue_->stop(RunQueue::Slot::Trial);
    const Answers answers = dialog.answers();
    if (dialog.writesSidecar())
        try {
            const auto source = sourceWith(answers);
            writeSidecar(source.path, source.settings);
        } catch (const trace::Refusal& refusal) {
            Q_EMIT refused(refusal.text());
        }
    openWith(answers);
}

void ModelOpener::remember() {
    openPath_ = path_;
    settings_->addRecentModel(path_);
    if (!used_.empty())
        settings_->setAnswers(path_, used_);
}

/// The model that was open stays, and an answer that did not open its model is asked for again.
void ModelOpener::leave(RunQueue::Slot slot) {
    if (slot != RunQueue::Slot::Model)
        return;
    if (!used_.empty())
        settings_->setAnswers(path_, {});
    used_.clear();
    if (!openPath_.isEmpty())
        path_ = openPath_;
}

} // namespace headscope::app
