#include <QTest>

#include "model/trace/refusal.h"
#include "tests/model/engine/changed_request.h"
#include "tests/model/engine/changed_weight.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

#include <array>
#include <cmath>
#include <span>

using namespace headscope;
using engines::source;
using engines::target;
using trace::AttentionKind;
using trace::NormAfter;
using Words = std::vector<std::string>;

namespace {

constexpr std::array kinds{AttentionKind::EncoderSelf, AttentionKind::DecoderSelf, AttentionKind::Cross};

/// Contributions of all heads in a row, by key, and the bias, and their absolute values: [d_model].
struct Sum {
    std::vector<double> values;
    std::vector<double> sizes;
};
Sum sumOfAll(engine::Engine& engine, const trace::Request& request, trace::AttentionSite site, int heads,
             std::size_t query) {
    Sum sum;
    const auto add = [&](std::span<const float> numbers) {
        sum.values.resize(numbers.size());
        sum.sizes.resize(numbers.size());
        for (std::size_t d = 0; d < numbers.size(); ++d) {
            sum.values[d] += double{numbers[d]};
            sum.sizes[d] += std::abs(double{numbers[d]});
        }
    };
    for (int head = 0; head < heads; ++head) {
        const auto row = engine.of(request, trace::ContributionsWhat{.head = {site, head}, .query = query});
        if (head == 0 && !row->bias.empty())
            add(row->bias);
        for (std::size_t key = 0; key < row->added.rows(); ++key)
            add(row->added.row(key));
    }
    return sum;
}

void append(std::vector<float>& all, const std::vector<float>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

} // namespace

/// Contributions of a head in one row, compared with an independent implementation and with the definitions.
class RowContributionsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;

    std::shared_ptr<const trace::RowContributions> row(const trace::Request& request,
                                                       const trace::HeadAddress& head, std::size_t query) {
        return engine_->of(request, trace::ContributionsWhat{.head = head, .query = query});
    }
    trace::RefusalText refusalOf(const trace::Request& request, const trace::HeadAddress& head,
                                 std::size_t query) {
        try {
            row(request, head, query);
        } catch (const trace::Refusal& refusal) {
            return refusal.text();
        }
        return {};
    }

  private Q_SLOTS:
    void initTestCase() { engine_ = engines::with(engines::tiny); }

