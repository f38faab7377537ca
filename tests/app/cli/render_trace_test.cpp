#include "app/choices/picture_options.h"
#include "tests/app/cli/cli_process.h"
#include "tests/registered_test.h"
#include "widgets/view_spec.h"

#include <QImage>
#include <QJsonArray>

using namespace cli_process;
using namespace headscope;

/// What a trace is asked for and does not hold, and what `info` says that it does.
class RenderTraceTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

  private Q_SLOTS:
    /// A view that is named shows something, and of what it does not name there is nothing to see.
    void infoNamesTheViewsOfATrace_data() {
        QTest::addColumn<QStringList>("recorded");
        QTest::newRow("plain") << QStringList{};
        QTest::newRow("whole") << QStringList{"--qkv",         "--residual",   "--quantities",
                                              "--attribution", "--importance", "--score-terms"};
        QTest::newRow("beside") << QStringList{"--beam", "2", "--disable-head", "cross.0.0",  "--undisturbed",
                                               "--twin", "3", "--qkv",          "--residual", "--hidden"};
        QTest::newRow("forced") << QStringList{"--target-ids", "2,8,9", "--lens"};
    }

    void infoNamesTheViewsOfATrace() {
        QFETCH(QStringList, recorded);
        const QString trace = folder_.filePath("named.safetensors"), out = folder_.filePath("named.png");
        const Result traced =
            run(QStringList{"trace", tiny, "--source-ids", "5,6,3", "--out", trace} + recorded);
        QVERIFY2(traced.status == 0, traced.err);
        const auto named = json(run({"info", trace, "--json"}).out)["trace"].toObject()["views"].toArray();
        for (const auto& view : widgets::viewSpecs()) {
            QStringList words{"render", trace, "--view", view.key, "--dpi", "48", "--out", out};
            if (view.key == QString("compare"))
                words += {"--choose", "with=step", "--choose", "step=1"};
            const Result drawn = run(words);
            QVERIFY2(named.contains(QString(view.key)) == (drawn.status == 0),
                     view.key + QByteArray(": ") + drawn.err);
        }
    }

    void infoSaysWhatWasRecorded() {
        const QString trace = folder_.filePath("said.safetensors");
        const QStringList command{"trace",     trained, "--source", "I see.", "--disable-head",
                                  "cross.1.2", "--qkv", "--out",    trace};
        QCOMPARE(run(command).status, 0);
        const auto info = json(run({"info", trace, "--json"}).out);
        const auto said = info["trace"].toObject();
        QCOMPARE(info["encoder_heads"].toInt(), 8);
        QCOMPARE(said["source"].toString(), QString("I see."));
        QVERIFY(said["output"].isString() && said["source_tokens"].toInt() > 2);
        QCOMPARE(said["changes"].toArray(), QJsonArray{"--disable-head=cross.1.2"});
        QVERIFY(said["arrays"].toArray().contains("cross/q"));
        const Result words = run({"info", trace});
        QVERIFY(contains(words.out, {"trace  ", "I see.", "--disable-head=cross.1.2", "cross/q", "heatmap"}));
        QVERIFY(!json(run({"info", trained, "--json"}).out).contains("trace"));
    }

    /// With which the corpus has nothing to do.
    void whatReadsOtherSentencesWantsAModel() {
        const QString trace = folder_.filePath("one.safetensors");
        QCOMPARE(run({"trace", tiny, "--source-ids", "5,6,3", "--out", trace}).status, 0);
        for (const char* command : {"heads", "evaluate"}) {
            const Result refused = run({command, trace, "--corpus", folder_.filePath("none.tsv")});
            QVERIFY2(refused.status == 1 && isWholeRefusal(refused.err) &&
                         contains(refused.err, {"A trace holds one run", "What to do: name the model"}),
                     refused.err);
        }
    }

    /// And not drawn without it: also where the view itself has something to show.
    void whatWasChosenAndIsNotHeldByATraceIsRefused() {
        const QString trace = folder_.filePath("chosen.safetensors"), out = folder_.filePath("chosen.png");
        const Result traced = run({"trace", tiny, "--source-ids", "5,6,3", "--attribution", "--out", trace});
        QVERIFY2(traced.status == 0, traced.err);
        const auto refused = [&](const QString& view, const QString& choice) {
            const Result result = run({"render", trace, "--view", view, "--choose", choice, "--out", out});
            [&] { QCOMPARE(result.status, 1); }();
            [&] { QVERIFY(!QFile::exists(out)); }();
            return result.err;
        };
        const char* const twins =
            "What to do: record it with that: headscope-cli trace --twin 1; or open the "
            "model that it was recorded from";
        const char* const models = "What to do: open the model that it was recorded from";
        const std::tuple<const char*, const char*, const char*> ofTwin[] = {
            {"head-table", "twin=true", twins},
            {"head-page", "twin=true", twins},
            {"logit-lens", "of=twin", models},
            {"attribution", "of=twin", models}};
        for (const auto& [view, choice, wayOut] : ofTwin) {
            const QByteArray option = QByteArray("--choose ") + choice;
            QVERIFY(contains(refused(view, choice),
                             {"This trace does not hold what was chosen", ("Where: " + option).constData(),
                              wayOut, ("or leave " + option + " out").constData()}));
        }
        QVERIFY(contains(refused("head-table", "importance=true"),
                         {"what was chosen", "Where: --choose importance=true",
                          "What to do: record it with that: headscope-cli trace --importance"}));
        const Result plain =
            run({"render", trace, "--view", "contact-sheet", "--choose", "tinted=false", "--out", out});
        QVERIFY2(plain.status == 0, plain.err); // which asks for nothing that it lacks
        QVERIFY(QFile::remove(out));
        const Result losses =
            run({"render", trace, "--view", "heatmap", "--head", "cross.0.0", "--losses", "--out", out});
        QVERIFY2(losses.status == 1 && contains(losses.err, {"not hold what was chosen", "Where: --losses"}),
                 losses.err);
        QVERIFY(contains(refused("branches", "branches=[\"2,8,9\"]"),
                         {"no model that could run something else", "What to do: open the model"}));
    }

    /// What is said as it was recorded is no other.
    void anotherRunThanATraceHoldsIsRefused() {
        const QString trace = folder_.filePath("one-run.safetensors"), out = folder_.filePath("one-run.png");
        QCOMPARE(run({"trace", tiny, "--source-ids", "5,6,3", "--beam", "2", "--out", trace}).status, 0);
        const auto drawn = [&](const QStringList& options) {
            return run(QStringList{"render", trace, "--view", "heatmap", "--out", out} + options);
        };
        for (const QStringList& other :
             {QStringList{"--beam", "3"}, QStringList{"--max-length", "3"}, QStringList{"--pad-source", "2"},
              QStringList{"--random-twin", "5"}, QStringList{"--no-mask"},
              QStringList{"--source-ids", "5,6,3", "--target-ids", "2,8"}}) {
            const Result refused = drawn(other);
            QVERIFY2(refused.status == 1 && refused.err.contains("no model that could run something else"),
                     qPrintable(other.join(' ') + ": " + refused.err));
        }
        for (const QStringList& same : {QStringList{"--beam", "2"}, QStringList{"--source-ids", "5,6,3"}}) {
            const Result result = drawn(same);
            QVERIFY2(result.status == 0, result.err);
        }
    }

    void aTraceForNumPyIsDrawnLikeAnyOther() {
        const QString picture = folder_.filePath("numpy.png");
        QList<QImage> drawn;
        for (const char* name : {"arrays.npz", "arrays.safetensors"}) {
            const QString trace = folder_.filePath(name);
            QCOMPARE(run({"trace", tiny, "--source-ids", "5,6,3", "--out", trace}).status, 0);
            QCOMPARE(run({"info", trace}).status, 0);
            QCOMPARE(
                run({"render", trace, "--view", "heatmap", "--without", "notes", "--out", picture}).status,
                0);
            drawn += QImage(picture);
        }
        QVERIFY(!drawn[0].isNull());
        QCOMPARE(drawn[0], drawn[1]);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RenderTraceTest)
#include "render_trace_test.moc"
