#include "model/training/training_run.h"

#include "model/files/folder.h"
#include "model/files/snapshot_names.h"
#include "model/trace/refusal.h"
#include "model/training/output_folders.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::training {

namespace {

namespace fs = std::filesystem;

constexpr const char* goOn = "start the same command again: it goes on from where it was";
constexpr const char* stateFile = "state.safetensors";
constexpr std::int64_t stepsOfLog = 50;

/// Returns true if the training has done all its steps, or as many validations without improvement as
/// allowed.
bool isAtEnd(const TrainingConfig& config, const TrainingState& state) {
    return state.step >= config.steps || (config.patience > 0 && state.worse >= config.patience);
}

/// Returns the reason and how to continue, for a finished training that is started again.
std::string whyAtEnd(const TrainingConfig& config, const TrainingState& state) {
    return state.step >= config.steps
               ? "it has reached its end: to train it further, make training.steps larger than " +
                     std::to_string(config.steps)
               : "it has ended, because no validation was better any more: to train it further, make "
                 "training.patience larger than " +
                     std::to_string(config.patience);
}

} // namespace

TrainingRun::TrainingRun(TrainingConfig config, const checkpoint::Family& family, RunOptions options)
    : config_(std::move(config)), options_(std::move(options)),
      workers_(options_.threads), plan_{.averaged = config_.averaging.checkpoints,
                                        .every = config_.averaging.every,
                                        .best = config_.patience > 0},
      checkpoints_(config_.state) {
    refuseImpossibleNetwork(config_, family); // before anything is read or written
    const NewFolders made(config_);
    prepareStateFolder(config_);
    lock_ = lockStateFolder(config_);
    made.removeIfRefused([&] { prepare(family); });
}

void TrainingRun::prepare(const checkpoint::Family& family) {
    say("reading the corpus");
    const auto texts = readTrainingTexts(config_, options_.stop);
    say("making the vocabulary");
    model_ = std::make_unique<TrainedModel>(
        config_, family, prepareVocabulary(config_, texts.train, options_.threads, options_.stop),
        texts.labels);
    prepareModelFolders(config_, model_->vocabulary());
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
    const auto path = config_.state / stateFile;
    const auto size = model_->parameters().size();
    const auto origin = originOf(config_, network, model_->vocabulary(), data_);
    if (files::isFile(path)) {
        refuseOtherOrigin(readOrigin(path), origin, config_);
        state_ = readState(path, size);
        savedStep_ = state_.step;
        say("going on from step " + std::to_string(state_.step));
        if (isAtEnd(config_, state_))
            say(whyAtEnd(config_, state_));
    } else {
        state_.values = TrainedValues::zeros(size);
        state_.parts = config_.parts > 0 ? config_.parts : options_.threads;
        initialise(model_->parameters(), state_.values.parameters, network, config_.seed);
        say("training " + std::to_string(size) + " parameters on " + std::to_string(data_.training.size()) +
            " examples");
    }
    state_.origin = origin;
    step_ = std::make_unique<TrainingStep>(config_, *network_, state_.values, workers_, state_.parts);
    log_.emplace(config_.state / "log.csv", state_.settled);
    meter_ = ProgressMeter(state_.step);
    saved_ = Clock::now();
}

void TrainingRun::say(const std::string& message) const {
    if (options_.report)
        options_.report({.message = message});
}

TrainingSummary TrainingRun::run() {
    try {
        train();
        return finish();
    } catch (const trace::Cancelled&) { // the state is good wherever this is thrown
        save();
        throw;
    }
}

void TrainingRun::train() {
    while (true) {
        const auto batches = nextBatches();
        const auto result = step_->gradients(data_.training, batches, state_.step + 1);
        if (!result.finite())
            endOnNumbers(result);
        settle();
        if (isAtEnd(config_, state_))
            return;
        step_->update(state_.step + 1, result.gradientNorm);
        advance(batches, result);
    }
}

TrainingSummary TrainingRun::finish() {
    save();
    TrainingSummary summary{
        .step = state_.step, .model = config_.model, .stoppedEarly = state_.step < config_.steps};
    if (data_.validation.size() > 0)
        summary.validation = measure(chosenParameters(state_));
    if (!summary.validation || std::isfinite(summary.validation->loss))
        writeModel(state_);
    else
        throw trace::Refusal({.what = "The model is not written",
                              .where = config_.model.string(),
                              .expected = "a loss of the validation corpus that is a number",
                              .found = std::to_string(summary.validation->loss),
                              .wayOut = "make schedule.rate smaller, and begin anew"});
    return summary;
}

TrainingRun::Batches TrainingRun::nextBatches() {
    const auto make = [this] {
        batches_ = corpus::makeBatches(data_.training.lengths(), config_.batches, config_.seed,
                                       static_cast<std::uint64_t>(state_.epoch));
        epochOfBatches_ = state_.epoch;
    };
    if (epochOfBatches_ != state_.epoch)
        make();
    if (state_.batch >= static_cast<std::int64_t>(batches_.size())) {
        state_.batch = 0;
        ++state_.epoch;
        make();
    }
    const std::size_t first = state_.batch;
    return Batches(batches_).subspan(first,
                                     std::min<std::size_t>(config_.accumulate, batches_.size() - first));
}

void TrainingRun::advance(Batches batches, const TrainingStep::Result& result) {
    ++state_.step;
    state_.batch += static_cast<std::int64_t>(batches.size());
    state_.lossSum += result.sums.smoothed;
    state_.answers += static_cast<double>(result.sums.answers);
    state_.gradientNorm = result.gradientNorm;
    for (const auto& batch : batches)
        for (const auto example : batch)
            meter_.addTokens(static_cast<double>(data_.training.tokens(example)));
}