    void anIndependentProgramComputesTheSame_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("norm");
        QTest::newRow("pre-norm") << "annotated-tiny" << int(NormAfter::None);
        QTest::newRow("the stream normed") << "pi-tau-tiny" << int(NormAfter::None);
        QTest::newRow("post-norm") << "torch-transformer-tiny-post-relu" << int(NormAfter::OfTheSum);
    }
    void anIndependentProgramComputesTheSame() {
        QFETCH(const QString, model);
        QFETCH(const int, norm);
        const auto recorded = recordings::read("quantities/" + model.toStdString() + ".npz");
        const auto engine = engines::with(recordings::folder + model.toStdString());
        const auto request = recordings::requestOf(model.toStdString(), recorded);
        const auto step = static_cast<std::size_t>(recordings::integers(recorded, "step").front());
        const auto arraysOf = [&](engine::Engine& computing, AttentionKind kind) {
            std::map<std::string, std::vector<float>> found;
            const std::string site(trace::name(kind));
            const auto& shape = recorded.at("added/" + site).shape;
            for (int layer = 0; layer < static_cast<int>(shape[0]); ++layer)
                for (int head = 0; head < static_cast<int>(shape[1]); ++head) {
                    const auto row = computing.of(
                        request, trace::ContributionsWhat{.head = {{kind, layer}, head}, .query = step});
                    append(found["added/" + site], row->added.values());
                    if (head > 0)
                        continue;
                    append(found["sublayer/" + site], row->sublayer);
                    append(found["before/" + site], row->before);
                }
            return found;
        };
        const auto changed = model == "annotated-tiny"
                                 ? engines::withChangedWeight(engines::tiny, engines::queriesOfTiny)
                                 : nullptr;
        for (const auto kind : kinds) {
            QCOMPARE(int(engine->of(request, trace::ContributionsWhat{.head = {{kind, 0}, 0}, .query = step})
                             ->normAfter),
                     norm);
            for (const auto& [array, values] : arraysOf(*engine, kind))
                VERIFY_AGREES(recordings::compareWith(recorded, array, values));
            if (changed)
                for (const auto& [array, values] : arraysOf(*changed, kind))
                    QVERIFY2(!recordings::compareWith(recorded, array, values), array.c_str());
        }
    }

    void headsAndBiasAddUpToTheSublayer_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QStringList>("changes");
        QTest::newRow("pre-norm") << "annotated-tiny" << QStringList();
        QTest::newRow("post-norm") << "torch-transformer-tiny-post-relu" << QStringList();
        QTest::newRow("Marian") << "marian-tiny" << QStringList();
        QTest::newRow("scaled") << "annotated-tiny"
                                << QStringList{"--scale-sublayer", "cross.1=0.5", "--scale-head",
                                               "cross.1.2=3"};
    }
    void headsAndBiasAddUpToTheSublayer() {
        QFETCH(const QString, model);
        QFETCH(const QStringList, changes);
        Words words;
        for (const QString& word : changes)
            words.push_back(word.toStdString());
        const auto engine = engines::with(recordings::folder + model.toStdString());
        const auto request = engines::changed(engines::forced(source, target), words);
        for (const auto kind : kinds) {
            const trace::AttentionSite site{kind, 1};
            const auto row = engine->of(request, trace::ContributionsWhat{.head = {site, 0}, .query = 3});
            const auto sum = sumOfAll(*engine, request, site, 3, 3);
            VERIFY_AGREES(tests::compare("what the sublayer adds", sum.values, row->sublayer,
                                         recordings::Precision::of(model.toStdString())
                                             .twoOfOurs("heads", tests::largestSize(sum.sizes))));
        }
    }

    void withoutANormAfterwardsTheStreamIsTheSum() {
        for (const Words& changes :
             {Words{}, Words{"--scale-sublayer", "cross.1=0.5", "--disable-head", "cross.1.0"}}) {
            const auto request =
                engines::recorded(engines::changed(engines::forced(source, target), changes));
            const auto run = engine_->of(request, trace::RunWhat());
            const auto added = row(request, {{AttentionKind::Cross, 1}, 1}, 2);
            std::vector<float> after = added->before;
            for (std::size_t d = 0; d < after.size(); ++d)
                after[d] += added->sublayer[d];
            const auto stream = run->row(2).residual.row(5); // before, then three per layer
            VERIFY_AGREES(recordings::compareOurs("annotated-tiny", "residual", "stream", after, stream));
        }
    }

    void theWeightsAreTheShownOnes() {
        auto request = engines::forced(source, target);
        request.padding = {.source = 2, .target = 1};
        const auto run = engine_->of(request, trace::RunWhat());
        for (const auto kind : kinds)
            for (std::size_t query = 0; query < target.size(); ++query) {
                const auto shown = run->record({kind, 1})->weights.head(2).row(query);
                const auto found = row(request, {{kind, 1}, 2}, query);
                QCOMPARE(found->weights.size(), shown.size());
                VERIFY_AGREES(recordings::compareWeights("annotated-tiny", "weights", found->weights, shown,
                                                         run->record({kind, 1})->scores.values()));
            }
    }

    void whatIsClosedAddsNothing() {
        auto request = engines::changed(engines::forced(source, target), {"--block", "cross.0.1:2,3"});
        request.padding.source = 2;
        const auto added = row(request, {{AttentionKind::Cross, 0}, 1}, 2)->added;
        for (const std::size_t key : {std::size_t{3}, source.size(), source.size() + 1})
            for (const float value : tests::some(added.row(key)))
                QCOMPARE(value, 0.0F);
    }

    void aHeadThatIsOffAddsNothing() {
        const auto request =
            engines::changed(engines::forced(source, target), {"--disable-head", "cross.0.1"});
        const auto added = row(request, {{AttentionKind::Cross, 0}, 1}, 2);
        for (const float value : tests::some(added->added.values()))
            QCOMPARE(value, 0.0F);
    }

    void aReplacedHeadIsRefused() {
        const auto engine = engines::with(engines::trained);
        trace::Request request{.source = "I see.", .paths = {{.newTokens = 4}}};
        request = engines::changed(request, {"--resample-head", "cross.0.1=He sings."});
        try {
            engine->of(request, trace::ContributionsWhat{.head = {{AttentionKind::Cross, 0}, 1}, .query = 0});
            QFAIL("it was not refused");
        } catch (const trace::Refusal& refusal) {
            QCOMPARE(refusal.text().where, std::string("cross.0.1"));
        }
        QVERIFY(engine->of(request,
                           trace::ContributionsWhat{.head = {{AttentionKind::Cross, 1}, 1}, .query = 0}));
    }

    void whatIsNotThereIsRefused() {
        const auto request = engines::forced(source, target);
        const trace::HeadAddress head{{AttentionKind::Cross, 0}, 0};
        QVERIFY(!refusalOf(request, head, target.size()).what.empty());
        QVERIFY(refusalOf(request, head, target.size() - 1).what.empty());
        QCOMPARE(refusalOf(request, {{AttentionKind::Cross, 4}, 0}, 0).where, std::string("cross.4"));
        QCOMPARE(refusalOf(request, {{AttentionKind::Cross, 0}, 3}, 0).where, std::string("cross.0.3"));
    }

    void anEncoderAloneHasItsOwn() {
        const auto engine = engines::with(recordings::folder + "imdb-classifier-tiny");
        const auto request = engines::greedy({5, 6, 7, 3});
        const auto row = engine->of(
            request, trace::ContributionsWhat{.head = {{AttentionKind::EncoderSelf, 1}, 0}, .query = 3});
        QCOMPARE(row->added.rows(), std::size_t{4});
    }

    void itCanBeStopped() {
        std::stop_source stop;
        stop.request_stop();
        const trace::HeadAddress head{{AttentionKind::Cross, 0}, 0};
        QVERIFY_EXCEPTION_THROWN(engine_->of(engines::forced(source, target),
                                             trace::ContributionsWhat{.head = head, .query = 0},
                                             stop.get_token()),
                                 trace::Cancelled);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RowContributionsTest)
#include "row_contributions_test.moc"
