#include "model/analysis/output/path_scores.h"
#include "model/engine/trainer.h"
#include "tests/model/engine/engines.h"
#include "tests/model/engine/recordings.h"
#include "tests/registered_test.h"

using namespace headscope;

class LibtorchTrainerTest : public QObject {
    Q_OBJECT

    static std::unique_ptr<engine::Trainer> trainer() {
        void* module = dlopen(HEADSCOPE_BUILD "/lib/headscope/libheadscope_engine.so", RTLD_NOW | RTLD_LOCAL);
        const auto make = module ? dlsym(module, engine::makeTrainerSymbol) : nullptr;
        if (!make)
            qFatal("%s", dlerror());
        return reinterpret_cast<engine::MakeTrainer>(make)(
            {.familyFolders = {HEADSCOPE_SOURCE "/resources/families"}, .threads = 1});
    }

  private Q_SLOTS:
    void theLossOfACorpusIsThatOfItsForcedTranslations() {
        const std::vector<corpus::TextPair> pairs{{"The old man laughed.", "Der alte Mann lachte.", 1},
                                                  {"I am hungry.", "Ich habe Hunger.", 2}};
        const auto engine = engines::with(engines::trained);
        double sum = 0;
        std::size_t tokens = 0;
        for (const auto& pair : pairs) {
            const auto run =
                engine->of({.source = pair.source, .paths = {{.forced = pair.target, .newTokens = 0}}},
                           trace::RunWhat());
            for (const auto& score : analysis::referenceScores(*run, run->paths.back())) {
                sum -= score.logProbability;
                ++tokens;
            }
        }
        const auto loss = trainer()->loss({.path = engines::trained}, pairs, {});
        QVERIFY(loss);
        QCOMPARE(loss->tokens, tokens);
        QCOMPARE(loss->leftOut, std::size_t(0));
        VERIFY_AGREES(
            tests::compare("loss", loss->loss, sum / static_cast<double>(tokens),
                           recordings::Precision::of("tatoeba-en-de").twoOfOurs("log_probabilities")));
    }
};

HEADSCOPE_TEST(LibtorchTrainerTest)
#include "libtorch_trainer_test.moc"
