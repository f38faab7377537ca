#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/traces/trace_arrays.h"
#include "app/traces/trace_metadata.h"
#include "model/files/safetensors.h"
#include "model/trace/refusal.h"
#include "tests/model/files/read_npz.h"
#include "tests/registered_test.h"

#include <nlohmann/json.hpp>

#include <map>

using namespace headscope;
using files::ElementType;
using Shape = std::vector<std::int64_t>;

namespace {

/// Two layers of three heads, d_model 12; three source tokens, two forced target tokens of 23.
std::shared_ptr<const trace::Run> runWith(const trace::Recording& recording) {
    const auto engine = app::loadEngine({.familyFolders = app::familyFolders()});
    engine->open({.path = HEADSCOPE_SOURCE "/tests/reference/annotated-tiny"}, {});
    return engine->of({.source = trace::SourceIds{{5, 6, 3}},
                       .paths = {{.forced = trace::TargetIds{{2, 18}}, .newTokens = 0}},
                       .recording = recording},
                      trace::RunWhat());
}

std::map<std::string, files::NamedArray> arraysOf(const trace::Run& run) {
    std::map<std::string, files::NamedArray> arrays;
    for (auto& array : app::traceArrays(run))
        arrays[array.name] = std::move(array);
    return arrays;
}

const std::map<std::string, Shape> always{
    {"encoder_self/weights", {2, 3, 3, 3}}, {"encoder_self/scores", {2, 3, 3, 3}},
    {"decoder_self/weights", {2, 3, 2, 2}}, {"decoder_self/scores", {2, 3, 2, 2}},
    {"cross/weights", {2, 3, 2, 3}},        {"cross/scores", {2, 3, 2, 3}},
    {"positions/source", {3, 12}},          {"positions/target", {2, 12}}};

const std::map<std::string, Shape> onRequest{{"log_probabilities", {2, 23}},
                                             {"encoder_self/q", {2, 3, 3, 4}},
                                             {"encoder_self/k", {2, 3, 3, 4}},
                                             {"encoder_self/v", {2, 3, 3, 4}},
                                             {"decoder_self/q", {2, 3, 2, 4}},
                                             {"decoder_self/k", {2, 3, 2, 4}},
                                             {"decoder_self/v", {2, 3, 2, 4}},
                                             {"cross/q", {2, 3, 2, 4}},
                                             {"cross/k", {2, 3, 3, 4}},
                                             {"cross/v", {2, 3, 3, 4}},
                                             {"cross/heads", {2, 3, 2, 4}},
                                             {"encoder_self/heads", {2, 3, 3, 4}},
                                             {"decoder_self/heads", {2, 3, 2, 4}},
                                             {"encoder/residual", {5, 3, 12}},
                                             {"decoder/residual", {7, 2, 12}},
                                             {"encoder_output", {3, 12}}};

const std::map<std::string, Shape> masks{
    {"encoder_self/mask", {3, 3}}, {"decoder_self/mask", {2, 2}}, {"cross/mask", {2, 3}}};
const std::map<std::string, Shape> ids{{"source_ids", {3}}, {"target_ids", {2}}, {"next_ids", {2}}};

bool have(const std::map<std::string, files::NamedArray>& arrays, const std::map<std::string, Shape>& wanted,
          ElementType type) {
    for (const auto& [name, shape] : wanted) {
        const auto found = arrays.find(name);
        if (found == arrays.end() || found->second.shape != shape || found->second.type != type) {
            qWarning("%s is missing or of another shape or type", name.c_str());
            return false;
        }
    }
    return true;
}

} // namespace

class TraceArraysTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyArrayHasTheNameShapeAndTypeOfTheContract() {
        const auto run =
            runWith({.projections = true, .residual = true, .encoderOutput = true, .logProbabilities = true});
        const auto arrays = arraysOf(*run);
        QVERIFY(have(arrays, always, ElementType::Float32));
        QVERIFY(have(arrays, onRequest, ElementType::Float32));
        QVERIFY(have(arrays, masks, ElementType::Bool));
        QVERIFY(have(arrays, ids, ElementType::Int64));
        QCOMPARE(arrays.size(), always.size() + onRequest.size() + masks.size() + ids.size());
    }

    /// So that other programs can write them.
    void everyArrayAndKeyIsNamedInTheManual() {
        QFile file(HEADSCOPE_SOURCE "/resources/manual/traces.md");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString page = QString::fromUtf8(file.readAll());
        for (const char* trace : {"everything", "classifier", "masks"}) {
            const auto stored = files::readSafetensors(
                std::string(HEADSCOPE_SOURCE "/tests/reference/traces/") + trace + ".safetensors");
            std::vector<std::string> names;
            for (const auto& tensor : stored.tensors)
                if (!tensor.name.starts_with("beside/"))
                    names.push_back(tensor.name);
            const auto words = nlohmann::json::parse(stored.metadata.at("tokens.json"));
            for (const auto& [key, value] : words.items()) {
                names.push_back(key == "request" ? "request.source" : key);
                for (const auto* parts : {"tree", "lens", "importance", "flow"})
                    if (key == parts)
                        for (const auto& [part, ignored] : value.items())
                            names.push_back(part);
            }
            for (const auto& name : tests::some(names)) {
                const QString own = QString::fromStdString(name);
                QString ofKind = own;
                ofKind.replace(QRegularExpression("^(encoder_self|decoder_self|cross)/"), "KIND/");
                QVERIFY2(page.contains('`' + own + '`') || page.contains('`' + ofKind + '`'), name.c_str());
            }
        }
    }

    void whatWasNotRecordedIsAbsent() {
        const auto arrays = arraysOf(*runWith({}));
        QCOMPARE(arrays.size(), always.size() + masks.size() + ids.size());
        QVERIFY(have(arrays, always, ElementType::Float32));
    }

    void valuesStandWhereTheContractSays() {
        const auto run = runWith({.residual = true});
        const auto arrays = arraysOf(*run);
        const auto cross = files::floatsOf(arrays.at("cross/weights"));
        QCOMPARE(cross[((1 * 3 + 2) * 2 + 1) * 3 + 0], run->cross[1].weights(2, 1, 0));
        const auto residual = files::floatsOf(arrays.at("decoder/residual"));
        QCOMPARE(residual[(6 * 2 + 1) * 12 + 5], run->row(1).residual(6, 5));
        QCOMPARE(files::integersOf(arrays.at("target_ids")), (std::vector<std::int64_t>{2, 18}));
        QCOMPARE(files::integersOf(arrays.at("next_ids"))[1], run->row(1).candidates.front().token.id);
        const auto mask = arrays.at("decoder_self/mask").bytes;
        QVERIFY(mask[1] == std::byte{0} && mask[2] == std::byte{1});
    }

    void anEncoderAloneHasNoTarget() {
        trace::Run run = *runWith({});
        run.tree = {};
        run.path.clear();
        run.target.clear();
        run.next.clear();
        run.decoder.clear();
        run.cross.clear();
        run.forcedRows = 0;
        for (const auto& [name, array] : tests::some(arraysOf(run)))
            QVERIFY2(name == "source_ids" || name == "positions/source" || name.starts_with("encoder"),
                     name.c_str());
    }

    void theTokensAndTheRequestAreJson() {
        const auto json = nlohmann::json::parse(app::tokensJson(*runWith({}), {}));
        QVERIFY((json.at("source") == (nlohmann::json{"#5", "#6", "#3"})));
        QCOMPARE(json.at("target").size(), std::size_t{2});
        QCOMPARE(json.at("next").size(), std::size_t{2});
        QVERIFY((json.at("request").at("target_ids") == (nlohmann::json{2, 18})));
        QVERIFY(json.at("model").at("family") == "annotated-transformer");
    }

    void bothFormatsHoldTheSame() {
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        const auto run = runWith({});
        app::saveTrace(*run, {}, base / "t.npz");
        app::saveTrace(*run, {}, base / "t.safetensors");
        const auto wanted = arraysOf(*run);
        const auto arrays = read_npz::readNpz(base / "t.npz");
        QCOMPARE(arrays.size(), wanted.size());
        for (const auto& array : arrays)
            QVERIFY2(array == wanted.at(array.name), array.name.c_str());
        const auto tensors = files::readSafetensors(base / "t.safetensors");
        std::size_t tables = 0; // of positions, for the views that a .safetensors opens in
        for (const auto& tensor : tensors.tensors) {
            if (tensor.name.starts_with("positions/") && tensor.name.ends_with("_table")) {
                ++tables;
                continue;
            }
            QVERIFY2(std::equal(wanted.at(tensor.name).bytes.begin(), wanted.at(tensor.name).bytes.end(),
                                tensor.bytes->begin() + static_cast<std::ptrdiff_t>(tensor.offset)),
                     tensor.name.c_str());
        }
        QCOMPARE(tables, std::size_t(2));
        QCOMPARE(tensors.tensors.size(), wanted.size() + tables);
        QCOMPARE(tensors.metadata.at("tokens.json"), app::tokensJson(*run, {}));
    }

    void anotherFormatIsRefused() {
        QVERIFY_EXCEPTION_THROWN(app::saveTrace(*runWith({}), {}, "t.csv"), trace::Refusal);
    }
};

HEADSCOPE_TEST(TraceArraysTest)
#include "trace_arrays_test.moc"
