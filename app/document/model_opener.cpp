#include "app/document/model_opener.h"

#include "app/models/resource_folders.h"
#include "app/models/sidecar.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;

namespace {

/// A refusal of a setting names its option; a refusal of a file named by an answer gives its path.
bool isAbout(const trace::RefusalText& text, const ModelSettings& answers) {
    return std::ranges::any_of(answers, [&](const auto& answer) {
        const auto& [key, value] = answer;
        std::string option = "--" + key;
        std::ranges::replace(option, '_', '-');
        return text.where.find(option) != std::string::npos ||
               text.wayOut.find(option) != std::string::npos ||
               (!value.empty() && text.where.starts_with(value));
    });
}

std::filesystem::path absolutePath(const std::string& pathOrName) {
    const auto named = resolveModel(pathOrName);
    std::error_code error; // the working directory may be gone
    const auto absolute = std::filesystem::absolute(named, error);
    return (error ? named : absolute).lexically_normal();
}

} // namespace

ModelOpener::ModelOpener(WorkQueue* queue, Settings* settings, QWidget* window)
    : QObject(window), queue_(queue), settings_(settings), window_(window) {
    connect(queue_, &WorkQueue::settingsMissing, this, &ModelOpener::ask);
    connect(queue_, &WorkQueue::modelOpened, this, &ModelOpener::remember);
    connect(queue_, &WorkQueue::refused, this, [this](JobKind kind, const trace::RefusalText& text) {
        if (kind != JobKind::Model)
            return;
        takeFound();
        unwritten_.reset();
        forgetRefused(text);
        leave();
        Q_EMIT refused(text);
    });
}

void ModelOpener::open(const QString& pathOrName) {
    open(pathOrName, {});
}

void ModelOpener::open(const QString& pathOrName, const ModelSettings& answers) {
    path_ = pathOrName;
    given_ = !answers.empty();
    ofLanguages_ = false;
    openWith(answers);
}

void ModelOpener::openInLanguages(const ModelSettings& languages) {
    ModelSettings answers = languages;
    for (const auto& [key, value] : open_.settings)
        answers.emplace(key, value); // keeps the new languages
    open(openPath_, answers);
    ofLanguages_ = true;
}

bool ModelOpener::usedAnswers() const {
    return std::ranges::any_of(open_.settings, [](const auto& setting) {
        return setting.key != engine::sourceLanguageKey && setting.key != engine::targetLanguageKey;
    });
}

void ModelOpener::askAgain() {
    if (openPath_.isEmpty())
        return;
    path_ = openPath_;
    given_ = false;
    ofLanguages_ = false;
    openWith({});
    again_ = settings_->answers(openPath_);
    settings_->setAnswers(openPath_, {});
}

void ModelOpener::openWith(const ModelSettings& answers) {
    used_ = answers;
    again_.reset();
    found_ = std::make_shared<Found>();
    queue_->open([source = sourceWith(path_, answers), found = found_]() mutable {
        found->path = absolutePath(source.path.string());
        found->series = modelSeries(found->path);
        source.path = found->path;
        return source;
    });
}

/// The worker has answered, whether it found the model or not, so found_ is complete.
void ModelOpener::takeFound() {
    if (!found_->path.empty())
        path_ = QString::fromStdString(found_->path.string());
}

engine::ModelSource ModelOpener::sourceWith(const QString& path, const ModelSettings& answers) const {
    engine::ModelSource source{.path = path.toStdString(), .toDecode = true};
    for (const auto& [key, value] : answers)
        source.settings.push_back({key, value});
    return source;
}

/// Remembered answers are used only for settings that are still missing, so that a file that has since been
/// completed takes precedence.
void ModelOpener::ask(const trace::MissingSettings& missing) {
    takeFound();
    const ModelSettings before = settings_->answers(path_);
    ModelSettings remembered;
    for (const auto& setting : missing.settings())
        if (const auto answer = before.find(setting.key); answer != before.end())
            remembered.insert(*answer);
    if (used_.empty() && isComplete(missing.settings(), remembered)) // the user's own
        return openWith(remembered);
    delete dialog_;
    dialog_ = new MissingSettingsDialog(path_.toStdString(), missing.settings(), window_);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog_, &MissingSettingsDialog::trialsWanted, this, &ModelOpener::tryOut);
    connect(dialog_, &QDialog::accepted, this, [this] { useAnswers(*dialog_); });
    connect(dialog_, &QDialog::rejected, this, [this, text = missing.text()] {
        queue_->stop(JobKind::Background, dialog_);
        leave();
        if (!again_)
            return Q_EMIT refused(text);
        settings_->setAnswers(openPath_, *std::exchange(again_, std::nullopt)); // as before askAgain()
        Q_EMIT gaveUp();
    });
    dialog_->open();
}

/// One after the other, each shown as soon as it is known.
void ModelOpener::tryOut(std::vector<ModelSettings> ways) {
    if (ways.empty())
        return;
    const ModelSettings way = ways.front();
    ways.erase(ways.begin());
    queue_->ask(JobKind::Background, dialog_,
                [this, way, ways, source = sourceWith(path_, way),
                 sentence = sample_.toStdString()](engine::Engine& engine, const trace::Task& work) {
                    std::optional<engine::Trial> trial;
                    try {
                        trial = engine.tryOut(source, sentence, work.stop());
                    } catch (const trace::Refusal&) {
                        // A way that cannot be is no way to be sure of anything.
                    }
                    return [this, way, ways, trial] {
                        dialog_->addTrial(way, trial);
                        tryOut(ways);
                    };
                });
}

void ModelOpener::useAnswers(const MissingSettingsDialog& dialog) {
    queue_->stop(JobKind::Background, dialog_);
    const ModelSettings answers = dialog.answers();
    given_ = false;
    unwritten_.reset();
    if (dialog.writesSidecar())
        try {
            const auto source = sourceWith(path_, answers);
            writeSidecar(source.path, source.settings);
        } catch (const trace::Refusal& refusal) {
            unwritten_ = refusal.text(); // the model can still be opened with the answers
        }
    openWith(answers);
}

QString ModelOpener::rememberedAs() const {
    return series_ ? QString::fromStdString(series_->folder.string()) : openPath_;
}

void ModelOpener::remember() {
    takeFound();
    openPath_ = path_;
    open_ = sourceWith(path_, used_);
    if (const auto text = std::exchange(unwritten_, std::nullopt))
        Q_EMIT answersNotWritten(*text);
    series_ = found_->series;
    settings_->addRecentModel(rememberedAs());
    if (!used_.empty() && !given_)
        settings_->setAnswers(path_, used_);
}

void ModelOpener::giveUp() {
    queue_->stop(JobKind::Model);
    leave();
    Q_EMIT gaveUp();
}

/// Forgets answers that the model cannot be read with, so that the user is asked again. Answers are kept if
/// the file is temporarily unavailable or there is no engine.
void ModelOpener::forgetRefused(const trace::RefusalText& text) {
    if (!given_ && isAbout(text, used_))
        settings_->setAnswers(path_, {});
}

/// Keeps the model that was open.
void ModelOpener::leave() {
    used_.clear();
    if (!openPath_.isEmpty())
        path_ = openPath_;
}

} // namespace headscope::app
