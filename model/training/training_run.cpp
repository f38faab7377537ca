#include "model/training/training_run.h"

#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

namespace headscope::training {

namespace {

namespace fs = std::filesystem;

constexpr const char* goOn = "start the same command again: it goes on from where it was";
constexpr std::int64_t stepsOfLog = 50;

double seconds(std::chrono::steady_clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

void makeFolder(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        throw trace::Refusal({.what = "The folder for the training's state cannot be made",
                              .where = path.string(),
                              .expected = "a folder, or a place where one can be made",
                              .found = error.message(),
                              .wayOut = "choose a folder that may be written to"});
}

} // namespace

TrainingRun::TrainingRun(TrainingConfig config, const checkpoint::Family& family, RunOptions options)
    : config_(std::move(config)), options_(std::move(options)), workers_(options_.threads) {
    makeFolder(config_.state);
    say("reading the corpus");
    const auto texts = readTrainingTexts(config_);
    say("making the vocabulary");
    model_ = std::make_unique<TrainedModel>(
        config_, family, prepareVocabulary(config_, texts.train, options_.threads), texts.labels.size());
    say("splitting " + std::to_string(texts.train.size()) + " examples");
    data_ = encodeTrainingTexts(config_, texts, model_->vocabulary(), options_.stop);
    if (data_.training.leftOut() > 0)
        say(std::to_string(data_.training.leftOut()) +
            " examples are empty or longer than corpus.longest: left out");
    startOrResume();
}

void TrainingRun::startOrResume() {
    const auto& network = model_->network().config();
    config_.schedule.modelWidth = network.modelWidth;
    network_ = std::make_unique<TrainingNetwork>(network, model_->parameters(), config_.causalMask);
    const auto path = config_.state / "state.safetensors";
    const auto size = model_->parameters().size();
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) {
        state_ = readState(path, size);
        say("going on from step " + std::to_string(state_.step));
    } else {
        state_.values = TrainedValues::zeros(size);
        state_.parts = config_.parts > 0 ? config_.parts : options_.threads;
        initialise(model_->parameters(), state_.values.parameters, network.modelWidth, config_.seed);
        say("training " + std::to_string(size) + " parameters on " + std::to_string(data_.training.size()) +
            " examples");
    }
    step_ = std::make_unique<TrainingStep>(config_, *network_, state_.values, workers_,
                                           static_cast<std::size_t>(state_.parts), options_.device);
    log_.emplace(config_.state / "log.csv", state_.step);
    stepAtReport_ = state_.step;
    begun_ = reported_ = saved_ = Clock::now();
}

void TrainingRun::say(const std::string& message) const {
    if (options_.report)
        options_.report({.message = message});
}

bool TrainingRun::isDone() const {
    return state_.step >= config_.steps || (config_.patience > 0 && state_.worse >= config_.patience);
}

TrainingSummary TrainingRun::run() {
    while (!isDone())
        trainEpoch();
    save();
    const auto parameters = chosenParameters();
    TrainingSummary summary{
        .step = state_.step, .model = config_.model, .stoppedEarly = state_.step < config_.steps};
    if (data_.validation.size() > 0)
        summary.validation = measure(parameters);
    writeModel(parameters);
    return summary;
}

void TrainingRun::trainEpoch() {
    const auto batches = corpus::makeBatches(data_.training.lengths(), config_.batches, config_.seed,
                                             static_cast<std::uint64_t>(state_.epoch));
    const auto count = static_cast<std::int64_t>(batches.size());
    while (state_.batch < count && !isDone()) {
        const auto now = std::min(config_.accumulate, count - state_.batch);
        const auto first = static_cast<std::size_t>(state_.batch);
        state_.batch += now;
        oneStep(std::span(batches).subspan(first, static_cast<std::size_t>(now)));
    }
    if (state_.batch >= count) {
        state_.batch = 0;
        ++state_.epoch;
    }
}

void TrainingRun::oneStep(std::span<const std::vector<std::uint32_t>> batches) {
    const auto result = step_->take(data_.training, batches, state_.step + 1);
    if (!result.finite())
        endOnNumbers(result);
    ++state_.step;
    state_.lossSum += result.sums.smoothed;
    state_.answers += static_cast<double>(result.sums.answers);
    tokensSinceReport_ += static_cast<double>(result.sums.answers);
    gradientNorm_ = result.gradientNorm;
    keepWhatIsDue();
    report();
    const bool stop = options_.stop.stop_requested();
    if (stop || seconds(Clock::now() - saved_) >= config_.saveSeconds)
        save();
    trace::throwIfStopped(options_.stop);
}

void TrainingRun::endOnNumbers(const TrainingStep::Result& result) {
    std::error_code ignored;
    const auto path = config_.state / "state.safetensors";
    std::string kept = "no state was saved before";
    if (fs::is_regular_file(path, ignored)) {
        const auto last = readState(path, model_->parameters().size());
        writeModel(last.values.parameters);
        kept = "the model folder and " + path.string() + " hold step " + std::to_string(last.step);
    }
    throw trace::Refusal(
        {.what = "The training went astray at step " + std::to_string(state_.step + 1),
         .where = config_.where,
         .expected = "a loss and a gradient that are numbers",
         .found = "a loss of " + std::to_string(result.sums.smoothed) + ", a gradient of norm " +
                  std::to_string(result.gradientNorm) + "; " + kept,
         .wayOut = "make schedule.rate smaller, schedule.warm_up longer or optimizer.clip smaller, "
                   "and start again"});
}

void TrainingRun::keepWhatIsDue() {
    const auto& averaging = config_.averaging;
    if (averaging.checkpoints > 1 && state_.step % averaging.every == 0) {
        saveParameters(state_.values.parameters, averagedFile(state_.step));
        std::error_code ignored;
        fs::remove(averagedFile(state_.step - averaging.every * (averaging.checkpoints + 1)), ignored);
    }
    const auto& snapshots = config_.snapshots;
    const bool everySo = snapshots.every > 0 && state_.step % snapshots.every == 0;
    if (snapshots.folder && (everySo || std::ranges::binary_search(snapshots.steps, state_.step)))
        model_->write(state_.values.parameters, *snapshots.folder / ("step-" + std::to_string(state_.step)),
                      /*halfPrecision=*/true);
}

fs::path TrainingRun::averagedFile(std::int64_t step) const {
    return config_.state / ("checkpoint-" + std::to_string(step) + ".safetensors");
}

std::vector<std::int64_t> TrainingRun::averagedSteps() const {
    std::vector<std::int64_t> steps;
    const auto every = config_.averaging.every;
    const auto last = state_.step / every * every;
    for (std::int64_t i = 0; i < config_.averaging.checkpoints && last - i * every > 0; ++i)
        steps.push_back(last - i * every);
    return steps;
}

at::Tensor TrainingRun::chosenParameters() const {
    const auto size = model_->parameters().size();
    if (const auto steps = averagedSteps(); config_.averaging.checkpoints > 1 && !steps.empty()) {
        auto sum = at::zeros({size}, at::kDouble);
        for (const auto step : steps)
            sum += readParameters(averagedFile(step), size);
        return (sum / static_cast<double>(steps.size())).to(at::kFloat).to(options_.device);
    }
    const auto best = config_.state / "best.safetensors";
    if (config_.patience > 0 && state_.bestStep > 0)
        return readParameters(best, size).to(options_.device);
    return state_.values.parameters;
}

Validation TrainingRun::measure(const at::Tensor& parameters) {
    const auto sums =
        measureLosses(*network_, data_.validation, data_.validationBatches, parameters, workers_, {});
    const auto answers = static_cast<double>(sums.answers);
    return {.loss = sums.plain / answers, .accuracy = static_cast<double>(sums.right) / answers};
}

void TrainingRun::validate(TrainingProgress& progress) {
    if (data_.validation.size() > 0) {
        auto validation = measure(state_.values.parameters);
        validation.best = validation.loss < state_.best;
        state_.worse = validation.best ? 0 : state_.worse + 1;
        if (validation.best) {
            state_.best = validation.loss;
            state_.bestStep = state_.step;
            if (config_.patience > 0)
                saveParameters(state_.values.parameters, config_.state / "best.safetensors");
        }
        progress.validation = validation;
    }
    if (!data_.samples.empty()) {
        const auto turn = static_cast<std::size_t>(state_.step / config_.validateEvery);
        const auto& source = data_.samples[turn % data_.samples.size()];
        progress.sample =
            Sample{.source = source, .output = model_->translate(state_.values.parameters, source)};
    }
    writeModel(chosenParameters());
}

void TrainingRun::report() {
    const auto now = Clock::now();
    const double since = seconds(now - reported_);
    const bool validates = state_.step % config_.validateEvery == 0;
    const bool logs = state_.step % stepsOfLog == 0 || validates || state_.step == config_.steps;
    if (since < 0.5 && !logs)
        return;
    if (since > 0) { // smoothed, so that the time left does not jump
        const double share = stepsPerSecond_ == 0 ? 1 : std::min(1.0, since / 10);
        tokensPerSecond_ += share * (tokensSinceReport_ / since - tokensPerSecond_);
        stepsPerSecond_ +=
            share * (static_cast<double>(state_.step - stepAtReport_) / since - stepsPerSecond_);
    }
    TrainingProgress progress{.step = state_.step,
                              .steps = config_.steps,
                              .epoch = state_.epoch,
                              .loss = state_.lossSum / state_.answers,
                              .tokensPerSecond = tokensPerSecond_,
                              .learningRate = config_.schedule.at(state_.step),
                              .secondsLeft =
                                  static_cast<double>(config_.steps - state_.step) / stepsPerSecond_};
    tokensSinceLog_ += tokensSinceReport_;
    secondsSinceLog_ += since;
    if (validates)
        validate(progress);
    if (logs) {
        auto line = progress;
        line.tokensPerSecond = tokensSinceLog_ / secondsSinceLog_;
        log_->add(line, gradientNorm_, seconds(now - begun_));
        state_.lossSum = state_.answers = tokensSinceLog_ = secondsSinceLog_ = 0;
    }
    if (options_.report)
        options_.report(progress);
    tokensSinceReport_ = 0;
    stepAtReport_ = state_.step;
    reported_ = Clock::now();
}

void TrainingRun::save() {
    try {
        saveState(state_, config_.state / "state.safetensors");
    } catch (const trace::Refusal& refusal) {
        auto text = refusal.text();
        text.what =
            "The training stopped at step " + std::to_string(state_.step) + ": its state cannot be saved";
        text.wayOut = std::string("make room, and ") + goOn;
        throw trace::Refusal(std::move(text));
    }
    saved_ = Clock::now();
}

void TrainingRun::writeModel(const at::Tensor& parameters) {
    model_->write(parameters, config_.model, config_.halfPrecision);
}

} // namespace headscope::training
