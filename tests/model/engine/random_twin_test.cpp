#include "tests/model/engine/changed_request.h"
#include "tests/model/engine/recordings.h"
#include "tests/registered_test.h"

#include "model/trace/refusal.h"

#include <filesystem>

using namespace headscope;
namespace fs = std::filesystem;

/// The twin of the open model with random weights.
class RandomTwinTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;

    std::shared_ptr<const trace::Run> run(const trace::Request& request) {
        return engine_->of(request, trace::RunWhat());
    }

    static trace::Request ofTwin(trace::Request request, std::uint64_t seed = 1) {
        request.randomTwin = seed;
        return request;
    }

    static trace::Request sentence() { return engines::greedy({5, 6, 7, 3}, 6); }

  private Q_SLOTS:
    void init() { engine_ = engines::with(engines::tiny); }

    void itHasTheWeightsOfARandomModelOfTheSameSeed_data() {
        QTest::addColumn<QString>("model");
        QTest::newRow("bundled") << QString::fromStdString(engines::trained);
        for (const auto& folder : fs::directory_iterator(recordings::folder))
            if (fs::exists(folder.path() / "trace.npz") && !fs::exists(folder.path() / "embeddings.npy") &&
                folder.path().filename() != "torch-transformer-bare")
                QTest::newRow(folder.path().filename().c_str()) << QString(folder.path().c_str());
    }
    void itHasTheWeightsOfARandomModelOfTheSameSeed() {
        QFETCH(const QString, model);
        const QTemporaryDir folder;
        engine_ = engines::with(model.toStdString());
        // Also in half precision, because the configuration contains the formula of the positions.
        engine_->convert(folder.path().toStdString(), files::ElementType::Float16, {});
        const auto random = engines::start();
        random->open({.path = folder.filePath("config.json").toStdString(), .randomSeed = 5}, {});
        const auto expected = random->of(sentence(), trace::RunWhat());
        const auto found = run(ofTwin(sentence(), 5));
        QVERIFY(engines::sameBits(*expected, *found));
        QCOMPARE(found->classLogProbabilities, expected->classLogProbabilities);
        QVERIFY(!engines::sameBits(*run(sentence()), *found));
    }

    void itSaysThatItIsATwin() {
        const auto model = run(sentence())->model;
        const auto twin = run(ofTwin(sentence(), 7))->model;
        QVERIFY(model != twin);
        QCOMPARE(twin->name, model->name + ", random weights (seed 7)");
        QCOMPARE(twin->path, model->path);
        QCOMPARE(twin->parameters, model->parameters);
        QCOMPARE(twin->architecture.front().second, std::string("random weights (seed 7)"));
        QVERIFY(run(ofTwin(sentence(), 7))->model == twin);
    }

    void theModelIsUnharmed() {
        const auto before = run(sentence());
        run(ofTwin(sentence()));
        const auto kept = run(sentence());
        QVERIFY(engines::sameBits(*before, *kept));
        QVERIFY(kept->model == before->model);
        QCOMPARE(kept->tree.node(0).row.get(), before->tree.node(0).row.get()); // not recomputed
        auto other = engines::greedy({9, 4, 16, 3}, 6);
        const auto alone = engines::with(engines::tiny)->of(other, trace::RunWhat());
        run(ofTwin(other));
        QVERIFY(engines::sameBits(*alone, *run(other)));
    }

    void theSameSeedGivesTheSameBitsAnotherOneDoesNot() {
        const auto first = run(ofTwin(sentence(), 1));
        const auto other = run(ofTwin(sentence(), 2));
        QVERIFY(!engines::sameBits(*first, *other));
        QVERIFY(engines::sameBits(*first, *run(ofTwin(sentence(), 1))));
        QVERIFY(engines::sameBits(*other, *run(ofTwin(sentence(), 2))));
    }

    void itReadsAForcedTarget() {
        const auto request = ofTwin(engines::forced({5, 6, 7, 3}, {2, 14, 6, 11}));
        const auto found = run(request);
        QCOMPARE(found->target.size(), 4u);
        QVERIFY(found->selfCheck.state() == trace::CheckState::Ok);
        QVERIFY(found->request == request);
    }

    void changesAreMadeInIt() {
        const auto request = ofTwin(sentence());
        const auto plain = run(request);
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{"--disable-head", "encoder.0.1"}, {"--no-mask"}, {"--no-scaling"}}) {
            const auto found = run(engines::changed(request, words));
            QVERIFY(!engines::sameBits(*plain, *found));
            QVERIFY(found->model == plain->model);
        }
        QVERIFY(engines::sameBits(*plain, *run(request)));
    }

    void aHeadsMeanIsThatOfTheTwin() {
        const engine::EngineOptions options{.familyFolders = {HEADSCOPE_SOURCE "/resources/families"},
                                            .samples = {"It rains.", "We ran."}};
        const QTemporaryDir folder;
        engine_ = engines::module()(options);
        engine_->open({.path = engines::trained}, {});
        engine_->convert(folder.path().toStdString(), files::ElementType::Float32, {});
        const auto random = engines::module()(options);
        random->open({.path = folder.filePath("config.json").toStdString(), .randomSeed = 1}, {});
        const auto request = engines::changed({.source = "Who is there?", .paths = {{.newTokens = 3}}},
                                              {"--mean-head", "encoder.0.1", "--mean-head", "cross.1.2"});
        const auto model = run(request);
        QVERIFY(engines::sameBits(*run(ofTwin(request)), *random->of(request, trace::RunWhat())));
        QVERIFY(engines::sameBits(*model, *run(request)));
    }

    void itsHeadsAreMeasuredAndItsLayersRead() {
        const auto request = ofTwin(sentence());
        const auto found = run(request);
        const auto importance = engine_->of(request, trace::ImportanceWhat());
        QVERIFY(importance->complete);
        QVERIFY(importance->request == request);
        QCOMPARE(importance->tokens, found->next);
        QCOMPARE(importance->effects.size(),
                 engine_->of(sentence(), trace::ImportanceWhat())->effects.size());
        auto recorded = request;
        recorded.recording.logProbabilities = true;
        const auto lens = engine_->of(recorded, trace::LensWhat());
        for (std::size_t t = 0; t < lens->readings.size(); ++t)
            QCOMPARE(lens->readings[t].back().candidates.front().token,
                     found->row(t).candidates.front().token);
    }

    void aStopEndsTheMakingOfIt() {
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY_EXCEPTION_THROWN(engine_->of(ofTwin(sentence()), trace::RunWhat(), stopped.get_token()),
                                 trace::Cancelled);
        QVERIFY(run(ofTwin(sentence()))->complete);
    }

    void anotherModelHasAnotherTwin() {
        const auto first = run(ofTwin(sentence()));
        engine_->open({.path = recordings::folder + "torch-transformer-tiny-post-relu"}, {});
        const auto second = run(ofTwin(sentence()));
        QVERIFY(second->model->name != first->model->name);
        QVERIFY(second->model->name.starts_with("torch-transformer-tiny-post-relu, random"));
    }

    void itIsNotWhatIsConverted() {
        const QTemporaryDir folder;
        const auto before = run(sentence());
        run(ofTwin(sentence()));
        engine_->convert(folder.path().toStdString(), files::ElementType::Float32, {});
        const auto again = engines::with(folder.path().toStdString())->of(sentence(), trace::RunWhat());
        QVERIFY(engines::sameBits(*before, *again));
    }
};

HEADSCOPE_TEST(RandomTwinTest)
#include "random_twin_test.moc"
