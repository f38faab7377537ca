#include <QTest>

#include "model/trace/refusal.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

#include <numeric>

using namespace headscope;

class ReadClassifierTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;
    trace::Request request_;

    static tests::Limit ofTwo() {
        return recordings::Precision::of("imdb-classifier-tiny").twoOfOurs("log_probabilities");
    }

  private Q_SLOTS:
    void initTestCase() {
        const std::string model = "imdb-classifier-tiny";
        engine_ = engines::with(recordings::folder + model);
        request_ = recordings::requestOf(model, recordings::read(model + "/trace.npz"));
    }

    void tokensAndBiasSumToTheLogit() {
        const auto reading = engine_->of(request_, trace::ClassifierWhat());
        QVERIFY(reading->logits.size() >= 2);
        for (std::size_t c = 0; c < reading->logits.size(); ++c) {
            const auto& of = reading->contributions[c];
            const double sum = std::accumulate(of.begin(), of.end(), reading->bias[c]);
            double sizes = std::abs(reading->bias[c]);
            for (std::size_t f = 0; f < reading->features.size(); ++f)
                sizes += std::abs(reading->weights[c][f] * reading->features[f]);
            VERIFY_AGREES(tests::compare("logit", sum, reading->logits[c],
                                         tests::ofSum(reading->features.size() + 1, sizes)));
        }
    }

    void featuresComeFromWhereTheEncoderIsLargest() {
        const auto run = engine_->of(request_, trace::RunWhat());
        const auto reading = engine_->of(request_, trace::ClassifierWhat());
        QCOMPARE(reading->positions.size(), run->encoderOutput.columns());
        for (std::size_t f = 0; f < reading->positions.size(); ++f)
            for (std::size_t row = 0; row < run->encoderOutput.rows(); ++row)
                QVERIFY(run->encoderOutput(row, f) <= run->encoderOutput(reading->positions[f], f));
    }

    void featuresTimesWeightsAreWhatTheirTokensAdd() {
        const auto run = engine_->of(request_, trace::RunWhat());
        const auto reading = engine_->of(request_, trace::ClassifierWhat());
        QCOMPARE(reading->weights.size(), reading->logits.size());
        for (std::size_t c = 0; c < reading->weights.size(); ++c) {
            std::vector<double> added(reading->contributions[c].size());
            double sizes = 0;
            for (std::size_t f = 0; f < reading->features.size(); ++f) {
                QCOMPARE(reading->features[f], double(run->encoderOutput(reading->positions[f], f)));
                added[reading->positions[f]] += reading->weights[c][f] * reading->features[f];
                sizes += std::abs(reading->weights[c][f] * reading->features[f]);
            }
            VERIFY_AGREES(tests::compare("contributions", added, reading->contributions[c],
                                         tests::ofSum(reading->features.size(), sizes)));
        }
    }

    void itSaysWhatTheRunSays() {
        const auto run = engine_->of(request_, trace::RunWhat());
        const auto reading = engine_->of(request_, trace::ClassifierWhat());
        VERIFY_AGREES(tests::compare("log-probabilities of the classes", reading->logProbabilities,
                                     run->classLogProbabilities, ofTwo()));
    }

    void aWordLeftOutIsAnotherSentence() {
        const auto reading = engine_->of(request_, trace::ClassifierWhat());
        const auto ids = std::get<trace::SourceIds>(request_.source).ids;
        QVERIFY(!reading->leftOut.empty());
        for (const auto& word : reading->leftOut) {
            auto shorter = ids;
            shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(word.firstToken),
                          shorter.begin() + static_cast<std::ptrdiff_t>(word.lastToken));
            auto request = request_;
            request.source = trace::SourceIds{shorter};
            const auto run = engine_->of(request, trace::RunWhat());
            VERIFY_AGREES(tests::compare("log-probabilities of the classes", word.logProbabilities,
                                         run->classLogProbabilities, ofTwo()));
        }
    }

    void underChangesThatNamePlacesNoWordIsLeftOut() {
        auto request = request_;
        const trace::HeadAddress head{{trace::AttentionKind::EncoderSelf, 0}, 0};
        request.interventions = {{trace::BlockCell{.head = head, .query = 1, .key = 0}}};
        const auto reading = engine_->of(request, trace::ClassifierWhat());
        QVERIFY(reading->leftOut
                    .empty()); // positions shift without a word, so the change would apply to another one
        QVERIFY(!reading->contributions.empty());
        request.interventions.front().on = false;
        QVERIFY(!engine_->of(request, trace::ClassifierWhat())->leftOut.empty());
        request.interventions = {{trace::ScaleHead{.head = head}}};
        QVERIFY(!engine_->of(request, trace::ClassifierWhat())->leftOut.empty());
    }

    void classesHaveTheNamesThatTheirFolderSays() {
        const std::string path = recordings::folder + "imdb-classifier-tiny";
        const auto engine = engines::start();
        const auto classes = static_cast<std::size_t>(engine->open({.path = path}, {})->classes);
        std::string labels = "negative";
        for (std::size_t c = 1; c < classes; ++c)
            labels += ", class number " + std::to_string(c);
        const auto named = engine->open({.path = path, .settings = {{"labels", labels}}}, {});
        QCOMPARE(named->classLabels.size(), classes);
        QCOMPARE(named->classLabels.back(), "class number " + std::to_string(classes - 1));
        QVERIFY(engine->open({.path = path, .settings = {{"labels", "one"}}}, {})->classLabels.empty());
    }

    void whatIsNoClassifierIsRefused() {
        const auto engine = engines::with(engines::tiny);
        QVERIFY_EXCEPTION_THROWN(engine->of(engines::greedy({9, 4, 3}), trace::ClassifierWhat()),
                                 trace::Refusal);
    }

    void itEndsWhereTheRunIsCancelled() {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(engine_->of(request_, trace::ClassifierWhat(), stop.get_token()),
                                 trace::Cancelled);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ReadClassifierTest)
#include "read_classifier_test.moc"
