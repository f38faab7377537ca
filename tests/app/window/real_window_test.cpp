#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "tests/registered_test.h"

#include <initializer_list>
#include <memory>

/// The program as a person meets it: on an X server with a window manager, by keyboard and mouse, on the
/// bundled model.
class RealWindowTest : public QObject {
    Q_OBJECT

    QTemporaryDir home_;
    QProcessEnvironment environment_ = QProcessEnvironment::systemEnvironment();
    std::vector<std::unique_ptr<QProcess>> processes_;

    QProcess& launch(const QString& program, const QStringList& arguments) {
        auto process = std::make_unique<QProcess>();
        process->setProcessEnvironment(environment_);
        process->start(program, arguments);
        processes_.push_back(std::move(process));
        return *processes_.back();
    }

    QString run(const QString& program, const QStringList& arguments) {
        QProcess process;
        process.setProcessEnvironment(environment_);
        process.start(program, arguments);
        process.waitForFinished();
        return QString::fromUtf8(process.readAllStandardOutput()).trimmed();
    }

    QString xdotool(const QStringList& arguments) { return run("xdotool", arguments); }

    QString window(const QString& title) { return xdotool({"search", "--onlyvisible", "--name", title}); }

    /// X chooses a free display and says which. False where it, or the window manager, does not answer.
    bool startDisplay() {
        QProcess& server = launch(
            "Xvfb", {"-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset"});
        QByteArray number;
        const auto isNumbered = [&] { return (number += server.readAllStandardOutput()).endsWith('\n'); };
        if (!server.waitForStarted() || !QTest::qWaitFor(isNumbered, 20000))
            return false;
        environment_.insert("DISPLAY", ":" + QString::fromLatin1(number.trimmed()));
        // A window that is mapped before its manager is there may never be exposed.
        const auto isManaged = [&] {
            return run("xprop", {"-root", "_NET_SUPPORTING_WM_CHECK"}).contains("window id");
        };
        return launch("openbox", {}).waitForStarted() && QTest::qWaitFor(isManaged, 20000);
    }

    /// Keys go to the window that has the focus: before it has, they would be lost.
    void focus(const QString& title) {
        xdotool({"windowactivate", "--sync", window(title)});
        xdotool({"windowfocus", "--sync", window(title)});
    }

    QByteArray savedPicture(const QString& path) {
        focus("tatoeba-en-de");
        xdotool({"key", "ctrl+e"});
        [&] { QTRY_VERIFY_WITH_TIMEOUT(!window("Export Picture").isEmpty(), 10000); }();
        focus("Export Picture");
        xdotool({"key", "--clearmodifiers", "ctrl+a"});
        xdotool({"type", "--delay", "5", path});
        xdotool({"key", "Return"});
        [&] { QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 10000); }();
        [&] { QTRY_VERIFY_WITH_TIMEOUT(window("Export Picture").isEmpty(), 10000); }();
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

  private Q_SLOTS:
    void initTestCase() {
        for (const char* program : {"Xvfb", "openbox", "xdotool", "xprop"})
            if (QStandardPaths::findExecutable(program).isEmpty())
                QSKIP("Xvfb, openbox, xdotool and xprop are needed for a real window");
        QVERIFY(home_.isValid());
        environment_.insert("HOME", home_.path());
        environment_.insert("XDG_CONFIG_HOME", home_.path() + "/config");
        environment_.insert("XDG_RUNTIME_DIR", home_.path());
        environment_.insert("QT_QPA_PLATFORM", "xcb");
        environment_.insert("QT_LOGGING_RULES", "headscope.timing.debug=true");
        // One that nobody answers on in time, on a machine under load, is tried once more.
        QVERIFY(startDisplay() || startDisplay());
    }

    void cleanupTestCase() {
        for (auto process = processes_.rbegin(); process != processes_.rend(); ++process) {
            (*process)->terminate();
            if (!(*process)->waitForFinished(5000))
                (*process)->kill();
        }
    }

    void aSentenceIsTypedDecodedSteppedThroughAndSaved() {
        QProcess& program = launch(HEADSCOPE_BUILD "/bin/headscope", {});
        QVERIFY(program.waitForStarted());
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += program.readAllStandardError()).contains("first heatmap"), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(!window("tatoeba-en-de").isEmpty(), 10000);
        focus("tatoeba-en-de");
        xdotool({"key", "ctrl+l"});
        xdotool({"type", "--delay", "5", "The children are playing in the garden."});
        xdotool({"key", "Return"});
        QTest::qWait(500);
        xdotool({"key", "Escape"}); // out of the field
        xdotool({"key", "Right"});
        const QByteArray svg = savedPicture(home_.path() + "/map.svg");
        const QString text = QString::fromUtf8(svg).remove(QRegularExpression("<[^>]*>"));
        for (const char* piece : {"children", "garden", "Kinder", "Garten"})
            QVERIFY2(text.contains(piece), piece);
        QVERIFY(savedPicture(home_.path() + "/map.png").startsWith("\x89PNG"));
        QVERIFY(savedPicture(home_.path() + "/map.pdf").startsWith("%PDF"));

        xdotool({"key", "ctrl+q"});
        QVERIFY(program.waitForFinished(10000));
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.exitCode(), 0);
    }

    void theWindowLinksNeitherLibTorchNorQt5() {
        QProcess ldd;
        ldd.start("ldd", {HEADSCOPE_BUILD "/bin/headscope"});
        QVERIFY(ldd.waitForFinished());
        const QString libraries = QString::fromUtf8(ldd.readAllStandardOutput());
        QVERIFY(libraries.contains("libQt6Widgets"));
        for (const char* foreign : {"torch", "libc10", "libQt5", "sentencepiece", "protobuf"})
            QVERIFY2(!libraries.contains(foreign), foreign);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RealWindowTest)
#include "real_window_test.moc"
