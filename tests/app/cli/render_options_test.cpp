#include "tests/app/cli/cli_process.h"
#include "tests/registered_test.h"

using namespace cli_process;

/// What `render` says to its options, beside the pictures that it draws.
class RenderOptionsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString file(const QString& name) const { return folder_.filePath(name); }

    Result render(const QStringList& more, const QString& out) {
        return run(QStringList{"render", trained, "--source", "I see.", "--out", out} + more);
    }

  private Q_SLOTS:
    /// Of all files of a picture at once, and not where letters are as large as in the window's dialog.
    void lettersThatAreTooSmallAreSaid() {
        const QStringList diagram{"--width", "321", "--view", "architecture"};
        const Result small = render(diagram + QStringList{"--out", file("small.svg")}, file("small.png"));
        QCOMPARE(small.status, 0);
        QCOMPARE(small.err.count("so that nothing is cut off: text of "), 1);
        QVERIFY2(contains(small.err, {"small.png: Drawn at ", " % of its size"}), small.err);
        for (const QStringList& readable :
             {QStringList{"--view", "heatmap", "--width", "321"},
              QStringList{"--view", "arithmetic", "--cell", "1,1", "--width", "321"}}) {
            const Result result = render(readable, file("readable.png"));
            QVERIFY2(result.status == 0 && !result.err.contains("text of"), result.err);
        }
        const Result animation = render(
            {"--view", "compare", "--beside", "You see.", "--width", "200", "--dpi", "24", "--animate"},
            file("film.png"));
        QVERIFY2(animation.status == 0 && animation.err.count("text of ") == 1, animation.err);
    }

    /// What is asked for before anything is opened; what follows from it with the smallest that there is.
    void aPictureOfWhichNothingCanBeReadIsRefused() {
        for (const char* side : {"--width", "--height"})
            for (const char* length : {"-1", "0", "2", "23", "1000001"}) {
                const Result result = run({"render", "no-such-model", "--source", "I", "--view", "heatmap",
                                           side, length, "--out", file("tiny.png")});
                QCOMPARE(result.status, 2);
                QVERIFY2(contains(result.err, {side, "expected 24 to 1000000, found \"", length}),
                         result.err);
            }
        for (const QStringList& animation : {QStringList(), QStringList{"--animate"}}) {
            const Result result =
                render(QStringList{"--view", "heatmap", "--height", "24", "--width", "24"} + animation,
                       file("least.png"));
            QVERIFY2(result.status == 0, result.err);
        }
        const Result coarse = render({"--view", "heatmap", "--dpi", "1"}, file("coarse.png"));
        QCOMPARE(coarse.status, 1);
        QVERIFY2(contains(coarse.err, {"coarse.png", "unreadable", "dots per inch is the smallest"}),
                 coarse.err);
        const Result follows = render({"--view", "logit-lens", "--width", "24"}, file("narrow.png"));
        QCOMPARE(follows.status, 1);
        QVERIFY2(contains(follows.err, {"narrow.png", "is the smallest size of this shape"}), follows.err);
    }

    void lettersThatMakeAPictureTooLargeAreSaidToBeTheReason() {
        const QStringList map{"--view", "heatmap", "--font-size"};
        for (const QStringList& large : {QStringList{"200"}, QStringList{"200", "--height", "400"}}) {
            const Result result = render(map + large, file("large.png"));
            QCOMPARE(result.status, 1);
            QVERIFY2(contains(result.err, {"of this shape", "What to do: give a smaller --font-size"}),
                     result.err);
        }
        for (const QStringList& other : {QStringList{"6", "--dpi", "20000"},
                                         QStringList{"200", "--width", "30000", "--height", "30000"}}) {
            const Result result = render(map + other, file("large.png"));
            QCOMPARE(result.status, 1);
            QVERIFY2(!result.err.contains("--font-size"), result.err);
        }
    }

    void anOptionThatTheViewDoesNotUseIsRefusedWithTheViewsThatDo_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("views");
        const auto add = [](const QStringList& options, const char* views) {
            QTest::newRow(qPrintable(options.join(' '))) << options << QByteArray(views);
        };
        add({"masks", "--pin", "cross.0.1"}, "overview, heatmap, contact-sheet;");
        add({"architecture", "--quantity", "scores"}, "heatmap, compare, arithmetic, random-twin;");
        add({"heatmap", "--dimensions", "1,2"}, "positions;");
        add({"overview", "--words"}, "heatmap, lines, arithmetic, random-twin;");
        add({"arithmetic", "--numbers"}, "heatmap, random-twin;");
        add({"lines", "--beside", "You see."}, "compare, inputs;");
        add({"heatmap", "--lines-of", "all"}, "lines;");
        add({"branches", "--head", "cross.0.0"}, "overview, heatmap, masks, positions, lines, ");
        add({"heatmap", "--page", "why"},
            "classifier, masks, positions, architecture, scale, experts, compare, arithmetic;");
        add({"lines", "--choose", "tint=entropy"}, "classifier, overview, positions, ");
        add({"heatmap", "--choose", "zoom=[0,0,6,4]"}, "classifier, overview, positions, ");
        add({"what-if", "--disable-head", "cross.0.0", "--step", "1"},
            "random-twin, head-scatter, head-table, ");
    }

    void anOptionThatTheViewDoesNotUseIsRefusedWithTheViewsThatDo() {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, views);
        const Result result =
            run(QStringList{"render", "no-such-model", "--source", "I", "--out", file("x.png"), "--view"} +
                options);
        QCOMPARE(result.status, 2);
        QVERIFY2(contains(result.err, {"a view that uses it", views.constData()}), result.err);
        QVERIFY2(result.err.contains("found " + options.front().toUtf8()), result.err);
    }

    /// But for SVG and PDF, whose copied commands say the dots that were chosen for a PNG.
    void whatOnlyPicturesHaveIsRefusedOfNumbers() {
        const auto render = [&](const QStringList& more) {
            return run(QStringList{"render", "no-such-model", "--view", "heatmap"} + more);
        };
        const QStringList sentence{"--source", "I", "--out"};
        for (const QStringList& option :
             {QStringList{"--caption"}, QStringList{"--without", "notes"}, QStringList{"--dpi", "300"},
              QStringList{"--enlarge", "--width", "900"}}) {
            for (const QStringList& numbers :
                 {sentence + QStringList{"x.csv"}, sentence + QStringList{"x.npz", "--out", "x.JSON"},
                  QStringList{"--input", "-", "--out-dir", "x", "--format", "csv"}}) {
                const Result refused = render(numbers + option);
                QCOMPARE(refused.status, 2);
                QVERIFY2(contains(refused.err, {option.front().toUtf8(), "expected a picture"}), refused.err);
            }
            for (const QStringList& picture :
                 {sentence + QStringList{"x.svg"}, sentence + QStringList{"x.csv", "--out", "x.png"}})
                QCOMPARE(render(picture + option).status, 1); // for the model
        }
        const Result toNothing = render(sentence + QStringList{"x.png", "--enlarge"});
        QVERIFY(toNothing.status == 2 && contains(toNothing.err, {"--enlarge", "--width, --height or both"}));
    }

    void partsThatNoPictureHasAreRefused() {
        for (const QString parts : {"legend", "caption,", "caption;notes", ",notes"}) {
            const Result refused = run(QStringList{"render", "no-such-model", "--view", "heatmap", "--source",
                                                   "I", "--out", "x.png", "--without=" + parts});
            QCOMPARE(refused.status, 2);
            QVERIFY2(contains(refused.err, {"--without", "caption, notes, marks"}), refused.err);
        }
    }

    void aTrainingIsDrawnOfNothingThatIsRun() {
        for (const QStringList& options :
             {QStringList{"--cell", "1,1"}, QStringList{"--beam", "4"}, QStringList{"--no-mask"},
              QStringList{"--heads", "8"}, QStringList{"--input", "-", "--out-dir", "x"}}) {
            const Result result =
                run(QStringList{"render", "toy-copy", "--view", "training-curves", "--out", file("x.png")} +
                    options);
            QCOMPARE(result.status, 2);
            QVERIFY2(result.err.contains(options.front().toUtf8()), result.err);
        }
    }

    /// Each as it is there: what follows may fail.
    void filesAreNamedInTheOrderInWhichTheyAreWritten() {
        const Result result =
            render({"--view", "heatmap", "--out", file("second.csv"), "--out", file("third.svg")},
                   file("first.png"));
        QVERIFY2(result.status == 0, result.err);
        const auto first = result.err.indexOf("first.png"), second = result.err.indexOf("second.csv");
        QVERIFY2(first >= 0 && first < second && second < result.err.indexOf("third.svg"), result.err);
        QCOMPARE(result.err.count("first.png"), 1);
    }

    void aListWithoutASentenceIsRefused() {
        for (const QString& list : {QString("-"), file("empty.txt")})
            for (const char* lines : {"", "\n \n"}) {
                if (list != "-")
                    writeFile(list, lines);
                const Result result =
                    run({"render", trained, "--view", "heatmap", "--input", list, "--out-dir", file("none")},
                        lines);
                QCOMPARE(result.status, 1);
                QVERIFY(isWholeRefusal(result.err.mid(result.err.indexOf("There is no sentence"))));
                QVERIFY2(result.err.contains(list == "-" ? "standard input" : "empty.txt"), result.err);
                QVERIFY(!QFileInfo::exists(file("none")));
            }
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RenderOptionsTest)
#include "render_options_test.moc"