void TrainingRun::settle() {
    trace::throwIfStopped(options_.stop);
    // Save before a validation, which may take long.
    if (state_.step > savedStep_ &&
        Clock::now() - saved_ >= std::chrono::duration<double>(config_.saveSeconds))
        save();
    if (state_.step <= state_.settled)
        return;
    keepWhatIsDue();
    if (state_.step > 0)
        report();
    state_.settled = state_.step;
}

void TrainingRun::endOnNumbers(const TrainingStep::Result& result) {
    throw trace::Refusal(
        {.what = "The training went astray at step " + std::to_string(state_.step + 1),
         .where = config_.where,
         .expected = "a loss and a gradient that are numbers",
         .found = "a loss of " + std::to_string(result.sums.smoothed) + ", a gradient of norm " +
                  std::to_string(result.gradientNorm) + "; " + keptAfterAll(),
         .wayOut = "make schedule.rate smaller, schedule.warm_up longer or optimizer.clip smaller, "
                   "and start again"});
}

/// A written model is always from good steps. If there is none yet, it is written from the last good state.
std::string TrainingRun::keptAfterAll() {
    const auto path = config_.state / stateFile;
    if (!files::isFile(path))
        return "no state was saved before";
    try {
        const auto last = readState(path, model_->parameters().size());
        const auto kept = path.string() + " holds step " + std::to_string(last.step);
        if (!files::isFile(config_.model / "model.safetensors"))
            writeModel(last);
        return kept + ", the model folder that or an earlier one";
    } catch (const trace::Refusal& refusal) {
        return path.string() + " is kept, the model folder could not be written: " + refusal.text().what;
    }
}

void TrainingRun::keepWhatIsDue() {
    const auto step = state_.step;
    if (plan_.averaged > 1 && step > 0 && step % plan_.every == 0)
        checkpoints_.keep(step, state_.values.parameters);
    const auto& snapshots = config_.snapshots;
    const bool everySo = snapshots.every > 0 && step > 0 && step % snapshots.every == 0;
    if (snapshots.folder && (everySo || std::ranges::binary_search(snapshots.steps, step)))
        model_->write(state_.values.parameters, *snapshots.folder / files::snapshotName(step),
                      /*halfPrecision=*/true);
}

at::Tensor TrainingRun::chosenParameters(const TrainingState& state) const {
    const auto steps = plan_.chosen(state.step, state.bestStep);
    return steps.empty() ? state.values.parameters : checkpoints_.mean(steps, model_->parameters().size());
}

Validation TrainingRun::measure(const at::Tensor& parameters) {
    const auto sums = measureLosses(*network_, data_.validation, parameters, workers_, options_.stop);
    const auto answers = static_cast<double>(sums.answers);
    return {.loss = sums.plain / answers, .accuracy = static_cast<double>(sums.right) / answers};
}

void TrainingRun::validate(TrainingProgress& progress) {
    bool good = true;
    if (data_.validation.size() > 0) {
        auto validation = measure(state_.values.parameters);
        good = std::isfinite(validation.loss);
        if (good) // before the state changes, so that an interrupted validation is repeated
            model_->measure(state_.values.parameters, data_.validation, data_.bleuSources, options_.stop,
                            validation);
        validation.best = validation.loss < state_.best;
        state_.worse = validation.best ? 0 : state_.worse + 1;
        if (validation.best) {
            state_.best = validation.loss;
            state_.bestStep = state_.step;
            if (plan_.best)
                checkpoints_.keep(state_.step, state_.values.parameters);
        }
        progress.validation = validation;
    }
    if (!data_.samples.empty()) {
        const std::size_t turn = state_.step / config_.validateEvery;
        const auto& source = data_.samples[turn % data_.samples.size()];
        progress.sample =
            Sample{.source = source, .output = model_->translate(state_.values.parameters, source)};
    }
    if (good)
        writeModel(state_);
}

void TrainingRun::report() {
    const bool validates = state_.step % config_.validateEvery == 0;
    const bool logs = state_.step % stepsOfLog == 0 || validates || state_.step == config_.steps;
    if (meter_.secondsSinceReport() < 0.5 && !logs)
        return;
    auto progress = meter_.measure(state_.step, config_.steps);
    progress.epoch = state_.epoch;
    progress.loss = state_.lossSum / state_.answers;
    progress.learningRate = config_.schedule.at(state_.step);
    if (validates)
        validate(progress);
    progress.logged = logs;
    if (logs) {
        auto line = progress;
        line.tokensPerSecond = meter_.tokensPerSecondSinceLog();
        log_->add(line, state_.gradientNorm, meter_.seconds());
        state_.lossSum = state_.answers = 0;
        meter_.logged();
    }
    if (options_.report)
        options_.report(progress);
    meter_.reported(state_.step);
}

void TrainingRun::save() {
    try {
        saveState(state_, config_.state / stateFile);
    } catch (const trace::Refusal& refusal) {
        auto text = refusal.text();
        text.what =
            "The training stopped at step " + std::to_string(state_.step) + ": its state cannot be saved";
        text.wayOut = std::string("make room, and ") + goOn;
        throw trace::Refusal(std::move(text));
    }
    saved_ = Clock::now();
    savedStep_ = state_.step;
    // Not earlier: after a kill, the previous state still needs them.
    checkpoints_.removeAllBut(plan_.needed(state_.step, state_.bestStep));
}

void TrainingRun::writeModel(const TrainingState& state) {
    model_->write(chosenParameters(state), config_.model, config_.halfPrecision);
}

} // namespace headscope::training
