#include "tests/app/cli/cli_process.h"
#include "tests/registered_test.h"

#include "model/files/safetensors.h"
#include "tests/model/files/read_npz.h"

#include <QDir>

#include <cmath>
#include <span>

using namespace cli_process;
using namespace headscope;

namespace {

files::NamedArray array(const QString& npz, const std::string& name) {
    for (auto& array : read_npz::readNpz(npz.toStdString()))
        if (array.name == name)
            return array;
    return {};
}

} // namespace

class TraceTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    const QString npz_ = folder_.filePath("trace.npz");

    Result traceTiny(const QStringList& more) {
        return run(QStringList{"trace", tiny, "--out", npz_} + more);
    }

    /// "5,6,7,...": so many ids below 60.
    static QString manyIds(int count, int stride) {
        QStringList ids;
        for (int i = 0; i < count; ++i)
            ids += QString::number(5 + i * stride % 55);
        return ids.join(',');
    }

    /// Longer than maps are kept in a run.
    const QString longSource_ = manyIds(600, 7);
    const QString longTarget_ = "2," + manyIds(560, 11);

    /// Of a random model; made once.
    QString longTrace() {
        const QString trace = folder_.filePath("long.safetensors");
        if (QFile::exists(trace))
            return trace;
        const QString config = folder_.filePath("config.json"), model = folder_.filePath("random-model");
        writeFile(config, R"({"encoder_layers": 1, "decoder_layers": 1, "model_width": 16, "heads": 2,
            "feed_forward_width": 16, "source_vocabulary_size": 60, "target_vocabulary_size": 60,
            "positions": "table", "maximum_positions": 640, "norm": "post", "activation": "relu",
            "start_id": 2, "end_id": 3, "pad_id": 0})");
        const Result made = run({"convert", "--random", config, "--out", model});
        [&] { QVERIFY2(made.status == 0, made.err); }();
        const Result traced = run({"trace", model, "--source-ids", longSource_, "--target-ids", longTarget_,
                                   "--qkv", "--residual", "--out", trace});
        [&] { QVERIFY2(traced.status == 0, traced.err); }();
        return trace;
    }

    /// Of a small model with everything that a trace can keep.
    QString wholeTrace(const QString& name, const QString& source) {
        const QString trace = folder_.filePath(name);
        const Result traced =
            run({"trace", trained, "--source", source, "--qkv", "--residual", "--hidden", "--score-terms",
                 "--quantities", "--gradients", "--attribution", "--importance", "--out", trace});
        [&] { QVERIFY2(traced.status == 0, traced.err); }();
        return trace;
    }

    static Result drawn(const QString& trace, const QString& source, const QStringList& view,
                        const QString& out) {
        QFile::remove(out);
        return run(QStringList{"render", trace, "--source", source, "--out", out} + view);
    }

  private Q_SLOTS:
    /// The same picture as of the model.
    void whatATraceKeepsIsDrawnWithoutTheModel_data() {
        QTest::addColumn<QStringList>("view");
        const auto positions = [](const char* page, const char* side) {
            QTest::addRow("positions, %s of the %s", page, side)
                << QStringList{"--view", "positions", "--page", page, "--side", side, "--count", "12"};
        };
        for (const char* page : {"words", "scores"})
            for (const char* side : {"source", "target"})
                positions(page, side);
        const auto quantity = [](const char* name, const char* head) {
            QTest::addRow("%s of %s", name, head)
                << QStringList{"--view", "heatmap", "--quantity", name, "--head", head, "--step", "2"};
        };
        for (const char* name : {"rollout", "contributions", "gradient"})
            quantity(name, "cross.1.2");
        quantity("norm-weighted", "encoder.1.0"); // cross-attention's has a line of what only the model tells
        quantity("norm-shares", "decoder.2.1");
        quantity("rollout", "decoder.2.1");
        quantity("gradient", "encoder.1.0");
        QTest::newRow("source share") << QStringList{"--view", "source-share"};
        QTest::newRow("logit lens") << QStringList{"--view", "logit-lens"};
        QTest::newRow("attribution") << QStringList{"--view", "attribution", "--step", "2"};
        QTest::newRow("importance") << QStringList{"--view", "importance", "--step", "2"};
        QTest::newRow("heads by importance")
            << QStringList{"--view", "overview", "--choose", "order=importance"};
    }

    void whatATraceKeepsIsDrawnWithoutTheModel() {
        QFETCH(QStringList, view);
        const QString source = "I see it.", file = folder_.filePath("whole.safetensors");
        const QString trace = QFile::exists(file) ? file : wholeTrace("whole.safetensors", source);
        const QString ofTrace = folder_.filePath("of-trace.svg"), ofModel = folder_.filePath("of-model.svg");
        const Result result = drawn(trace, source, view, ofTrace);
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(drawn(trained, source, view, ofModel).status, 0);
        // But for what the picture says of where it comes from.
        const auto drawing = [](const QString& path) {
            QByteArray svg = contentOf(path);
            return svg.mid(svg.indexOf("<g "));
        };
        QVERIFY(drawing(ofTrace) == drawing(ofModel));
    }

    /// The factor of q k is in the file, whether queries and keys are or not.
    void theScaleOfATraceIsTheModels() {
        const QString source = "I see it.", trace = folder_.filePath("scores.safetensors");
        QCOMPARE(run({"trace", trained, "--source", source, "--out", trace}).status, 0);
        for (const char* page : {"scores", "variance"}) {
            const auto numbers = [&](const QString& of) {
                const QString out = folder_.filePath("scale.json");
                const Result result =
                    drawn(of, source, {"--view", "scale", "--head", "cross.1.2", "--page", page}, out);
                [&] { QVERIFY2(result.status == 0, result.err); }();
                const QByteArray all = contentOf(out);
                return all.mid(all.indexOf("\"arrays\"")); // the notes name what it is of
            };
            QVERIFY(!numbers(trained).isEmpty());
            QVERIFY(numbers(trace) == numbers(trained));
        }
    }

    /// As far as the trace has them, which the pictures say.
    void positionsOfATraceAreTheBeginningOfTheModels() {
        const QString trace = folder_.filePath("positions.safetensors"), out = folder_.filePath("table.svg");
        QCOMPARE(run({"trace", trained, "--source", "I see it.", "--out", trace}).status, 0);
        for (const char* page : {"curves", "table", "similarity", "wavelengths"})
            for (const char* side : {"source", "target"}) {
                const Result result =
                    drawn(trace, "I see it.", {"--view", "positions", "--page", page, "--side", side}, out);
                QVERIFY2(result.status == 0, result.err);
                QVERIFY(contentOf(out).contains("64 positions"));
            }
    }

    void twoTracesStandBesideEachOther() {
        const QString one = wholeTrace("one.safetensors", "I see it."),
                      other = wholeTrace("other.safetensors", "You see the old man.");
        const Result result = drawn(
            one, "I see it.", {"--view", "compare", "--choose", "model=" + other, "--choose", "with=model"},
            folder_.filePath("compared.png"));
        QVERIFY2(result.status == 0, result.err);
    }

    void aLongTraceOpensInEveryView_data() {
        QTest::addColumn<QStringList>("view");
        for (const char* view : {"heatmap", "overview", "contact-sheet", "lines", "masks", "arithmetic",
                                 "architecture", "scale", "candidates"})
            QTest::newRow(view) << QStringList{"--view", view};
        QTest::newRow("masks, effect") << QStringList{"--view", "masks", "--page", "effect"};
        QTest::newRow("scale, variance") << QStringList{"--view", "scale", "--page", "variance"};
        QTest::newRow("pins") << QStringList{"--view",    "heatmap", "--pin",
                                             "cross.0.1", "--pin",   "encoder.0.0"};
        QTest::newRow("compare") << QStringList{"--view",    "compare",  "--choose",
                                                "with=step", "--choose", "step=3"};
    }

    void aLongTraceOpensInEveryView() {
        QFETCH(QStringList, view);
        const QString out = folder_.filePath("long.png");
        QFile::remove(out);
        const Result result = run(QStringList{"render", longTrace(), "--source-ids", longSource_, "--head",
                                              "cross.0.0", "--cell", "3,4", "--dpi", "96", "--out", out} +
                                  view);
        QVERIFY2(result.status == 0, result.err);
        QVERIFY(QFile::exists(out));
    }

    /// What the model alone computes, and the file was not asked to keep.
    void whatATraceCannotShowIsSaid() {
        for (const QStringList& view :
             {QStringList{"--view", "positions", "--page", "scores"},
              QStringList{"--view", "heatmap", "--quantity", "gradient"}, QStringList{"--view", "logit-lens"},
              QStringList{"--view", "attribution"}, QStringList{"--view", "importance"},
              QStringList{"--view", "overview", "--choose", "tint=importance"},
              QStringList{"--view", "head-table", "--choose", "importance=true"}}) {
            const Result result = run(QStringList{"render", longTrace(), "--source-ids", longSource_, "--out",
                                                  folder_.filePath("long.png")} +
                                      view);
            QCOMPARE(result.status, 1);
            QVERIFY2(contains(result.err, {"What to do: record it with ", "headscope-cli trace --",
                                           "; or open the model that it was recorded from"}),
                     result.err);
        }
    }

    /// Followed to the letter it leads to a picture: nothing else than that a trace lacks is refused next.
    void theWayOutOfATraceLeadsToAPicture() {
        const QString source = "I see it.", trace = folder_.filePath("plain.safetensors"),
                      out = folder_.filePath("out.svg");
        QCOMPARE(run({"trace", trained, "--source", source, "--out", trace}).status, 0);
        const QStringList ofModel{trained, "--source", source};
        struct Way {
            QStringList view;
            const char* out;
            QStringList followed;
        };
        for (const auto& [view, wayOut, followed] :
             {Way{{"compare"},
                  "--step 0 --choose with=step --choose step=1",
                  {trace, "--step", "0", "--choose", "with=step", "--choose", "step=1"}},
              Way{{"beam-tree"}, "recorded from, with --beam 2", ofModel + QStringList{"--beam", "2"}},
              Way{{"reference"},
                  "recorded from, with --target",
                  ofModel + QStringList{"--target", "Ich sehe."}},
              Way{{"what-if"},
                  "with a change such as --disable-head",
                  ofModel + QStringList{"--disable-head", "cross.0.0"}},
              Way{{"inputs", "--beside", "I see."}, "recorded from, with --source and --beside", ofModel}}) {
            const QStringList shown = QStringList{"--out", out, "--view"} + view;
            const Result refused = run(QStringList{"render", trace} + shown);
            QVERIFY2(refused.status == 1 && contains(refused.err, {"What to do: ", wayOut}), refused.err);
            QVERIFY2(!refused.err.contains("bove, "), refused.err); // nothing stands above
            const Result drawn = run(QStringList{"render"} + followed + shown);
            QVERIFY2(drawn.status == 0, drawn.err);
        }
        const QString forced = folder_.filePath("forced.safetensors");
        QCOMPARE(
            run({"trace", trained, "--source", source, "--target", "Ich sehe es.", "--out", forced}).status,
            0);
        const Result reference = run({"render", forced, "--view", "reference", "--out", out});
        QVERIFY2(reference.status == 0, reference.err);
        const Result classes = run({"render", trace, "--view", "classifier", "--out", out});
        QVERIFY2(contains(classes.err, {"Expected: a model that classifies"}), classes.err);
    }

    /// Also where the file keeps a part of it.
    void aTraceOfTheLensAloneSaysHowTheRestIsRecorded() {
        const QString trace = folder_.filePath("lens.safetensors");
        const Result traced = run({"trace", tiny, "--source-ids", "5,6,3", "--lens", "--out", trace});
        QVERIFY2(traced.status == 0, traced.err);
        const Result result =
            run({"render", trace, "--view", "attribution", "--out", folder_.filePath("no.png")});
        QCOMPARE(result.status, 1);
        QVERIFY2(contains(result.err, {"Record it with that: headscope-cli trace --attribution",
                                       "What to do: record it as said, or open the model"}),
                 result.err);
    }

    /// As a shell reads it.
    void theTokenToRecordAgainstIsQuoted() {
        const QString trace = folder_.filePath("split.safetensors");
        const Result traced = run({"trace", tiny, "--source-ids", "5,6,3", "--attribution", "--out", trace});
        QVERIFY2(traced.status == 0, traced.err);
        const Result result = run({"render", trace, "--view", "attribution", "--rather-than", "it's.",
                                   "--out", folder_.filePath("no.png")});
        QCOMPARE(result.status, 1);
        QVERIFY2(contains(result.err, {R"(--attribution --rather-than='it'\''s.')"}), result.err);
    }

    /// Of arrays that other programs wrote.
    void whatIsWrongOrLackingInATraceIsSaid() {
        const QString trace = folder_.filePath("foreign.safetensors"), out = folder_.filePath("foreign.svg");
        const std::vector<float> weights{3, 0, 0.75F, 2.25F};
        files::saveSafetensors(trace.toStdString(),
                               {{.name = "decoder_self/weights",
                                 .shape = {1, 1, 2, 2},
                                 .bytes = std::as_bytes(std::span(weights))}},
                               {{"tokens.json", R"({"target": ["a", "b"]})"}});
        const auto render = [&](const QStringList& view) {
            return run(QStringList{"render", trace, "--head", "decoder.0.0", "--out", out} + view);
        };
        const Result other = run({"render", trace, "--head", "cross.0.0", "--view", "lines", "--out", out});
        QCOMPARE(other.status, 1);
        QVERIFY2(contains(other.err, {"holds no such attention", "name such as decoder.0.0"}), other.err);
        const Result map = render({"--view", "heatmap"});
        QCOMPARE(map.status, 0);
        QVERIFY2(contains(map.err, {"self-check failed", "off by up to 2"}), map.err);
        QVERIFY(!contentOf(out).contains("each row sums to 1"));
        QVERIFY2(contains(render({"--view", "scale"}).err, {"no scores", "headscope-cli trace"}), "scale");
        QVERIFY2(contains(render({"--view", "candidates"}).err, {"no candidates", "headscope-cli trace"}),
                 "next");
        QVERIFY2(contains(render({"--view", "compare"}).err, {"two steps of this run"}), "compare");
        QCOMPARE(render({"--view", "architecture"}).status, 0);
        QVERIFY(!contentOf(out).contains("open model"));
        QVERIFY(!contentOf(out).contains("Embedding"));
    }

    void forcedIdsAreFedExactly() {
        const Result result = traceTiny({"--source-ids", "5,6,7", "--target-ids", "2,8,9", "--json", "--qkv",
                                         "--residual", "--hidden", "--log-probabilities"});
        QCOMPARE(result.status, 0);
        QCOMPARE(files::integersOf(array(npz_, "source_ids")), (std::vector<std::int64_t>{5, 6, 7}));
        QCOMPARE(files::integersOf(array(npz_, "target_ids")), (std::vector<std::int64_t>{2, 8, 9}));
        const auto report = json(result.out);
        QCOMPARE(report.keys(),
                 (QStringList{"out", "output", "self_check", "source_tokens", "target_tokens"}));
        QCOMPARE(report["self_check"].toObject()["state"].toString(), QString("ok"));
        QCOMPARE(report["target_tokens"].toInt(), 3);
    }

    void forcingAndContinuing() {
        QCOMPARE(traceTiny({"--source-ids", "16,4,9,11,3", "--target-ids", "2,10", "--continue"}).status, 0);
        QCOMPARE(files::integersOf(array(npz_, "target_ids")),
                 (std::vector<std::int64_t>{2, 10, 17, 20, 20, 11}));
        QCOMPARE(files::integersOf(array(npz_, "next_ids")),
                 (std::vector<std::int64_t>{10, 17, 20, 20, 11, 3}));
    }

    void aClassifierSaysItsClass() {
        const Result result =
            run({"trace", "imdb-classifier", "--source", "A gripping film, and beautiful.", "--out", npz_});
        QCOMPARE(result.status, 0);
        const auto classes = array(npz_, "class_log_probabilities");
        QCOMPARE(classes.shape, std::vector<std::int64_t>{2});
        const double positive = std::exp(files::floatsOf(classes)[1]);
        QVERIFY(positive > 0.5);
        const auto said = QString(", positive %1, ").arg(positive, 0, 'f', 3);
        QVERIFY2(result.err.contains(said.toUtf8()), result.err.constData());
        const Result unnamed = run({"trace", HEADSCOPE_SOURCE "/tests/reference/nyu-classifier-tiny",
                                    "--source-ids", "5,6,3", "--out", npz_});
        QVERIFY2(unnamed.err.contains(", #0 0.") || unnamed.err.contains(", #1 0."), unnamed.err);
    }

    void aClassifierIsMeasuredByTheNamesOfItsClasses() {
        const QString corpus = folder_.filePath("reviews.tsv");
        const auto measured = [&](const QByteArray& lines, const QStringList& more = {}) {
            QFile file(corpus);
            file.open(QIODevice::WriteOnly);
            file.write(lines);
            file.close();
            return run(QStringList{"evaluate", "imdb-classifier", "--corpus", corpus} + more);
        };
        QCOMPARE(measured("positive\tA wonderful film, beautifully played.\n").status, 0);
        const auto other = measured("favourable\tA great film.\nunfavourable\tA bad film.\n");
        QVERIFY(other.status != 0 && other.err.contains("favourable"));
        const auto written = measured("positive\tA great film.\n", {"--out", folder_.filePath("out.txt")});
        QVERIFY(written.status != 0 && written.err.contains("writes no outputs"));
    }

    void anEmptyTargetIsTheStartTokenAlone() {
        QCOMPARE(run({"trace", trained, "--source", "I see.", "--target", "", "--out", npz_}).status, 0);
        QCOMPARE(files::integersOf(array(npz_, "target_ids")), std::vector<std::int64_t>{2});
        QCOMPARE(run({"trace", trained, "--source", "I see.", "--target", "Ich sehe.", "--out", npz_}).status,
                 0);
        QCOMPARE(files::integersOf(array(npz_, "target_ids")), (std::vector<std::int64_t>{2, 14, 1442, 4}));
    }

    void aSourceInBracketsOrWithADashIsText() {
        for (const char* text : {"[a, b]", "-a", "--out"}) {
            QCOMPARE(run({"trace", trained, "--source", text, "--out", npz_, "--max-length", "1"}).status, 0);
            QVERIFY(array(npz_, "source_ids").shape[0] > 1);
        }
    }

    void embeddingsAreFedAsTheyAre() {
        QCOMPARE(traceTiny({"--source-ids", "5,6,7", "--target-ids", "2,8", "--residual"}).status, 0);
        const auto wanted = files::floatsOf(array(npz_, "cross/weights"));
        const auto residual = array(npz_, "encoder/residual");
        const auto values = files::floatsOf(residual);
        const std::span first(values.data(), 3 * 12);
        const auto bytes = files::npyBytes(files::floatArray("x", {3, 12}, first));
        writeFile(folder_.filePath("x.npy"), QByteArray::fromStdString(bytes));
        QCOMPARE(traceTiny({"--source-embeddings", folder_.filePath("x.npy"), "--target-ids", "2,8"}).status,
                 0);
        QCOMPARE(files::floatsOf(array(npz_, "cross/weights")), wanted);
        QVERIFY(array(npz_, "positions/source").name.empty());
        const auto flat = files::npyBytes(files::floatArray("x", {36}, first));
        writeFile(folder_.filePath("flat.npy"), QByteArray::fromStdString(flat));
        const Result result = traceTiny({"--source-embeddings", folder_.filePath("flat.npy")});
        QCOMPARE(result.status, 1);
        QVERIFY(isWholeRefusal(result.err) && contains(result.err, {"flat.npy", "[36]"}));
    }

    void aPlaceThatCannotBeWrittenIsRefusedAndTheOldFileStays() {
        const QString away = folder_.filePath("no/such/folder/t.npz");
        Result result = run({"trace", tiny, "--source-ids", "5,3", "--out", away});
        QCOMPARE(result.status, 1);
        QVERIFY(contains(result.err, {"no/such/folder", "Where: ", "Found: "}));
        QVERIFY(QDir(folder_.path()).mkdir("folder.npz"));
        result = run({"trace", tiny, "--source-ids", "5,3", "--out", folder_.filePath("folder.npz")});
        QCOMPARE(result.status, 1);
        writeFile(npz_, "old");
        const auto files = [this] { return QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden); };
        const auto before = files();
        QCOMPARE(traceTiny({"--source-ids", "99"}).status, 1);
        QCOMPARE(contentOf(npz_), QByteArray("old"));
        QCOMPARE(files(), before);
    }

    void convertingGivesAFolderThatTracesAlike() {
        const QStringList input{"--source-ids", "5,6,7", "--target-ids", "2,8,9"};
        QCOMPARE(traceTiny(input).status, 0);
        const auto wanted = files::floatsOf(array(npz_, "cross/weights"));
        const QString out = folder_.filePath("my model");
        const Result result = run({"convert", tiny, "--out", out});
        QCOMPARE(result.status, 0);
        QVERIFY(contains(result.err, {"model.safetensors"}));
        QCOMPARE(run(QStringList{"trace", out, "--out", npz_} + input).status, 0);
        QCOMPARE(files::floatsOf(array(npz_, "cross/weights")), wanted);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, TraceTest)
#include "trace_test.moc"
