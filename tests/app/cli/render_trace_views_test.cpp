#include "tests/app/cli/cli_process.h"
#include "tests/registered_test.h"

#include <QImage>
#include <QJsonArray>

using namespace cli_process;

const QString masked = HEADSCOPE_SOURCE "/tests/reference/hugging-face/bert-tiny-masked";
const QString mixture = HEADSCOPE_SOURCE "/tests/reference/hugging-face/qwen2-moe-tiny";

/// What only a model computes and a trace keeps is drawn of the trace as it is of the model.
class RenderTraceViewsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString file(const QString& name) const { return folder_.filePath(name); }

    static QImage picture(const QStringList& what, const QStringList& view, const QString& out) {
        const Result drawn =
            run(QStringList{"render"} + what + view + QStringList{"--dpi", "48", "--out", out});
        [&] { QVERIFY2(drawn.status == 0, drawn.err); }();
        return QImage(out);
    }

  private Q_SLOTS:
    void aTraceDrawsWhatItsModelDoes_data() {
        QTest::addColumn<QStringList>("how");
        QTest::addColumn<QStringList>("recorded");
        QTest::addColumn<QList<QStringList>>("views");
        const QStringList sentence{trained, "--source", "I see."};
        QTest::newRow("search") << sentence + QStringList{"--beam", "3"} << QStringList{}
                                << QList<QStringList>{{"--view", "beam-tree"}, {"--view", "branches"}};
        QTest::newRow("changes") << sentence +
                                        QStringList{"--disable-head", "cross.1.2", "--score-scale", "0.02"}
                                 << QStringList{"--undisturbed", "--qkv", "--residual", "--hidden"}
                                 << QList<QStringList>{{"--view", "what-if"},
                                                       {"--view", "compare", "--choose", "with=unchanged"},
                                                       {"--view", "compare", "--page", "output", "--choose",
                                                        "with=unchanged"}};
        QTest::newRow("changes, compared")
            << sentence + QStringList{"--disable-head", "cross.1.2", "--rather-than", "#70"}
            << QStringList{"--undisturbed"} << QList<QStringList>{{"--view", "what-if"}};
        QTest::newRow("twin") << sentence << QStringList{"--twin", "7"}
                              << QList<QStringList>{{"--view", "random-twin", "--choose", "twin-seed=7"},
                                                    {"--view", "head-table", "--choose", "twin=true",
                                                     "--choose", "twin-seed=7"}};
        QTest::newRow("removal curve, compared")
            << sentence + QStringList{"--rather-than", "#70"} << QStringList{"--curve"}
            << QList<QStringList>{
                   {"--view", "importance", "--step", "1", "--choose", "curve=true"},
                   {"--view", "importance", "--step", "1", "--choose", "card=true"},
                   {"--view", "importance", "--choose", "of=sentence", "--choose", "curve=true"}};
        QTest::newRow("explained") << sentence + QStringList{"--rather-than", "#70"}
                                   << QStringList{"--knock-out", "--quantities", "--attribution"}
                                   << QList<QStringList>{
                                          {"--view", "why", "--step", "1"},
                                          {"--view", "source-words", "--step", "1"},
                                          {"--view", "logit-lens", "--step", "1", "--choose", "card=true"},
                                          {"--view", "attribution", "--step", "1", "--choose", "card=true"}};
        QTest::newRow("classifier, changed")
            << QStringList{"imdb-classifier", "--source", "A gripping film.", "--disable-head", "encoder.0.1"}
            << QStringList{"--undisturbed", "--importance"}
            << QList<QStringList>{{"--view", "what-if"}, {"--view", "importance"}};
        QTest::newRow("masked") << QStringList{masked, "--source", "the [MASK] sat on the [MASK]",
                                               "--disable-head", "encoder.0.1"}
                                << QStringList{"--importance", "--undisturbed", "--attribution"}
                                << QList<QStringList>{{"--view", "importance", "--choose", "of=sentence"},
                                                      {"--view", "logit-lens"},
                                                      {"--view", "attribution", "--step", "1"},
                                                      {"--view", "candidates"},
                                                      {"--view", "what-if"}};
        QTest::newRow("masked, compared")
            << QStringList{masked,        "--source",      "the [MASK] sat", "--disable-head",
                           "encoder.0.1", "--rather-than", "##ing"}
            << QStringList{"--undisturbed"} << QList<QStringList>{{"--view", "what-if"}};
        QTest::newRow("experts") << QStringList{mixture, "--source-ids", "5,6,3,7"}
                                 << QStringList{"--experts"}
                                 << QList<QStringList>{
                                        {"--view", "experts"},
                                        {"--view", "experts", "--page", "layers", "--step", "2"},
                                        {"--view", "experts", "--page", "load"}};
        QTest::newRow("classifier") << QStringList{"imdb-classifier", "--source", "A gripping film."}
                                    << QStringList{"--reading", "--attribution"}
                                    << QList<QStringList>{{"--view", "classifier"},
                                                          {"--view", "logit-lens"},
                                                          {"--view", "logit-lens", "--choose", "card=true",
                                                           "--choose", "unnamed=nothing"},
                                                          {"--view", "attribution"},
                                                          {"--view", "classifier", "--page", "words"}};
    }
    void aTraceDrawsWhatItsModelDoes() {
        QFETCH(const QStringList, how);
        QFETCH(const QStringList, recorded);
        QFETCH(const QList<QStringList>, views);
        const QString trace = file("trace.safetensors");
        const Result written = run(QStringList{"trace"} + how + recorded + QStringList{"--out", trace});
        QVERIFY2(written.status == 0, written.err);
        for (const QStringList& view : views) {
            const QImage ofModel = picture(how, view, file("model.png"));
            QVERIFY(!ofModel.isNull());
            QVERIFY2(picture({trace}, view, file("trace.png")) == ofModel, qPrintable(view.join(' ')));
            const auto named =
                json(run({"info", trace, "--json"}).out)["trace"].toObject()["views"].toArray();
            QVERIFY2(named.contains(view[1]), qPrintable(view[1]));
        }
    }

    void changesAreComparedWithTheRecordedTokenOnly() {
        const QString trace = file("compared.safetensors"), out = file("compared.csv");
        QCOMPARE(run({"trace", trained, "--source", "I see.", "--disable-head", "cross.1.2", "--undisturbed",
                      "--rather-than", "#70", "--out", trace})
                     .status,
                 0);
        const auto render = [&](const char* token) {
            return run({"render", trace, "--view", "what-if", "--rather-than", token, "--out", out});
        };
        QCOMPARE(render("#70").status, 0);
        QVERIFY2(contains(contentOf(out), {"compared_with"}), contentOf(out));
        const Result other = render("#71");
        QVERIFY2(other.status == 1 && contains(other.err, {"no changes compared with \"#71\"",
                                                           "--undisturbed --rather-than='#71'"}),
                 other.err);
    }

    /// Those in one head alone, which a model adds, are not kept.
    void knockOutLossesOfATraceAreThoseOfItsModel() {
        const QStringList sentence{trained, "--source", "I see.", "--rather-than", "#70"};
        const QString trace = file("knock-out.safetensors"), without = file("without.safetensors");
        QCOMPARE(run(QStringList{"trace"} + sentence + QStringList{"--knock-out", "--out", trace}).status, 0);
        QCOMPARE(run(QStringList{"trace"} + sentence + QStringList{"--out", without}).status, 0);
        const auto losses = [&](const QStringList& what) {
            const Result drawn = run(QStringList{"render"} + what +
                                     QStringList{"--view", "heatmap", "--head", "cross.1.2", "--step", "1",
                                                 "--losses", "--out", file("losses.json")});
            [&] { QVERIFY2(drawn.status == 0, drawn.err); }();
            for (const auto& array : json(contentOf(file("losses.json")))["arrays"].toArray())
                if (array.toObject()["name"].toString().contains("loss_everywhere"))
                    return array.toObject()["values"].toArray();
            return QJsonArray();
        };
        QVERIFY(!losses(sentence).isEmpty());
        QCOMPARE(losses({trace}), losses(sentence));
        const Result refused = run({"render", without, "--view", "heatmap", "--head", "cross.1.2", "--losses",
                                    "--out", file("no.png")});
        QVERIFY2(refused.status == 1 &&
                     contains(refused.err, {"headscope-cli trace --knock-out --rather-than='#70'"}),
                 refused.err);
    }

    void aCurveThatATraceLacksSaysHowItIsRecorded() {
        const QString trace = file("no-curve.safetensors");
        QCOMPARE(run({"trace", tiny, "--source-ids", "5,6,3", "--importance", "--out", trace}).status, 0);
        const QStringList view{"render", trace, "--view", "importance", "--out", file("curve.png")};
        QCOMPARE(run(view).status, 0);
        const Result refused = run(view + QStringList{"--choose", "curve=true"});
        QVERIFY2(refused.status == 1 && contains(refused.err, {"headscope-cli trace --curve"}), refused.err);
        const Result mean = run(view + QStringList{"--choose", "ablation=mean"});
        QVERIFY2(mean.status == 1 && contains(mean.err, {"--importance --ablation=mean"}), mean.err);
    }

    /// Also of a step that was decoded before the others.
    void aSearchIsFilmedOfATraceToo() {
        const QString trace = file("film.safetensors"), frames = file("frames");
        QCOMPARE(run({"trace", tiny, "--source-ids", "5,6,3", "--beam", "2", "--out", trace}).status, 0);
        const Result animation =
            run({"render", trace, "--view", "beam-tree", "--animate", "--dpi", "48", "--out-dir", frames});
        QVERIFY2(animation.status == 0, animation.err);
        const Result ofModel =
            run({"render", tiny, "--source-ids", "5,6,3", "--beam", "2", "--view", "beam-tree", "--animate",
                 "--dpi", "48", "--out-dir", file("model-frames")});
        QVERIFY2(ofModel.status == 0, ofModel.err);
        for (const char* frame : {"/0001.png", "/0003.png"})
            QCOMPARE(QImage(frames + frame), QImage(file("model-frames") + frame));
    }

    /// The seed need not be said again, and another one is not there.
    void theTwinIsTheRecordedOne() {
        const QString trace = file("twin.safetensors");
        QCOMPARE(run({"trace", tiny, "--source-ids", "5,6,3", "--twin", "9", "--out", trace}).status, 0);
        const QStringList view{"--view", "random-twin"};
        QCOMPARE(picture({trace}, view, file("unsaid.png")),
                 picture({trace}, view + QStringList{"--choose", "twin-seed=9"}, file("said.png")));
        const Result other = run(QStringList{"render", trace} + view +
                                 QStringList{"--choose", "twin-seed=4", "--out", file("other.png")});
        QVERIFY2(other.status == 1 &&
                     contains(other.err, {"of seed 9 alone", "headscope-cli trace --twin 4"}),
                 other.err);
        const auto said = json(run({"info", trace, "--json"}).out)["trace"].toObject();
        QCOMPARE(said["twin"].toInt(), 9);
        QCOMPARE(said["undisturbed"].toBool(), false);
        QVERIFY(contains(run({"info", trace}).out, {"the random twin of seed 9", "random-twin"}));
    }

    /// What flowed through the model is said of each block of the architecture.
    void aTraceSaysWhatFlowedThroughItsModel() {
        const auto blocks = [&](const QStringList& what) {
            const QString out = file("blocks.json");
            const Result written =
                run(QStringList{"render"} + what + QStringList{"--view", "architecture", "--out", out});
            [&] { QVERIFY2(written.status == 0, written.err); }();
            const auto saved = json(contentOf(out));
            return std::pair(saved["tables"].toArray(), saved["arrays"].toArray());
        };
        const QString trace = file("flow.safetensors");
        QCOMPARE(run({"trace", trained, "--source", "I see.", "--flow", "--out", trace}).status, 0);
        const auto ofModel = blocks({trained, "--source", "I see."}), ofTrace = blocks({trace});
        QVERIFY(!ofModel.first.isEmpty());
        QCOMPARE(ofTrace, ofModel);
    }

    void whatATraceCannotKeepIsSaidWhenItIsWritten() {
        const Result said = run({"trace", tiny, "--source-ids", "5,6,3", "--undisturbed", "--reading",
                                 "--quantities", "--out", file("said.safetensors")});
        QCOMPARE(said.status, 0);
        QVERIFY2(contains(said.err, {"--undisturbed: not kept: nothing is changed in the model",
                                     "--reading: not kept: "}) &&
                     !said.err.contains("--quantities"),
                 said.err);
        const Result twin = run({"trace", tiny, "--source-ids", "5,6,3", "--random-twin", "3", "--twin", "3",
                                 "--out", file("said.safetensors")});
        QVERIFY2(twin.status == 0 && contains(twin.err, {"--twin: not kept: "}), twin.err);
    }

    /// As a person would type it: what was forced and went on is none.
    void theBatchOfATraceThatCannotBeTypedIsDrawnOfTheModel() {
        const QString trace = file("forced.safetensors");
        QCOMPARE(
            run({"trace", tiny, "--source-ids", "5,6,3", "--target-ids", "2,8", "--continue", "--out", trace})
                .status,
            0);
        const Result refused = run({"render", trace, "--view", "inputs", "--out", file("no.png")});
        QVERIFY2(refused.status == 1 &&
                     contains(refused.err, {"What to do: draw it of the model that it was recorded from"}),
                 refused.err);
        QVERIFY(!json(run({"info", trace, "--json"}).out)["trace"].toObject()["views"].toArray().contains(
            "inputs"));
    }

    void whatIsNotBesideATraceSaysHowItIsRecorded() {
        const QString trace = file("alone.safetensors"), out = file("no.png");
        QCOMPARE(run({"trace", tiny, "--source-ids", "5,6,3", "--disable-head", "cross.0.0", "--out", trace})
                     .status,
                 0);
        const std::pair<const char*, const char*> lacking[] = {
            {"what-if", "headscope-cli trace --undisturbed"},
            {"random-twin", "headscope-cli trace --twin 1"}};
        for (const auto& [view, option] : lacking) {
            const Result refused = run({"render", trace, "--view", view, "--out", out});
            QVERIFY2(refused.status == 1 &&
                         contains(refused.err, {option, "the model that it was recorded from"}),
                     refused.err);
        }
        const QString classes = file("classes.safetensors");
        QCOMPARE(run({"trace", "imdb-classifier", "--source", "A good film.", "--out", classes}).status, 0);
        const Result refused = run({"render", classes, "--view", "classifier", "--out", out});
        QVERIFY2(refused.status == 1 && contains(refused.err, {"headscope-cli trace --reading"}),
                 refused.err);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RenderTraceViewsTest)
#include "render_trace_views_test.moc"
