#include "tests/app/cli/cli_process.h"
#include "tests/model/engine/recordings.h"
#include "tests/registered_test.h"

#include <QJsonArray>

using namespace cli_process;
using namespace headscope;

/// The what-if options of the command line.
class WhatIfTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    const QString npz_ = folder_.filePath("trace.npz");

    Result traceTiny(const QStringList& more) {
        return run(QStringList{"trace", tiny, "--source-ids", "9,4,16,7,12,5,3", "--target-ids",
                               "2,14,6,11,8", "--out", npz_} +
                   more);
    }
    std::vector<float> floats(const std::string& name) const {
        for (const auto& array : read_npz::readNpz(npz_.toStdString()))
            if (array.name == name)
                return files::floatsOf(array);
        return {};
    }

  private Q_SLOTS:
    void whatIsMalformedIsRefusedBeforeAnythingIsOpened_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("argument");
        for (const auto& [option, argument] : std::initializer_list<std::pair<const char*, const char*>>{
                 {"--disable-head", "cross.2"},
                 {"--scale-head", "cross.2.5"},
                 {"--scale-head", "cross.2.5=nan"},
                 {"--scale-sublayer", "feed-forward.0=0"},
                 {"--block", "cross.2.5:3"},
                 {"--block", "cross.2.5:-1,3"},
                 {"--force-row", "cross.2.5:3=even"},
                 {"--mean-head", ""},
                 {"--resample-head", "cross.2.5="},
                 {"--score-scale", "much"},
                 {"--softmax-temperature", "0"},
                 {"--positions", "shuffle"}})
            QTest::addRow("%s %s", option, argument) << option << argument;
    }
    void whatIsMalformedIsRefusedBeforeAnythingIsOpened() {
        QFETCH(const QString, option);
        QFETCH(const QString, argument);
        for (const auto& command : {QStringList{"trace", "/no/model", "--source-ids", "5", "--out", npz_},
                                    QStringList{"translate", "/no/model", "Hello."}}) {
            const Result result = run(command + QStringList{option, argument});
            QCOMPARE(result.status, 2);
            QVERIFY(contains(result.err, {qPrintable(option), "xpected"}));
            QVERIFY(!result.err.contains("/no/model"));
        }
    }

    /// Against runs of `trace` in which the cell is masked.
    void lossesAndLensAreComparedWithAnotherToken() {
        SKIP_WITHOUT_WINDOW();
        const QStringList fed{"--source-ids", "9,4,16,7,12,5,3", "--target-ids", "2,14,6,11,8"};
        const QString out = folder_.filePath("numbers.json");
        const auto arraysOf = [&](const QStringList& view) {
            const Result result =
                run(QStringList{"render", tiny, "--rather-than", "#7", "--out", out} + fed + view);
            QMap<QString, QJsonArray> arrays;
            for (const auto& array : json(contentOf(out))["arrays"].toArray())
                arrays[array.toObject()["name"].toString()] = array.toObject()["values"].toArray();
            return result.status == 0 ? arrays : QMap<QString, QJsonArray>();
        };
        const int step = 3;
        const auto contrastOf = [&](const QStringList& more, std::int64_t chosen) {
            if (traceTiny(QStringList{"--log-probabilities"} + more).status != 0)
                return 0.0;
            const auto values = floats("log_probabilities");
            const auto row = values.size() / 5 * step;
            return double{values[row + static_cast<std::size_t>(chosen)]} - double{values[row + 7]};
        };
        const auto ofOne = recordings::Precision::of("annotated-tiny").twoOfOurs("log_probabilities");
        QCOMPARE(traceTiny({}).status, 0);
        std::int64_t chosen = -1;
        for (const auto& array : read_npz::readNpz(npz_.toStdString()))
            if (array.name == "next_ids")
                chosen = files::integersOf(array)[step];
        const double before = contrastOf({}, chosen);
        const auto losses = arraysOf({"--view", "heatmap", "--head", "cross.1.2", "--losses", "--step", "3"});
        QCOMPARE(losses["loss_in_this_head"].size(), 7);
        for (int key = 0; key < 7; ++key) {
            const double after = contrastOf({"--block", QString("cross.1.2:3,%1").arg(key)}, chosen);
            VERIFY_AGREES(tests::compare("loss", losses["loss_in_this_head"][key].toDouble(), before - after,
                                         4 * ofOne)); // of four log-probabilities
        }
        const auto leads =
            arraysOf({"--view", "logit-lens"})["lead"]; // [stages, steps], the last stage first
        VERIFY_AGREES(tests::compare("lead", leads[step].toDouble(), before, 2 * ofOne));
    }

    /// Against what `predict` says with and without the change.
    void theEffectOnAnEncoderAloneIsDrawn_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("text");
        QTest::newRow("classes") << "imdb-classifier"
                                 << "A gripping film.";
        QTest::newRow("masks") << HEADSCOPE_SOURCE "/tests/reference/hugging-face/bert-tiny-masked"
                               << "the [MASK] sat on the [MASK]";
    }
    void theEffectOnAnEncoderAloneIsDrawn() {
        SKIP_WITHOUT_WINDOW();
        QFETCH(const QString, model);
        QFETCH(const QString, text);
        const QStringList off{"--disable-head", "encoder.0.1"};
        const QString out = folder_.filePath("effect.json");
        const auto drawn = [&](const QStringList& more) {
            const Result result =
                run(QStringList{"render", model, "--source", text, "--view", "what-if", "--out", out} + more);
            return result.status == 0
                       ? json(contentOf(out))["tables"].toArray().first().toObject()["columns"].toArray()
                       : QJsonArray();
        };
        const auto column = [](const QJsonArray& columns, const char* name) {
            for (const auto& one : columns)
                if (one.toObject()["title"] == QString(name))
                    return one.toObject()["values"].toArray();
            return QJsonArray();
        };
        const auto says = [&](const QStringList& more) {
            return json(run(QStringList{"predict", model, text, "--top", "26", "--json"} + more).out);
        };
        const auto before = says({}), after = says(off);
        QVERIFY(drawn({}).isEmpty()); // nothing is changed
        const auto columns = drawn(off);
        const auto beforeDrawn = column(columns, "log_probability_before");
        const auto afterDrawn = column(columns, "log_probability_after");
        const bool areClasses = before.contains("classes");
        const auto& precision =
            recordings::Precision::of(areClasses ? "imdb-classifier-tiny" : "hugging-face/bert-tiny-masked");
        const auto items = before[areClasses ? "classes" : "masks"].toArray();
        QCOMPARE(beforeDrawn.size(), items.size());
        const auto logProbability = [&](const QJsonObject& said, int item, const QJsonValue& id) {
            const auto list = areClasses ? said["classes"].toArray()
                                         : said["masks"].toArray()[item].toObject()["candidates"].toArray();
            for (const auto& one : list)
                if (one.toObject()[areClasses ? "class" : "id"] == id)
                    return std::log(one.toObject()["probability"].toDouble());
            return 0.0;
        };
        for (int item = 0; item < items.size(); ++item) {
            const QJsonValue id =
                areClasses ? QJsonValue(item)
                           : items[item].toObject()["candidates"].toArray().first().toObject()["id"];
            // `predict` writes probabilities, whose exponentials are off by one unit in the last place.
            const auto agree = [&](const QJsonValue& drawn, const QJsonObject& said) {
                const double expected = logProbability(said, item, id);
                return tests::compare("log-probability", drawn.toDouble(), expected,
                                      precision.twoOfOurs("log_probabilities", std::abs(expected)) +
                                          tests::ofRoundings(2, 1));
            };
            VERIFY_AGREES(agree(beforeDrawn[item], before));
            VERIFY_AGREES(agree(afterDrawn[item], after));
        }
        if (areClasses)
            return;
        const auto against =
            column(drawn(off + QStringList{"--rather-than", "dog"}), "log_probability_after");
        const auto dog = [&] {
            for (const auto& one : after["masks"].toArray()[0].toObject()["candidates"].toArray())
                if (one.toObject()["piece"] == QString("dog"))
                    return one.toObject()["log_probability"].toDouble();
            return 0.0;
        }();
        VERIFY_AGREES(
            tests::compare("compared with dog", against[0].toDouble(), afterDrawn[0].toDouble() - dog,
                           precision.twoOfOurs("log_probabilities", std::abs(dog)) +
                               precision.twoOfOurs("log_probabilities", std::abs(afterDrawn[0].toDouble()))));
    }

    void headsThatAreNotThereAreRefusedTogether() {
        const Result result =
            traceTiny({"--disable-head", "cross.2.0", "--block", "encoder.0.3:0,0", "--scale-sublayer",
                       "decoder-ff.2=0", "--disable-head", "cross.0.0"});
        QCOMPARE(result.status, 1);
        QVERIFY(isWholeRefusal(result.err));
        QVERIFY(contains(result.err, {"cross.2.0", "encoder.0.3", "decoder-ff.2"}));
        QVERIFY(!result.err.contains("cross.0.0"));
    }

    void theNumbersAreThoseOfTheRecordings_data() {
        QTest::addColumn<QString>("change");
        for (const char* change : {"heads-halved", "cells-blocked", "row-hard", "mask-lifted",
                                   "everything-at-once", "softmax-heated-and-unscaled"})
            QTest::newRow(change) << change;
    }
    void theNumbersAreThoseOfTheRecordings() {
        QFETCH(const QString, change);
        const std::string folder = "what-if/annotated-tiny/";
        const auto path = QString::fromStdString(recordings::folder + folder + "what-if.json");
        QStringList options;
        for (const auto word : json(contentOf(path))[change].toArray())
            options << word.toString();
        QVERIFY(!options.isEmpty());
        QCOMPARE(traceTiny(options + QStringList{"--log-probabilities", "--residual"}).status, 0);
        const auto recorded = recordings::read(folder + change.toStdString() + ".npz");
        const auto isFloat = [](auto& named) { return named.second.type == files::ElementType::Float32; };
        for (const auto& [name, array] : tests::some(recorded | std::views::filter(isFloat)))
            VERIFY_AGREES(recordings::compareWith(recorded, name, floats(name)));
    }

    void aFactorOfOneChangesNoBit() {
        QCOMPARE(traceTiny({"--log-probabilities"}).status, 0);
        const auto plain = floats("log_probabilities");
        QCOMPARE(traceTiny({"--log-probabilities", "--scale-head", "cross.0.1=1", "--scale-sublayer",
                            "encoder-ff.0=1"})
                     .status,
                 0);
        QCOMPARE(floats("log_probabilities"), plain);
    }

    void whatMeetsNothingIsSaid() {
        Result result = traceTiny({"--block", "cross.0.1:20,3", "--force-row", "decoder.0.0:1=4"});
        QCOMPARE(result.status, 0);
        QVERIFY(contains(result.err,
                         {"--block cross.0.1:20,3: no effect", "--force-row decoder.0.0:1=4: no effect"}));
        result = run({"translate", trained, "--quiet", "--block", "cross.0.1:50,0", "It rains."});
        QCOMPARE(result.status, 0);
        QVERIFY(contains(result.err, {"line 1: --block cross.0.1:50,0: no effect"}));
    }

    void aRowsLastOpenCellIsRefused() {
        const Result result = traceTiny({"--block", "decoder.0.1:0,0"});
        QCOMPARE(result.status, 1);
        QVERIFY(isWholeRefusal(result.err) && contains(result.err, {"decoder.0.1, query 0"}));
    }

    void theMaskIsNotLiftedInBeamSearch() {
        const Result result =
            run({"trace", tiny, "--source-ids", "5,3", "--no-mask", "--beam", "2", "--out", npz_});
        QCOMPARE(result.status, 1);
        QVERIFY(isWholeRefusal(result.err));
    }

    void aTranslationIsOfTheChangedModel() {
        const QString sentence = "The old man opened the door.";
        const Result plain = run({"translate", trained, "--quiet", sentence});
        const Result blind =
            run({"translate", trained, "--quiet", "--scale-sublayer", "cross.0=0", "--scale-sublayer",
                 "cross.1=0", "--scale-sublayer", "cross.2=0", sentence});
        QCOMPARE(plain.status, 0);
        QCOMPARE(blind.status, 0);
        QVERIFY(plain.out != blind.out);
        const Result same =
            run({"translate", trained, "--quiet", "--resample-head", "cross.0.1=" + sentence, sentence});
        QCOMPARE(same.out, plain.out);
        QCOMPARE(run({"translate", trained, "--quiet", "--mean-head", "cross.0.1", sentence}).status, 0);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, WhatIfTest)
#include "what_if_test.moc"
