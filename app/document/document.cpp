#include "app/document/document.h"

#include "app/models/corpus.h"
#include "app/models/resource_folders.h"
#include "model/analysis/heads/corpus_reading.h"
#include "model/analysis/heads/head_statistics.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace headscope::app {

Document::Document(WorkQueue::MakeEngine makeEngine, Settings* settings, QWidget* window)
    : QObject(window), queue_(new WorkQueue(std::move(makeEngine), this)), settings_(settings),
      opener_(window ? new ModelOpener(queue_, settings, window) : nullptr),
      selection_(new widgets::Selection(this)), controller_(new DecodeController(queue_, selection_, this)) {
    connect(queue_, &WorkQueue::busyChanged, this, &Document::lookForModel);
    if (opener_)
        connect(opener_, &ModelOpener::refused, this, &Document::lookForModel);
    connect(controller_, &DecodeController::runChanged, this, &Document::followRun);
    connect(controller_, &DecodeController::runChanged, this, &Document::followState);
    connect(controller_, &DecodeController::interventionsChanged, this, [this] {
        if (state_.changes != controller_->interventions())
            followState();
    });
    connect(controller_, &DecodeController::ratherThanChanged, this, &Document::followState);
    connect(controller_, &DecodeController::decodingChanged, this, &Document::followState);
    connect(queue_, &WorkQueue::busyChanged, this, [this] {
        if (state_.isDecoding != controller_->isDecoding())
            followState();
    });
    followState();
}

Document::~Document() {
    // The worker may be about to post to members that are destroyed next.
    if (!leavesComputing_) {
        delete queue_;
        return;
    }
    queue_->setParent(nullptr);
    queue_->leave();
}

void Document::start() {
    queue_->start();
    started_ = true;
}

/// Without a model, empty views explain how to open one.
void Document::lookForModel() {
    const bool isAwaited = !started_ || queue_->isBusy(WorkQueue::JobKind::Model) ||
                           queue_->isBusy(WorkQueue::JobKind::Awaited, sessions_) ||
                           (opener_ && opener_->isAsking());
    const bool isMissing = !model_ && !isAwaited;
    if (std::exchange(modelMissing_, isMissing) == isMissing)
        return;
    Q_EMIT controller_->runChanged(controller_->run()); // null: views update their empty state
}

void Document::adopt(std::shared_ptr<const trace::ModelSummary> model) {
    model_ = std::move(model);
    lookForModel(); // slots of modelChanged may call isModelMissing()
    headFollowsRun_ = true;
    Q_EMIT modelChanged(model_);
    followState();
    keepPins();
}

void Document::followState() {
    const auto& shown = run();
    state_.model = model_;
    state_.run = shown;
    state_.changes = controller_->interventions();
    state_.ratherThan = controller_->ratherThan();
    state_.request.reset();
    if (shown && shown->complete) {
        state_.request = controller_->shownRequest();
        state_.request->ratherThan = controller_->ratherThan();
    }
    followUnchanged();
    followMeasuring();
    if (!shown || (shown->complete && shown != state_.branches.run))
        setBranches(shown);
    state_.decoding = controller_->decoding();
    state_.newTokens = controller_->newTokens();
    state_.isDecoding = controller_->isDecoding();
    Q_EMIT stateChanged();
}

/// Keeps the last run without changes, for the same sentence with changes.
void Document::followUnchanged() {
    state_.unchanged.reset();
    if (!state_.request) {
        if (!state_.run) // another model was opened
            unchanged_.reset();
        return;
    }
    if (effective(state_.request->interventions).empty())
        unchanged_ = state_.run;
    else if (unchanged_ && analysis::isUnchangedRunOf(*unchanged_, *state_.request))
        state_.unchanged = unchanged_;
}

/// Of another run heads are measured when a person wants it, but where it is only compared with another
/// token. A run that still grows changes nothing.
void Document::followMeasuring() {
    if (!state_.run) { // another model was opened
        state_.measured.reset();
        state_.corpus = {};
    }
    if (!state_.request || state_.request == measurable_)
        return;
    bool isAlike = false;
    if (const auto before = std::exchange(measurable_, state_.request)) {
        auto alike = *before;
        alike.ratherThan = state_.request->ratherThan;
        isAlike = alike == *state_.request &&
                  (state_.measures || (state_.measured && state_.measured->request == *before));
    }
    state_.measures = isAlike;
    state_.stoppedMeasuring = false;
}

void Document::setSamples(const QStringList& sentences, const std::string& language) {
    state_.samples = {.sentences = {}, .language = language};
    for (const QString& sentence : sentences)
        state_.samples.sentences.push_back(sentence.toStdString());
}

