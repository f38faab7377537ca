#include "tests/app/cli/cli_process.h"

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
        const QStringList column{"--width", "321", "--view", "arithmetic", "--cell", "1,1"};
        const Result small = render(column + QStringList{"--out", file("small.svg")}, file("small.png"));
        QCOMPARE(small.status, 0);
        QCOMPARE(small.err.count("so that nothing is cut: letters of "), 1);
        QVERIFY2(contains(small.err, {"small.png: Drawn at ", " % of its size"}), small.err);
        for (const QStringList& readable :
             {QStringList{"--view", "heatmap", "--width", "321"}, QStringList{"--view", "arithmetic"}}) {
            const Result result = render(readable, file("readable.png"));
            QVERIFY2(result.status == 0 && !result.err.contains("letters of"), result.err);
        }
        const Result film = render({"--view", "compare", "--beside", "You see.", "--width", "200", "--dpi",
                                    "24", "--animate"},
                                   file("film.png"));
        QVERIFY2(film.status == 0 && film.err.count("letters of ") == 1, film.err);
    }

    /// What is asked for before anything is opened; what follows from it with the smallest that there is.
    void aPictureOfWhichNothingCanBeReadIsRefused() {
        for (const char* side : {"--width", "--height"}) {
            const Result result = run({"render", "no-such-model", "--source", "I", "--view", "heatmap", side,
                                       "2", "--out", file("tiny.png")});
            QCOMPARE(result.status, 2);
            QVERIFY2(contains(result.err, {side, "24 at least", "found 2"}), result.err);
        }
        for (const QStringList& film : {QStringList(), QStringList{"--animate"}}) {
            const Result result =
                render(QStringList{"--view", "heatmap", "--height", "24", "--width", "24"} + film,
                       file("least.png"));
            QVERIFY2(result.status == 0, result.err);
        }
        const Result follows = render({"--view", "heatmap", "--width", "24"}, file("narrow.png"));
        QCOMPARE(follows.status, 1);
        QVERIFY2(contains(follows.err, {"narrow.png", "is the smallest of this shape"}), follows.err);
    }
};

QTEST_GUILESS_MAIN(RenderOptionsTest)
#include "render_options_test.moc"
