#include "model/training/training_data.h"
#include "tests/model/training/small_training.h"
#include "tests/registered_test.h"

#include <QTest>

#include <filesystem>
#include <set>

namespace fs = std::filesystem;
using namespace small_training;

class TrainingDataTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    /// 60 lines of 30 sources, each twice.
    TrainingConfig pairs(const QString& name) const {
        auto config = copying(folder_, "pairs");
        config.corpus.task = Task::Translate;
        config.corpus.train = folder_.filePath(name).toStdString();
        std::string text;
        for (int i = 0; i < 60; ++i)
            text += "source " + std::to_string(i % 30) + "\ttarget " + std::to_string(i) + "\n";
        headscope::files::saveAtomically(config.corpus.train, text);
        return config;
    }

    static std::set<std::string> sourcesOf(const std::vector<headscope::corpus::TextPair>& pairs) {
        std::set<std::string> sources;
        for (const auto& pair : pairs)
            sources.insert(pair.source);
        return sources;
    }

  private Q_SLOTS:
    void everySoManythSourceIsKeptFromTrainingWithAllItsLines() {
        auto config = pairs("pairs.tsv");
        config.corpus.validEvery = 10;
        config.corpus.validSentences = 100;
        const auto texts = readTrainingTexts(config, {});
        QCOMPARE(sourcesOf(texts.valid), (std::set<std::string>{"source 9", "source 19", "source 29"}));
        QCOMPARE(texts.valid.size(), std::size_t{6});
        QCOMPARE(texts.train.size(), std::size_t{54});
        for (const auto& source : sourcesOf(texts.valid))
            QVERIFY(!sourcesOf(texts.train).contains(source));
    }

    void noMoreSourcesAreKeptThanAreMeasured() {
        auto config = pairs("some.tsv");
        config.corpus.validEvery = 10;
        config.corpus.validSentences = 2;
        const auto texts = readTrainingTexts(config, {});
        QCOMPARE(texts.valid.size(), std::size_t{2});
        QVERIFY(sourcesOf(texts.train).contains("source 29"));
    }

    void thereIsNothingToKeepOfAFewLines() {
        auto config = pairs("few.tsv");
        config.corpus.validEvery = 31;
        const auto texts = readTrainingTexts(config, {});
        QVERIFY(texts.valid.empty());
        QCOMPARE(texts.train.size(), std::size_t{60});
    }

    void speedIsToldInAnsweredTokensOrInThoseOfATextThatHasAClass() {
        const auto first = [](const TrainingConfig& config) {
            fs::create_directories(config.state);
            const auto texts = readTrainingTexts(config, {});
            return encodeTrainingTexts(config, texts, prepareVocabulary(config, texts.train, 1, {}), {})
                .training;
        };
        const auto copies = first(copying(folder_, "copies"));
        QCOMPARE(copies.tokens(0), copies.answers(0));
        const auto animations = first(classifying(folder_, "films"));
        QCOMPARE(animations.answers(0), std::size_t{1});
        QCOMPARE(animations.tokens(0), std::size_t{4}); // "film 0 awful 0"
    }

    void whatIsTranslatedForBleuHasAllItsReferences() {
        auto config = pairs("bleu.tsv");
        config.corpus.validEvery = 10;
        config.bleuSentences = 2;
        std::int64_t measured = 0;
        config.validateEvery = 10;
        config.steps = 20;
        run(config, 1, {}, [&](const TrainingProgress& progress) {
            if (!progress.validation)
                return;
            ++measured;
            QVERIFY(progress.validation->bleu && progress.validation->entropy.cross);
        });
        QCOMPARE(measured, std::int64_t{2});
    }
};

HEADSCOPE_TEST(TrainingDataTest)
#include "training_data_test.moc"
