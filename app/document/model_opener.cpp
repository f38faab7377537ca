#include "app/document/model_opener.h"

#include "app/models/resource_folders.h"
#include "app/models/sidecar.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;

namespace {

constexpr const char* patternKey = "tokenizer_pattern";
constexpr const char* baseKey = "base";

bool isAboutLanguage(const std::string& key) {
    return key == engine::sourceLanguageKey || key == engine::targetLanguageKey;
}

bool hasPattern(const engine::ModelSource& source) {
    return std::ranges::find(source.settings, patternKey, &engine::Setting::key) != source.settings.end();
}

/// Adds the pattern that is remembered for a model.
void addPattern(engine::ModelSource& source) {
    const Settings settings; // the worker must not use that of the window
    const auto pattern = settings.tokenizerPattern(QString::fromStdString(source.path.string()));
    if (!hasPattern(source) && !pattern.isEmpty())
        source.settings.push_back({patternKey, pattern.toStdString()});
}

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
        if (!found_->models.empty())
            return askWhich(text);
        const bool isAboutBase = isAbout(text, {{baseKey, {}}});
        if (const auto before = settings_->answers(path_);
            isAboutBase && used_.empty() && before.contains(baseKey))
            return openWith({{baseKey, before.at(baseKey)}});
        unwritten_.reset();
        forgetRefused(text);
        adapter_ = path_;
        leave();
        Q_EMIT refused(text);
        if (isAboutBase)
            Q_EMIT baseWanted();
    });
}

void ModelOpener::open(const QString& pathOrName) {
    open(pathOrName, {});
}

void ModelOpener::open(const QString& pathOrName, const ModelSettings& answers) {
    path_ = pathOrName;
    given_ = !answers.empty();
    readsAgain_ = remembersPattern_ = false;
    openWith(answers);
}

void ModelOpener::openWithBase(const QString& base) {
    path_ = adapter_;
    given_ = readsAgain_ = remembersPattern_ = false;
    openWith({{baseKey, base.toStdString()}});
}

void ModelOpener::openInLanguages(const ModelSettings& languages) {
    ModelSettings answers = languages;
    for (const auto& [key, value] : open_.settings)
        answers.emplace(key, value); // keeps the new languages
    open(openPath_, answers);
    readsAgain_ = true;
}

void ModelOpener::openWithPattern(const QString& pattern) {
    ModelSettings answers;
    for (const auto& [key, value] : open_.settings)
        answers.emplace(key, value);
    answers[patternKey] = pattern.toStdString();
    if (pattern.isEmpty()) {
        answers.erase(patternKey);
        settings_->setTokenizerPattern(openPath_, {});
    }
    open(openPath_, answers);
    remembersPattern_ = true;
    readsAgain_ = true;
}

QString ModelOpener::pattern() const {
    const auto found = std::ranges::find(open_.settings, patternKey, &engine::Setting::key);
    return found == open_.settings.end() ? QString() : QString::fromStdString(found->value);
}

bool ModelOpener::usedAnswers() const {
    return std::ranges::any_of(open_.settings, [](const auto& setting) {
        return !isAboutLanguage(setting.key) && setting.key != patternKey;
    });
}

void ModelOpener::askAgain() {
    if (openPath_.isEmpty())
        return;
    path_ = openPath_;
    given_ = false;
    readsAgain_ = remembersPattern_ = false;
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
        found->models = files::severalModels(found->path);
        source.path = found->path;
        addPattern(source);
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
    addPattern(source);
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

/// The chosen one is opened with the answers given for the folder.
void ModelOpener::askWhich(const trace::RefusalText& text) {
    delete several_;
    several_ = new SeveralModelsDialog(path_.toStdString(), found_->models, window_);
    several_->setAttribute(Qt::WA_DeleteOnClose);
    connect(several_, &QDialog::accepted, this, [this] {
        path_ = several_->chosen();
        openWith(ModelSettings(used_));
    });
    connect(several_, &QDialog::rejected, this, [this, text] {
        leave();
        Q_EMIT refused(text);
    });
    several_->open();
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
            std::vector<engine::Setting> written; // without a pattern that is remembered for this user
            for (const auto& [key, value] : answers)
                written.push_back({key, value});
            writeSidecar(path_.toStdString(), written);
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
    if (const auto pattern = used_.find(patternKey); pattern != used_.end() && remembersPattern_)
        settings_->setTokenizerPattern(path_, QString::fromStdString(pattern->second));
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
    if (!used_.contains(patternKey) && isAbout(text, {{patternKey, {}}}))
        settings_->setTokenizerPattern(path_, {});
}

/// Keeps the model that was open.
void ModelOpener::leave() {
    used_.clear();
    if (!openPath_.isEmpty())
        path_ = openPath_;
}

} // namespace headscope::app