void Document::setBranches(const std::shared_ptr<const trace::Run>& run) {
    state_.branches = {.run = run, .names = {}, .given = {}};
    if (!run)
        return;
    for (const QString& name : branchNames_.names(*run))
        state_.branches.names.push_back(name.toStdString());
    for (std::size_t path = 0; path < run->paths.size(); ++path)
        state_.branches.given.push_back(branchNames_.given(*run, path).toStdString());
}

void Document::setUnsureBelow(double probability) {
    state_.unsureBelow = probability;
    Q_EMIT stateChanged();
}

void Document::nameBranch(std::size_t path, const QString& name) {
    const auto run = state_.branches.run;
    if (!run || path >= run->paths.size())
        return; // another run arrived meanwhile
    branchNames_.rename(*run, path, name);
    setBranches(run);
    Q_EMIT stateChanged();
}

void Document::choose(const widgets::Choices& choices) {
    bool isOther = false;
    for (const auto& [view, chosen] : choices)
        for (const auto& [name, value] : chosen)
            if (const auto* choice = widgets::choiceSpec(view, name);
                choice && widgets::chosenValue(state_, *choice) != value) {
                state_.choices[view][name] = value;
                isOther = true;
            }
    if (isOther)
        Q_EMIT stateChanged();
}

void Document::measureHeads() {
    state_.measures = state_.request.has_value();
    state_.stoppedMeasuring = false;
    Q_EMIT stateChanged();
}

void Document::stopMeasuring() {
    state_.measures = false;
    state_.stoppedMeasuring = true;
    Q_EMIT stateChanged();
}

void Document::noteMeasured() {
    if (state_.measured && state_.measured->run == state_.run && state_.measured->request == state_.request)
        return;
    state_.measured = {.run = state_.run, .request = state_.request.value()};
    Q_EMIT stateChanged();
}

/// The sample corpus is large enough to assign roles. Toy models and models for other languages have fewer
/// samples.
void Document::readSamples() {
    const bool own = model_ && !model_->samples.empty() && model_->sourceLanguage != "en";
    readCorpus(own ? model_->samples : sampleCorpus());
}

void Document::readFile(const QString& path) {
    constexpr std::size_t mostSentences = 10'000;
    queue_->compute(WorkQueue::JobKind::Awaited, this, [this, path = path.toStdString()] {
        return [this, sentences = readSources(path, mostSentences)] { readCorpus(sentences); };
    });
}

void Document::readCorpus(std::vector<std::string> sentences) {
    queue_->stop(WorkQueue::JobKind::Awaited, this); // a file that is still being read
    analysis::Corpus corpus{.sentences = std::move(sentences),
                            .decoding = state_.decoding,
                            .newTokens = state_.newTokens,
                            .twinSeed = {}};
    if (widgets::hasTwin(state_))
        corpus.twinSeed = state_.twinSeed;
    noteRead(std::make_shared<const analysis::CorpusReading>(analysis::CorpusReading{
        .corpus = std::make_shared<const analysis::Corpus>(std::move(corpus)), .model = {}, .twin = {}}));
}

void Document::noteRead(std::shared_ptr<const analysis::CorpusReading> reading) {
    state_.corpus.refused = reading->refused;
    state_.corpus.underWay = std::move(reading);
    if (state_.corpus.underWay->isWhole())
        stopReading();
    else
        Q_EMIT stateChanged();
}

void Document::stopReading() {
    auto reading = std::exchange(state_.corpus.underWay, nullptr);
    if (!reading)
        return;
    if (reading->done > reading->refused) {
        state_.corpus.read = std::move(reading);
        state_.corpus.areListed = true;
    }
    Q_EMIT stateChanged();
}

void Document::listCorpus(bool listed) {
    if (std::exchange(state_.corpus.areListed, listed) != listed)
        Q_EMIT stateChanged();
}

void Document::chooseClass(std::optional<std::size_t> chosen) {
    if (std::exchange(state_.chosenClass, chosen) != chosen)
        Q_EMIT stateChanged();
}

namespace {

/// Absolute, without links that lead back.
std::filesystem::path whereIs(const QString& pathOrName) {
    const auto named = resolveModel(pathOrName.toStdString());
    std::error_code error; // the folder that the program was started in may be gone
    const auto absolute = std::filesystem::absolute(named, error);
    return (error ? named : absolute).lexically_normal();
}

/// Settings that the model lacks are those that a person gave when it was opened in the window.
std::shared_ptr<const trace::ModelSummary> opened(engine::Engine& engine, engine::ModelSource source,
                                                  const ModelSettings& answers, const std::stop_token& stop) {
    try {
        return engine.open(source, stop);
    } catch (const trace::MissingSettings& missing) {
        const auto given = source.settings.size();
        for (const auto& setting : missing.settings())
            if (const auto answer = answers.find(setting.key); answer != answers.end())
                source.settings.push_back({answer->first, answer->second});
        if (source.settings.size() == given)
            throw;
        return engine.open(source, stop);
    }
}

} // namespace

