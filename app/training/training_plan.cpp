#include "app/training/training_plan.h"

#include "app/command_line_text.h"
#include "app/models/model_series.h"
#include "model/files/safetensors.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QSaveFile>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

namespace {

struct TrainingPlanWords {
    Q_DECLARE_TR_FUNCTIONS(TrainingPlanWords) // as lupdate names it
};

bool isToy(TrainingTask task) {
    return task == TrainingTask::Copy || task == TrainingTask::Reverse;
}

/// Returns about a twentieth of all steps, from 10 to 500, if possible a divisor of `steps`, so that the last
/// step is validated.
int validateEvery(int steps) {
    const int about = std::clamp(steps / 20, std::min(steps, 10), 500);
    for (int every = about; every > about / 2; --every)
        if (steps % every == 0)
            return every;
    return about;
}

/// Dense at the beginning, when the model changes most.
QJsonArray snapshotSteps(int steps) {
    QJsonArray at{0};
    for (int step = 5; step < steps; step *= 2)
        at.append(step);
    at.append(steps);
    return at;
}

QJsonObject corpusOf(const TrainingPlan& plan) {
    if (plan.isToy())
        return {{"task", plan.task == TrainingTask::Copy ? "copy" : "reverse"},
                {"words", 20},
                {"shortest_sentence", 3},
                {"longest_sentence", 10},
                {"sentences", 20000},
                {"valid_sentences", 200}};
    QJsonObject corpus{{"task", plan.task == TrainingTask::Texts ? "classify" : "translate"},
                       {"train", QFileInfo(plan.file).absoluteFilePath()},
                       {"valid_sentences", 1000}};
    if (plan.validation.isEmpty())
        corpus["valid_every"] = validationEvery;
    else
        corpus["valid"] = QFileInfo(plan.validation).absoluteFilePath();
    return corpus;
}

QJsonObject networkOf(const TrainingPlan& plan) {
    const auto& numbers = plan.numbers;
    QJsonObject network{{"encoder_layers", numbers.encoderLayers},
                        {"model_width", numbers.width},
                        {"feed_forward_width", numbers.feedForward},
                        {"heads", numbers.heads},
                        {"maximum_positions", 512}};
    if (plan.task != TrainingTask::Texts) {
        network["decoder_layers"] = numbers.decoderLayers;
        network["tied_source_target"] = "yes";
        network["tied_generator"] = "yes";
    }
    // Defaults are left out: the configuration of an earlier training stays equal, so that it can be resumed.
    if (!numbers.normFirst)
        network["norm"] = "post";
    if (!numbers.hasSinusoids)
        network["positions"] = "table";
    return network;
}

QJsonObject trainingOf(const TrainingPlan& plan) {
    QJsonObject training{{"steps", plan.steps},
                         {"batch_tokens", plan.numbers.batchTokens},
                         {"validate_every", validateEvery(plan.steps)}};
    if (plan.task == TrainingTask::Texts) {
        training["dropout"] = 0;  // noise would change which token has the maximum of a feature
        training["patience"] = 8; // a few thousand texts are quickly overfitted
    } else {
        training["bleu_sentences"] = plan.isToy() ? 20 : 100;
    }
    if (plan.isToy()) {
        training["dropout"] = 0;
        training["label_smoothing"] = 0;
    }
    return training;
}

QJsonObject readObject(const QString& path) {
    QFile file(path);
    return !path.isEmpty() && file.open(QIODevice::ReadOnly)
               ? QJsonDocument::fromJson(file.readAll()).object()
               : QJsonObject();
}

/// Whether two configurations are of the same model, so that the trainer can resume it with either.
bool isOfSameModel(const QJsonObject& one, const QJsonObject& other) {
    constexpr std::array ofModel{"corpus", "network", "vocabulary", "model"};
    return std::ranges::all_of(ofModel, [&](const char* key) { return one[key] == other[key]; });
}

trace::RefusalText notWritten(const QString& path, const QString& why) {
    return {.what = TrainingPlanWords::tr("The training configuration cannot be written").toStdString(),
            .where = path.toStdString(),
            .expected = TrainingPlanWords::tr("a writable folder").toStdString(),
            .found = why.toStdString(),
            .wayOut = TrainingPlanWords::tr("choose another folder").toStdString(),
            .details = {}};
}

} // namespace

QString TrainingPlan::configuration() const {
    return isConfigured() ? QFileInfo(file).absoluteFilePath()
                          : QDir(folder).absoluteFilePath(name + ".json");
}

