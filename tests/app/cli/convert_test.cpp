#include "tests/app/cli/cli_process.h"

using namespace cli_process;

class ConvertTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString path(const QString& name) const { return folder_.filePath(name); }

  private Q_SLOTS:
    void init() {
        writeFile(path("config.json"), R"({"encoder_layers": 1, "model_width": 8, "heads": 2,
            "source_vocabulary_size": 9, "start_id": 2, "end_id": 3, "encoder_layrs": 2})");
    }

    void aConfigurationBecomesARandomModel() {
        const Result made =
            run({"convert", "--random", path("config.json"), "--out", path("made"), "--seed", "7", "--json"});
        QCOMPARE(made.status, 0);
        QCOMPARE(json(made.out)["seed"].toInt(), 7);
        QVERIFY(json(made.out)["parameters"].toInt() > 0);
        QVERIFY(contains(made.err, {"encoder_layrs"})); // misspelt keys are said
        const Result info = run({"info", path("made"), "--json"});
        QCOMPARE(json(info.out)["decoder_layers"].toInt(), 1);
        QCOMPARE(json(info.out)["parameters"], json(made.out)["parameters"]);
    }

    void whatWasWrittenCanBeGivenBack() {
        QCOMPARE(run({"convert", "--random", path("config.json"), "--out", path("one")}).status, 0);
        const Result again =
            run({"convert", "--random", path("one/config.json"), "--out", path("two"), "--quiet"});
        QCOMPARE(again.status, 0);
        QVERIFY2(again.err.isEmpty(), again.err);
        QCOMPARE(contentOf(path("one/config.json")), contentOf(path("two/config.json")));
        QCOMPARE(contentOf(path("one/model.safetensors")), contentOf(path("two/model.safetensors")));
        run({"convert", "--random", path("config.json"), "--out", path("other"), "--seed", "2"});
        QVERIFY(contentOf(path("one/model.safetensors")) != contentOf(path("other/model.safetensors")));
    }

    void halfPrecisionIsHalfTheFile() {
        run({"convert", "--random", path("config.json"), "--out", path("whole")});
        run({"convert", "--random", path("config.json"), "--out", path("half"), "--precision", "f16"});
        QVERIFY(contentOf(path("half/model.safetensors")).size() <
                contentOf(path("whole/model.safetensors")).size());
    }

    void aConfigurationThatDescribesNothingIsRefused() {
        writeFile(path("empty.json"), "{}");
        const Result empty = run({"convert", "--random", path("empty.json"), "--out", path("x")});
        QCOMPARE(empty.status, 1);
        QVERIFY(isWholeRefusal(empty.err));
        QVERIFY(contains(empty.err, {"encoder_layers", "model_width", "heads", "source_vocabulary_size"}));
        const Result missing = run({"convert", "--random", path("no.json"), "--out", path("x")});
        QCOMPARE(missing.status, 1);
        QVERIFY(isWholeRefusal(missing.err));
        QVERIFY(!QFile::exists(path("x")));
    }
};

QTEST_APPLESS_MAIN(ConvertTest)
#include "convert_test.moc"
