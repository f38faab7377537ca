#include "tests/app/cli/cli_process.h"
#include "tests/registered_test.h"

#include <QDir>
#include <QImage>

using namespace cli_process;

/// A trace is shown step by step as its model was.
class RenderTraceAnimationTest : public QObject {
    Q_OBJECT

    const QString sentence_ = "I see.";
    QTemporaryDir folder_;
    QString file(const QString& name) const { return folder_.filePath(name); }

    Result framesOf(const QStringList& what, const QString& to, const QStringList& view) const {
        return run(QStringList{"render"} + what +
                   QStringList{"--animate", "--dpi", "48", "--out-dir", file(to)} + view);
    }

  private Q_SLOTS:
    void itsFramesAreThoseOfTheModel_data() {
        QTest::addColumn<QStringList>("view");
        // Of others a trace says less in words.
        QTest::newRow("overview") << QStringList{"--view", "overview"};
        QTest::newRow("lines") << QStringList{"--view", "lines", "--head", "decoder.1.2"};
        QTest::newRow("masks") << QStringList{"--view", "masks", "--head", "cross.1.2"};
    }
    void itsFramesAreThoseOfTheModel() {
        QFETCH(const QStringList, view);
        const QString trace = file("trace.safetensors");
        if (!QFile::exists(trace)) {
            const Result recorded = run({"trace", trained, "--source", sentence_, "--out", trace});
            QVERIFY2(recorded.status == 0, recorded.err);
        }
        const QString of = QTest::currentDataTag();
        const Result ofModel = framesOf({trained, "--source", sentence_}, of + "-model", view);
        QVERIFY2(ofModel.status == 0, ofModel.err);
        const Result ofTrace = framesOf({trace}, of + "-trace", view);
        QVERIFY2(ofTrace.status == 0, ofTrace.err);
        const auto frames = QDir(file(of + "-trace")).entryList(QDir::Files, QDir::Name);
        QVERIFY(frames.size() > 2);
        QCOMPARE(frames, QDir(file(of + "-model")).entryList(QDir::Files, QDir::Name));
        for (const QString& frame : frames)
            QCOMPARE(QImage(file(of + "-trace/" + frame)), QImage(file(of + "-model/" + frame)));
    }

    /// Its rows are not what was there when they were decoded.
    void oneThatSawWhatCameLaterHasNoSteps() {
        const QString trace = file("unmasked.safetensors");
        const Result recorded = run({"trace", trained, "--source", sentence_, "--no-mask", "--out", trace});
        QVERIFY2(recorded.status == 0, recorded.err);
        const Result refused = framesOf({trace}, "unmasked", {"--view", "overview"});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.contains("masks that hide what comes later"), refused.err);
        QVERIFY(!QDir(file("unmasked")).exists());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RenderTraceAnimationTest)
#include "render_trace_animation_test.moc"