int usualSteps(TrainingTask task, TrainingSize size) {
    constexpr std::array steps{2000, 9000, 50'000};
    return isToy(task) ? 1000 : steps[static_cast<std::size_t>(size)];
}

TrainingNumbers usualNumbers(TrainingTask task, TrainingSize size, int steps) {
    if (isToy(task))
        return {.width = 64, .feedForward = 128, .batchTokens = 1024, .rate = 0.003, .warmUp = 100};
    const int warmUp = std::clamp(steps / 10, 1, 1000);
    switch (size) {
    case TrainingSize::Small:
        return {.warmUp = warmUp};
    case TrainingSize::Medium:
        return {.encoderLayers = 3,
                .decoderLayers = 3,
                .width = 256,
                .feedForward = 1024,
                .heads = 8,
                .vocabulary = 8000,
                .batchTokens = 2500,
                .warmUp = warmUp};
    case TrainingSize::Large:
        break;
    }
    return {.encoderLayers = 6,
            .decoderLayers = 6,
            .width = 512,
            .feedForward = 2048,
            .heads = 8,
            .vocabulary = 16'000,
            .batchTokens = 4000,
            .rate = 0.0007,
            .warmUp = warmUp};
}

QJsonObject configurationOf(const TrainingPlan& plan) {
    const auto& numbers = plan.numbers;
    QJsonObject configuration{{"corpus", corpusOf(plan)},
                              {"network", networkOf(plan)},
                              {"training", trainingOf(plan)},
                              {"model", plan.name}};
    if (plan.isToy()) {
        configuration["schedule"] = QJsonObject{{"rate", numbers.rate}, {"warm_up", numbers.warmUp}};
    } else {
        configuration["vocabulary"] = QJsonObject{{"size", numbers.vocabulary}};
        configuration["schedule"] = QJsonObject{
            {"kind", "linear"}, {"rate", numbers.rate}, {"final_rate", 0.00005}, {"warm_up", numbers.warmUp}};
    }
    if (plan.snapshots)
        configuration["snapshots"] =
            QJsonObject{{"folder", plan.name + ".snapshots"}, {"steps", snapshotSteps(plan.steps)}};
    return configuration;
}

std::optional<trace::RefusalText> writeConfiguration(const TrainingPlan& plan) {
    const QString path = plan.configuration();
    const QJsonObject configuration = configurationOf(plan);
    if (isTaken(plan))
        return trace::RefusalText{
            .what = TrainingPlanWords::tr("Another training has this name").toStdString(),
            .where = path.toStdString(),
            .expected = TrainingPlanWords::tr("an unused name, or the same data and network").toStdString(),
            .found = TrainingPlanWords::tr("a configuration of another model").toStdString(),
            .wayOut = TrainingPlanWords::tr("choose another name, or choose that configuration to resume it")
                          .toStdString(),
            .details = {}};
    if (readObject(path) == configuration)
        return std::nullopt;
    if (!QDir().mkpath(plan.folder))
        return notWritten(path, TrainingPlanWords::tr("a folder that cannot be created"));
    QSaveFile file(path);
    const QByteArray text = QJsonDocument(configuration).toJson();
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        return notWritten(path, file.errorString());
    return std::nullopt;
}

bool TrainingFolders::hasModel() const {
    return QFile::exists(model + "/config.json") && QFile::exists(model + "/model.safetensors");
}

bool TrainingFolders::hasSeries() const {
    return !snapshots.isEmpty() && modelSeries(snapshots.toStdString());
}

bool TrainingFolders::hasState() const {
    return QFile::exists(stateFile());
}

TrainingFolders foldersOf(const QString& configuration) {
    const QJsonObject object = readObject(configuration);
    const QDir folder = QFileInfo(configuration).absoluteDir();
    const QString model = object["model"].toString();
    if (model.isEmpty())
        return {};
    const QString whole = QDir::cleanPath(folder.absoluteFilePath(model));
    const QString state = object["state"].toString();
    const auto kept = object["snapshots"].toObject();
    const QString snapshots = kept["folder"].toString();
    std::vector<std::int64_t> steps;
    for (const auto step : kept["steps"].toArray())
        steps.push_back(step.toInteger());
    const auto inFolder = [&](const QString& path) { return QDir::cleanPath(folder.absoluteFilePath(path)); };
    return {.model = whole,
            .state = state.isEmpty() ? whole + ".training" : inFolder(state),
            .snapshots = snapshots.isEmpty() ? QString() : inFolder(snapshots),
            .snapshotSteps = std::move(steps)};
}

bool isTaken(const TrainingPlan& plan) {
    const QString path = plan.configuration();
    return !plan.isConfigured() && QFile::exists(path) &&
           !isOfSameModel(readObject(path), configurationOf(plan));
}

bool resumes(const TrainingPlan& plan) {
    return !isTaken(plan) && foldersOf(plan.configuration()).hasState();
}

QString whyAtEnd(const TrainingPlan& plan) {
    if (!resumes(plan))
        return {};
    qint64 step = 0, worse = 0;
    try {
        const files::SafetensorsFile state(foldersOf(plan.configuration()).stateFile().toStdString(),
                                           files::FileRole::Training);
        const auto number = [&](const char* key) {
            const auto found = state.header().metadata.find(key);
            return found == state.header().metadata.end()
                       ? 0
                       : QString::fromStdString(found->second).toLongLong();
        };
        step = number("step");
        worse = number("worse");
    } catch (const trace::Refusal&) {
        return {}; // the trainer will report the error
    }
    const auto training =
        (plan.isConfigured() ? readObject(plan.configuration()) : configurationOf(plan))["training"]
            .toObject();
    constexpr qint64 usual = 10'000; // default of the trainer
    const qint64 steps = training["steps"].toInteger(usual);
    const qint64 patience = training["patience"].toInteger();
    const QLocale locale;
    if (step >= steps)
        return (plan.isConfigured()
                    ? TrainingPlanWords::tr(
                          "Finished at step %1. Increase training.steps in the configuration to continue.")
                    : TrainingPlanWords::tr("Finished at step %1. Add steps to continue."))
            .arg(locale.toString(step));
    if (patience > 0 && worse >= patience)
        return TrainingPlanWords::tr("Stopped at step %1: no improvement in %2 validations. Increase "
                                     "training.patience in a configuration file to continue.")
            .arg(locale.toString(step), locale.toString(worse));
    return {};
}

QString trainCommand(const QString& configuration) {
    return "headscope-cli train " + QString::fromStdString(shellQuoted(configuration.toStdString()));
}

} // namespace headscope::app