void Document::setSecond(widgets::DocumentState::SecondModel second) {
    const bool isOther = std::exchange(state_.second, std::move(second)).model != state_.second.model;
    if (isOther)
        Q_EMIT secondChanged();
    Q_EMIT stateChanged();
}

/// The state is set first: its followers then stop their questions to the previous second model, so that its
/// engine is free.
void Document::openSecond(const QString& pathOrName) {
    const auto path = pathOrName.isEmpty() ? std::filesystem::path() : whereIs(pathOrName);
    const auto name = path.empty() ? std::string() : nameOfModel(path).string();
    if (name == state_.second.name && !state_.second.refused)
        return;
    setSecond({.name = name, .model = nullptr, .refused = {}});
    if (path.empty())
        return queue_->closeSecond();
    const auto as = QString::fromStdString(path.string());
    const auto answers = settings_ ? settings_->answers(as) : ModelSettings();
    engine::ModelSource source{.path = path, .toDecode = true};
    if (const auto pattern = settings_ ? settings_->tokenizerPattern(as) : QString(); !pattern.isEmpty())
        source.settings.push_back({"tokenizer_pattern", pattern.toStdString()});
    if (const auto base = answers.find("base"); base != answers.end()) // of an adapter
        source.settings.push_back({base->first, base->second});
    queue_->ask(WorkQueue::JobKind::Second, this,
                [this, source, name, answers](engine::Engine& engine,
                                              const trace::Task& work) -> std::function<void()> {
                    const auto model = opened(engine, source, answers, work.stop());
                    return [this, name, model] { setSecond({.name = name, .model = model, .refused = {}}); };
                },
                {.refused =
                     [this, name](const trace::RefusalText& text) {
                         setSecond({.name = name, .model = nullptr, .refused = text});
                     },
                 .progressed = {}});
}

void Document::stopOpeningSecond() {
    if (!state_.second.isOpening())
        return;
    queue_->stop(WorkQueue::JobKind::Second);
    setSecond({.name = state_.second.name,
               .model = nullptr,
               .refused = trace::RefusalText{.what = tr("This computation was stopped").toStdString(),
                                             .wayOut = tr("choose the model again").toStdString()}});
}

void Document::setTwinSeed(std::uint64_t seed) {
    if (std::exchange(state_.twinSeed, seed) != seed)
        Q_EMIT stateChanged();
}

void Document::followRun(const std::shared_ptr<const trace::Run>& run) {
    if (run && run->model != model_)
        adopt(run->model); // another model was requested meanwhile and refused
    if (run && run->complete && std::exchange(headFollowsRun_, false))
        chooseHead(run);
}

/// Finding the best aligned head of long maps takes time; a head that the user selects meanwhile stays.
void Document::chooseHead(const std::shared_ptr<const trace::Run>& run) {
    if (run->model->opensAt)
        return selection_->setHead(*run->model->opensAt);
    if (run->cross.empty() || !run->cross.front().isRecomputed())
        return selection_->setHead(analysis::bestAligningHead(*run));
    queue_->compute(WorkQueue::JobKind::Awaited, selection_,
                    [this, run, before = selection_->head()](std::stop_token stop) -> std::function<void()> {
                        const auto head = analysis::bestAligningHead(*run, std::move(stop));
                        return [this, run, before, head] {
                            if (selection_->head() == before && controller_->run() == run)
                                selection_->setHead(head);
                        };
                    });
}

/// Unpins heads that the open model does not have.
void Document::keepPins() {
    auto heads = selection_->pinnedHeads();
    std::erase_if(heads, [&](const trace::HeadAddress& head) {
        return head.site.layer >= model_->layers(head.site.kind) ||
               head.head >= model_->heads(head.site.kind);
    });
    selection_->setPinnedHeads(heads);
}

void Document::goToKind(trace::AttentionKind kind) {
    trace::HeadAddress address = selection_->head();
    address.site.kind = kind;
    selection_->setHead(address);
    goToHead(0, 0); // clamps layer and head to the kind
}

void Document::goToHead(int layers, int heads) {
    trace::HeadAddress address = selection_->head();
    if (!model_)
        return;
    const auto kind = address.site.kind;
    address.site.layer =
        std::clamp<std::ptrdiff_t>(address.site.layer + layers, 0, std::max(0, model_->layers(kind) - 1));
    address.head = std::clamp<std::ptrdiff_t>(address.head + heads, 0, std::max(0, model_->heads(kind) - 1));
    selection_->setHead(address);
}

} // namespace headscope::app
