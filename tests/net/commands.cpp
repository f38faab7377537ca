#include "tests/net/net.h"

#include "app/choices/picture_options.h"
#include "app/cli/command_line.h"
#include "app/models/resource_folders.h"
#include "widgets/view_spec.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QtEndian>

#include <unistd.h>

namespace headscope::net {

Task command(const QString& name, QStringList arguments) {
    for (QString& argument : arguments)
        argument.replace("{}", itemsOf(name));
    arguments.prepend("headscope-cli");
    const auto work = [arguments] {
        QList<QByteArray> words;
        for (const QString& argument : arguments)
            words += argument.toUtf8();
        std::vector<char*> pointers;
        for (QByteArray& word : words)
            pointers.push_back(word.data());
        pointers.push_back(nullptr);
        return app::runCommandLine(static_cast<int>(words.size()), pointers.data());
    };
    return {name, work, arguments.join(' ')};
}

std::vector<Task> firstHelp() {
    const auto window = [] {
        execl(HEADSCOPE_BUILD "/bin/headscope", "headscope", "--help", nullptr);
        return 1;
    };
    return {command("help/headscope-cli", {"--help"}), {"help/headscope", window, "headscope --help"}};
}

std::vector<Task> helpOfCommands(const QString& firstHelp) {
    std::vector<Task> tasks{command("help/nothing", {}), command("help/unknown", {"unknown"})};
    const QString heading = "\nSubcommands:\n";
    const auto at = firstHelp.indexOf(heading);
    for (const QString& line : firstHelp.mid(at < 0 ? firstHelp.size() : at + heading.size()).split('\n')) {
        const QString name = line.trimmed().section(' ', 0, 0);
        if (!line.startsWith("  ") || name.isEmpty())
            break;
        tasks.push_back(command("help/" + name, {name, "--help"}));
    }
    return tasks;
}

namespace {

const QString sentence = "The old man gave his daughter a red book.";
const QString translator = "tatoeba-en-de";
const QString classifier = "imdb-classifier";

/// Returns a sentence that the model can read.
QString sourceFor(const QString& model) {
    if (model == classifier)
        return "It is not a bad film at all, and the music alone is worth the evening.";
    return model.startsWith("toy-") ? "w1 w2 w3 w4 w5" : sentence;
}

struct TraceOfNet {
    QString name;
    QStringList arguments; ///< the model first
};

const std::vector<TraceOfNet>& traces() {
    static const std::vector<TraceOfNet> all{
        {"translator", {translator, "--source", sentence}},
        {"forced-target", {translator, "--source", sentence, "--target", "Der Mann gab ihr ein Buch."}},
        {"classifier", {classifier, "--source", sourceFor(classifier), "--reading"}},
        {"every-option",
         {translator,
          "--source",
          sentence,
          "--beam",
          "3",
          "--disable-head",
          "cross.0.1",
          "--qkv",
          "--residual",
          "--hidden",
          "--log-probabilities",
          "--score-terms",
          "--quantities",
          "--gradients",
          "--lens",
          "--importance",
          "--attribution",
          "--flow",
          "--undisturbed",
          "--twin",
          "7"}}};
    return all;
}

QString fileOf(const TraceOfNet& trace) {
    return "traces/" + trace.name + ".safetensors";
}

/// Returns the bytes of an .npy file. `type` is that of safetensors.
QByteArray npy(const QString& type, const QJsonArray& shape, const QByteArray& values) {
    static const QMap<QString, QByteArray> types{{"F64", "<f8"}, {"F32", "<f4"}, {"F16", "<f2"},
                                                 {"I64", "<i8"}, {"I32", "<i4"}, {"U8", "|u1"},
                                                 {"BOOL", "|b1"}};
    QByteArray sides;
    for (const auto& side : shape)
        sides += QByteArray::number(side.toInteger()) + ", ";
    QByteArray header =
        "{'descr': '" + types[type] + "', 'fortran_order': False, 'shape': (" + sides + "), }";
    constexpr int before = 10, aligned = 64;
    header.append((aligned - (before + header.size() + 1) % aligned) % aligned, ' ');
    header += '\n';
    QByteArray length(2, Qt::Uninitialized);
    qToLittleEndian(static_cast<quint16>(header.size()), length.data());
    return QByteArray("\x93NUMPY\x01\x00", 8) + length + header + values;
}

void split(const TraceOfNet& trace) {
    QFile file(fileOf(trace));
    if (!file.open(QIODevice::ReadOnly))
        return; // said.txt has the reason
    const auto size = qFromLittleEndian<quint64>(file.read(8).constData());
    const auto header = QJsonDocument::fromJson(file.read(static_cast<qint64>(size))).object();
    const QByteArray data = file.readAll();
    const QString folder = itemsOf("traces/" + trace.name) + '/';
    for (auto entry = header.begin(); entry != header.end(); ++entry) {
        const auto value = entry.value().toObject();
        if (entry.key() == "__metadata__") {
            for (auto text = value.begin(); text != value.end(); ++text)
                write(folder + text.key(), text.value().toString().toUtf8());
            continue;
        }
        const auto place = value["data_offsets"].toArray();
        write(folder + entry.key() + ".npy",
              npy(value["dtype"].toString(), value["shape"].toArray(),
                  data.mid(place[0].toInteger(), place[1].toInteger() - place[0].toInteger())));
    }
}

/// Returns the options without which the view would be empty.
QStringList neededBy(const QString& view, bool isOfTrace) {
    if (isOfTrace)
        return view == "compare" ? QStringList{"--choose", "with=step", "--choose", "step=2"} : QStringList();
    static const QMap<QString, QStringList> needed{
        {"what-if", {"--disable-head", "encoder.0.1"}},
        {"beam-tree", {"--beam", "3"}},
        {"branches", {"--beam", "3"}},
        {"paths", {"--beam", "3"}},
        {"reference", {"--target", "Der Mann gab ihr ein Buch."}},
        {"compare", {"--beside", "A young man gave it to his son."}},
        {"inputs", {"--beside", "I see it."}}};
    return needed.value(view);
}

const QStringList& themes() {
    static const QStringList all{"light", "dark"};
    return all;
}

/// Renders a view as PNG, SVG and CSV.
Task picture(const QString& name, const QStringList& arguments) {
    return command(name, QStringList{"render"} + arguments +
                             QStringList{"--threads", "1", "--out", "{}/picture.png", "--out",
                                         "{}/picture.svg", "--out", "{}/numbers.csv"});
}

/// All views in both themes; their other pages in the light one.
void addViews(std::vector<Task>& tasks, const QString& folder, const QStringList& what, bool isTrace) {
    for (const auto& view : widgets::viewSpecs())
        for (const QString& theme : themes()) {
            const QString key = view.key;
            const QString name = "views/" + folder + '/' + key;
            // Training curves are drawn from a log: there is no sentence.
            const bool isTraining = key == "training-curves";
            const QStringList input = isTraining ? what.mid(0, 1) : what + neededBy(key, isTrace);
            const QStringList arguments = input + QStringList{"--view", key, "--theme", theme};
            tasks.push_back(picture(name + '/' + theme, arguments));
            for (std::size_t page = 1; page < view.pages.size() && theme == "light"; ++page)
                tasks.push_back(picture(name + '-' + view.pages[page] + '/' + theme,
                                        arguments + QStringList{"--page", view.pages[page]}));
        }
}

/// Views with options that change what they show.
const std::vector<std::pair<const char*, QStringList>>& otherWays() {
    static const std::vector<std::pair<const char*, QStringList>> all{
        {"received-and-lost", {"heatmap", "--received", "--losses", "--numbers"}},
        {"logarithmic", {"heatmap", "--scale", "log", "--without-special", "--caption"}},
        {"words-by-rank", {"heatmap", "--scale", "rank", "--words", "--transposed", "--per-row"}},
        {"pinned",
         {"heatmap", "--head", "cross.1.2", "--pin", "cross.2.3", "--pin", "encoder.0.1", "--step", "2"}},
        {"lines-of-all", {"lines", "--lines-of", "all", "--query", "2"}},
        {"stream", {"arithmetic", "--page", "stream", "--cell", "3,4"}},
        {"block-table", {"architecture", "--page", "table"}},
        {"unfolded", {"architecture", "--choose", "unfolded=[\"encoder\",\"encoder.0\"]"}},
        {"tinted-overview", {"overview", "--choose", "tint=entropy", "--choose", "order=similarity"}},
        {"of-target", {"positions", "--side", "target", "--count", "20", "--dimensions", "4,5,6"}},
        {"one-temperature", {"scale", "--page", "temperature", "--choose", "temperature=0.5"}},
        {"of-twin", {"logit-lens", "--choose", "of=twin", "--choose", "twin-seed=7"}},
        {"measured", {"head-table", "--choose", "importance=true", "--choose", "twin=true"}},
        {"one-layer", {"contact-sheet", "--choose", "layer=true", "--head", "decoder.1.0"}},
        {"narrow", {"overview", "--width", "321"}},
        {"poster", {"heatmap", "--width", "1200", "--height", "900", "--enlarge", "--dpi", "96"}},
        {"two-steps",
         {"compare", "--choose", "with=step", "--choose", "step=3", "--step", "1", "--page", "rows"}},
        {"unchanged", {"compare", "--disable-head", "cross.1.2", "--choose", "with=unchanged"}}};
    return all;
}

/// The output of the other commands.
void addWords(std::vector<Task>& tasks) {
    for (const auto& name : app::bundledModels()) {
        const QString model = QString::fromStdString(name);
        tasks.push_back(command("said/info-" + model, {"info", model, "--json"}));
        tasks.push_back(command("said/translate-" + model,
                                {"translate", model, sourceFor(model), "--json", "--threads", "1"}));
    }
    for (const auto& trace : traces())
        tasks.push_back(command("said/info-trace-" + trace.name, {"info", fileOf(trace)}));
    tasks.push_back(command("said/beam", {"translate", translator, sentence, "--beam", "4",
                                          "--length-penalty", "0.6", "--json", "--threads", "1"}));
    tasks.push_back(command("said/sample", {"translate", translator, sentence, "--sample", "--top-k", "10",
                                            "--seed", "3", "--json", "--threads", "1"}));
    tasks.push_back(command("said/no-such-model", {"info", "no-such-model"}));
    tasks.push_back(
        command("said/converted", {"convert", HEADSCOPE_SOURCE "/resources/models/toy-copy/model.safetensors",
                                   "--out", "{}/model", "--precision", "f16"}));
}

} // namespace

std::vector<Task> traceTasks() {
    std::vector<Task> tasks;
    for (const auto& trace : traces())
        tasks.push_back(
            command("traces/" + trace.name, QStringList{"trace"} + trace.arguments +
                                                QStringList{"--threads", "1", "--out", fileOf(trace)}));
    return tasks;
}

void splitTraces() {
    for (const auto& trace : traces())
        split(trace);
}

std::vector<Task> viewTasks() {
    std::vector<Task> tasks;
    for (const auto& name : app::bundledModels()) {
        const QString model = QString::fromStdString(name);
        addViews(tasks, model, {model, "--source", sourceFor(model)}, false);
    }
    for (const auto& trace : traces())
        addViews(tasks, "trace-" + trace.name, {fileOf(trace)}, true);
    const QStringList translation{translator, "--source", sentence};
    // Without the options of neededBy(), these views are refused.
    for (const char* view : {"what-if", "beam-tree", "reference", "compare"})
        tasks.push_back(picture(QString("refused/") + view, translation + QStringList{"--view", view}));
    for (const char* page : {"heads", "rows", "keys", "output"})
        tasks.push_back(picture(QString("two-models/") + page,
                                translation + QStringList{"--view", "compare", "--page", page, "--choose",
                                                          "model=tatoeba-en-fr", "--choose", "with=model"}));
    for (const auto& quantity : widgets::quantityNames())
        tasks.push_back(picture(QString("quantities/") + quantity,
                                translation + QStringList{"--view", "heatmap", "--quantity", quantity}));
    for (const auto& [name, arguments] : otherWays())
        tasks.push_back(picture(QString("ways/") + name, translation + QStringList{"--view"} + arguments));
    addWords(tasks);
    tasks.push_back(command(
        "film", QStringList{"render"} + translation +
                    QStringList{"--view", "heatmap", "--animate", "--threads", "1", "--out", "{}/film.png"}));
    return tasks;
}

} // namespace headscope::net
