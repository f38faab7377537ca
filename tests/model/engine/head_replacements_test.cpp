#include "tests/model/engine/changed_request.h"
#include "tests/model/engine/recordings.h"
#include "tests/registered_test.h"

#include "model/trace/refusal.h"

using namespace headscope;
using trace::AttentionKind;
using trace::HeadAddress;

namespace {

const std::string sentence = "The old man opened the door.";
const std::vector<std::string> samples{"It rains.", "We saw a small green boat on the lake.",
                                       "Who is there?"};
const HeadAddress heads[]{{{AttentionKind::EncoderSelf, 0}, 1},
                          {{AttentionKind::DecoderSelf, 1}, 6},
                          {{AttentionKind::Cross, 2}, 3}};

/// Compares weights and log-probabilities; returns the comparison that is nearest to its limit, or beyond.
tests::Comparison compare(const trace::Run& one, const trace::Run& other) {
    tests::Comparison worst;
    const auto keep = [&](const tests::Comparison& here) {
        if (here.share >= worst.share)
            worst = here;
    };
    const auto floats = recordings::floatsOf;
    for (const std::string site : {"encoder_self", "decoder_self", "cross"})
        keep(recordings::compareWeights("tatoeba-en-de", site, floats(one, site + "/weights"),
                                        floats(other, site + "/weights"), floats(other, site + "/scores")));
    keep(recordings::compareOurs("tatoeba-en-de", "log_probabilities", "log-probabilities",
                                 floats(one, "log_probabilities"), floats(other, "log_probabilities")));
    return worst;
}

} // namespace

/// Replaces a head's output by its output elsewhere, in the bundled model.
class HeadReplacementsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;

    std::shared_ptr<const trace::Run> run(const std::string& text,
                                          const std::vector<std::string>& words = {}) {
        return engine_->of(engines::changed(engines::recorded({.source = text}), words), trace::RunWhat());
    }

    /// Forces the target of another run, so that rows correspond.
    std::shared_ptr<const trace::Run> runLike(const trace::Run& other,
                                              const std::vector<std::string>& words) {
        auto request = other.request;
        request.paths = {{.forced = trace::TargetIds{idsOf(other.target)}, .newTokens = 0}};
        request.interventions = engines::changes(words);
        return engine_->of(request, trace::RunWhat());
    }

  private Q_SLOTS:
    void initTestCase() {
        engine_ = engines::module()(
            {.familyFolders = {HEADSCOPE_SOURCE "/resources/families"}, .samples = samples});
        engine_->open({.path = engines::trained}, {});
    }

    void resamplingTheSentenceItselfChangesNothing() {
        const auto plain = run(sentence);
        for (const auto& head : heads) {
            const auto same = run(sentence, {"--resample-head", toString(head) + "=" + sentence});
            QCOMPARE(engines::outputOf(*same), engines::outputOf(*plain));
            VERIFY_AGREES(compare(*same, *plain));
            QVERIFY(same->selfCheck.state() == trace::CheckState::Ok);
        }
    }

    void resampledRowsAreThoseOfTheOtherSentence() {
        const auto plain = run(sentence);
        const auto other = run(samples[1]);
        for (const auto& head : heads) {
            const auto mixed = runLike(*plain, {"--resample-head", toString(head) + "=" + samples[1]});
            const auto& outputs = mixed->record(head.site)->outputs;
            const auto& wanted = other->record(head.site)->outputs;
            const auto rows = std::min(outputs.rows(), wanted.rows());
            QVERIFY(rows > 3);
            for (std::size_t row = 0; row < rows; ++row)
                QVERIFY(
                    std::ranges::equal(outputs.head(head.head).row(row), wanted.head(head.head).row(row)));
            QVERIFY(!compare(*mixed, *runLike(*plain, {})));
        }
    }

    void theMeanIsTakenOverAllRowsOfTheSamples() {
        const auto plain = run(sentence);
        for (const auto& head : heads) {
            const auto mean = runLike(*plain, {"--mean-head", toString(head)});
            const auto& outputs = mean->record(head.site)->outputs;
            QVERIFY(!outputs.values().empty());
            std::vector<double> wanted(outputs.columns()), sizes(outputs.columns());
            std::size_t rows = 0;
            for (const auto& sample : samples) {
                const auto ran = run(sample);
                const auto& there = ran->record(head.site)->outputs;
                rows += there.rows();
                for (std::size_t row = 0; row < there.rows(); ++row)
                    for (std::size_t i = 0; i < wanted.size(); ++i) {
                        const double output{there(static_cast<std::size_t>(head.head), row, i)};
                        wanted[i] += output;
                        sizes[i] += std::abs(output);
                    }
            }
            for (std::size_t row = 0; row < outputs.rows(); ++row)
                for (std::size_t i = 0; i < wanted.size(); ++i)
                    VERIFY_AGREES(tests::compare("mean output",
                                                 outputs(static_cast<std::size_t>(head.head), row, i),
                                                 wanted[i] / rows, tests::ofSum(rows, sizes[i] / rows)));
        }
    }

    void replacedThenScaled() {
        const auto plain = run(sentence);
        const auto head = toString(heads[2]);
        const auto scaled = runLike(*plain, {"--scale-head", head + "=0", "--mean-head", head});
        QVERIFY(engines::sameBits(*scaled, *runLike(*plain, {"--disable-head", head})));
    }

    void severalHeadsGetTheirOwn() {
        const auto plain = run(sentence);
        const auto both = runLike(*plain, {"--resample-head", "encoder.0.1=" + samples[0], "--mean-head",
                                           "cross.2.3", "--resample-head", "encoder.0.2=" + samples[2]});
        const auto first = run(samples[0]);
        const auto last = run(samples[2]);
        QVERIFY(std::ranges::equal(both->encoder[0].outputs.head(1).row(0),
                                   first->encoder[0].outputs.head(1).row(0)));
        QVERIFY(std::ranges::equal(both->encoder[0].outputs.head(2).row(0),
                                   last->encoder[0].outputs.head(2).row(0)));
    }

    void aCancelledMeanIsTakenAnew() {
        const auto engine = engines::module()(
            {.familyFolders = {HEADSCOPE_SOURCE "/resources/families"}, .samples = samples});
        engine->open({.path = engines::trained}, {});
        const auto request =
            engines::changed(engines::recorded({.source = sentence}), {"--mean-head", "cross.2.3"});
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY_EXCEPTION_THROWN(engine->of(request, trace::RunWhat(), stopped.get_token()),
                                 trace::Cancelled);
        QVERIFY(engines::sameBits(*engine_->of(request, trace::RunWhat()),
                                  *engine->of(request, trace::RunWhat())));
    }

    void withoutSamplesThereIsNoMean() {
        const auto engine = engines::with(engines::trained);
        const auto request = engines::changed({.source = sentence}, {"--mean-head", "cross.2.3"});
        QVERIFY_EXCEPTION_THROWN(engine->of(request, trace::RunWhat()), trace::Refusal);
    }

    void aModelWithoutATokenizerReadsNoOtherSentence() {
        const auto engine = engines::with(engines::tiny);
        const auto request =
            engines::changed(engines::greedy({9, 4, 3}), {"--resample-head", "cross.0.1=It rains."});
        QVERIFY_EXCEPTION_THROWN(engine->of(request, trace::RunWhat()), trace::Refusal);
    }
};

HEADSCOPE_TEST(HeadReplacementsTest)
#include "head_replacements_test.moc"
