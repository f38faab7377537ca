#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/traces/model_or_trace.h"
#include "app/traces/read_trace.h"
#include "app/traces/trace_arrays.h"
#include "model/files/npy.h"
#include "model/files/zip_writer.h"
#include "model/trace/refusal.h"
#include "tests/model/engine/engines.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include <fstream>

using namespace headscope;
namespace fs = std::filesystem;

/// Traces as archives of NumPy arrays. What is read of both formats is in read_trace_test.cpp.
class TraceFileTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    fs::path base_{folder_.path().toStdString()};

    /// Runs lines of Python with NumPy; `w` is [2 layers, 1 head, 3, 2].
    void python(const std::string& lines) {
        std::ofstream(base_ / "program.py")
            << "import numpy as np\nw = np.arange(12).reshape(2, 1, 3, 2) / 12\n" + lines;
        QProcess python;
        python.setWorkingDirectory(folder_.path());
        python.start("/usr/bin/python3", {"program.py"});
        QVERIFY(python.waitForFinished());
        QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
    }

  private Q_SLOTS:
    void anArchiveIsReadAsTheSameRun() {
        const auto engine = app::loadEngine({.familyFolders = app::familyFolders()});
        engine->open({.path = engines::tiny}, {});
        const auto run = engine->of({.source = trace::SourceIds{{5, 6, 3}}, .paths = {{.newTokens = 6}}},
                                    trace::RunWhat());
        app::saveTrace(*run, {}, base_ / "run.npz");
        app::saveTrace(*run, {}, base_ / "run.safetensors");
        QVERIFY(app::isTrace(base_ / "run.npz"));
        const auto one = app::readTrace(base_ / "run.npz").run,
                   other = app::readTrace(base_ / "run.safetensors").run;
        for (const auto records : {&trace::Run::encoder, &trace::Run::decoder, &trace::Run::cross})
            for (std::size_t layer = 0; layer < ((*one).*records).size(); ++layer) {
                QVERIFY(((*one).*records)[layer].weights == ((*other).*records)[layer].weights);
                QVERIFY(((*one).*records)[layer].scores == ((*other).*records)[layer].scores);
                QVERIFY(((*one).*records)[layer].mask == ((*other).*records)[layer].mask);
            }
        QCOMPARE(one->cross.size(), other->cross.size());
        QVERIFY(one->source == other->source && one->next == other->next);
        QCOMPARE(one->model->name, other->model->name);
        QVERIFY(one->selfCheck.state() == other->selfCheck.state());
    }

    void arraysOfAnyProgramAreReadWithTheirTokens() {
        python("np.savez('plain.npz', **{'cross/weights': w, 'source': ['x', '\\u20ac\\U0001f600'], "
               "'target': np.array(['<s>', 'ab', ''])})\n"
               "np.savez_compressed('words.npz', **{'cross/weights': w.astype('<f2'), 'tokens.json': "
               "'{\"source\": [\"x\", \"y\"], \"target\": [\"a\", \"b\", \"c\"]}'})\n");
        const auto run = app::readTrace(base_ / "plain.npz").run;
        QCOMPARE(run->cross.size(), std::size_t(2));
        QCOMPARE(run->cross[1].weights(0, 2, 1), 11.0F / 12);
        QCOMPARE(run->source[1].piece, std::string("\u20ac\U0001f600"));
        QCOMPARE(run->target[1].piece, std::string("ab"));
        QCOMPARE(run->target[2].piece, std::string());
        QCOMPARE(app::readTrace(base_ / "words.npz").run->target[2].piece, std::string("c"));
    }

    void whatIsMissingIsNamed() {
        python(
            "np.savez('bare.npz', **{'cross/weights': w})\n"
            "np.savez('short.npz', **{'cross/weights': w, 'source': ['x'], 'target': ['a', 'b', 'c']})\n"
            "np.savez('numbers.npz', **{'cross/weights': w, 'source': [1, 2], 'target': ['a', 'b', 'c']})\n"
            "np.savez('names.npz', **{'cross/weights': w, 'source': ['x', 'y'], 'target': list('abc'), "
            "'model': 'm'})\n"
            "np.savez('model.npz', **{'encoder_W': w})\n");
        const auto refusal = [&](const char* name) {
            return foreign_files::refusalOf([&] { app::readTrace(base_ / name); });
        };
        QVERIFY(foreign_files::contains(refusal("bare.npz"), {"\"source\"", "Found: none"}));
        QVERIFY(foreign_files::contains(refusal("short.npz"),
                                        {"cross/weights", "[2, 1, 3, 2]", "any, any, 3, 1"}));
        QVERIFY(foreign_files::contains(refusal("numbers.npz"), {"source.npy", "numbers", "dtype=str"}));
        QVERIFY(foreign_files::contains(refusal("names.npz"), {"model.npy", "strings"}));
        QVERIFY(app::isTrace(base_ / "bare.npz") && !app::isTrace(base_ / "model.npz"));
        std::ofstream(base_ / "cut.npz") << "PK\3\4";
        QVERIFY(!app::isTrace(base_ / "cut.npz"));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, TraceFileTest)
#include "trace_file_test.moc"
