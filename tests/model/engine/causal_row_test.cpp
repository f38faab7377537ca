#include <QTest>

#include "model/trace/refusal.h"
#include "tests/model/engine/changed_request.h"
#include "tests/model/engine/changed_weight.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;
using engines::source;
using engines::target;
using trace::AttentionKind;
using Words = std::vector<std::string>;

namespace {

constexpr std::size_t step = 3;

/// Masks `key` in the step's row of one head, or in all cross-attention.
trace::Request closing(trace::Request request, std::size_t key, std::optional<trace::HeadAddress> head,
                       const trace::ModelSummary& model) {
    const auto close = [&](const trace::HeadAddress& closed, std::size_t query) {
        request.interventions.push_back({trace::BlockCell{.head = closed, .query = query, .key = key}});
    };
    if (head) {
        close(*head, step);
        return request;
    }
    for (int layer = 0; layer < model.decoderLayers; ++layer)
        for (int h = 0; h < model.decoderHeads; ++h)
            for (std::size_t query = 0; query < target.size(); ++query)
                close({{AttentionKind::Cross, layer}, h}, query);
    return request;
}

} // namespace

/// Knock-out loss of a source token, compared with an independent implementation and with runs.
class CausalRowTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;

    /// Log-probability of the step's token in a whole run.
    double logProbability(const trace::Request& request, std::int64_t token) {
        const auto run = engine_->of(engines::recorded(request), trace::RunWhat());
        return double(run->row(step).logProbabilities[static_cast<std::size_t>(token)]);
    }

  private Q_SLOTS:
    void initTestCase() { engine_ = engines::with(engines::tiny); }

    void anIndependentProgramComputesTheSame_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"annotated-tiny", "pi-tau-tiny", "torch-transformer-tiny-post-relu"})
            QTest::newRow(model) << model;
    }
    void anIndependentProgramComputesTheSame() {
        QFETCH(const QString, model);
        const auto recorded = recordings::read("quantities/" + model.toStdString() + ".npz");
        const auto engine = engines::with(recordings::folder + model.toStdString());
        auto request = recordings::requestOf(model.toStdString(), recorded);
        const auto of = static_cast<std::size_t>(recordings::integers(recorded, "step").front());
        const auto compare = [&](engine::Engine& computing, const std::string& array) {
            const auto dropsOf = [&](std::optional<trace::HeadAddress> head) {
                return computing.of(request, trace::CausalRowWhat{.step = of, .head = head, .keys = {}})
                    ->drops;
            };
            if (array.ends_with("all"))
                return recordings::compareWith(recorded, array, dropsOf(std::nullopt));
            std::vector<double> heads;
            const auto& shape = recorded.at(array).shape;
            for (int layer = 0; layer < static_cast<int>(shape[0]); ++layer)
                for (int head = 0; head < static_cast<int>(shape[1]); ++head) {
                    const auto drops = dropsOf(trace::HeadAddress{{AttentionKind::Cross, layer}, head});
                    heads.insert(heads.end(), drops.begin(), drops.end());
                }
            return recordings::compareWith(recorded, array, heads);
        };
        const auto contrast = recordings::integers(recorded, "contrast").front();
        for (const std::string prefix : {"causal/", "causal/contrast_"}) {
            if (prefix.ends_with("contrast_"))
                request.ratherThan = "#" + std::to_string(contrast);
            for (const char* part : {"heads", "all"}) {
                VERIFY_AGREES(compare(*engine, prefix + part));
                if (model == "annotated-tiny")
                    QVERIFY(!compare(*engines::withChangedWeight(engines::tiny, engines::queriesOfTiny),
                                     prefix + part));
            }
        }
        QCOMPARE(engine->of(request, trace::CausalRowWhat{.step = of, .keys = {}})->contrast->id, contrast);
    }

    void itIsTheDifferenceOfTwoRuns_data() {
        QTest::addColumn<QStringList>("changes");
        QTest::newRow("nothing changed") << QStringList();
        QTest::newRow("a head of the encoder off") << QStringList{"--disable-head", "encoder.0.1"};
        QTest::newRow("mask lifted") << QStringList{"--no-mask"};
        QTest::newRow("target shuffled") << QStringList{"--positions", "shuffle:4"};
        QTest::newRow("a row forced") << QStringList{"--force-row", "cross.1.2:3=uniform"};
    }
    void itIsTheDifferenceOfTwoRuns() {
        QFETCH(const QStringList, changes);
        Words words;
        for (const QString& word : changes)
            words.push_back(word.toStdString());
        const auto request = engines::changed(engines::forced(source, target), words);
        const auto run = engine_->of(request, trace::RunWhat());
        const auto token = run->next[step];
        const double before = logProbability(request, token.id);
        const trace::HeadAddress one{{AttentionKind::Cross, 1}, 2};
        const auto ofOne = recordings::Precision::of("annotated-tiny").twoOfOurs("log_probabilities");
        for (const auto& head : {std::optional(one), std::optional<trace::HeadAddress>()}) {
            const auto row =
                engine_->of(request, trace::CausalRowWhat{.step = step, .head = head, .keys = {}});
            QCOMPARE(row->token, token);
            QCOMPARE(row->head, head);
            VERIFY_AGREES(tests::compare("log-probability", row->logProbability, before, ofOne));
            QCOMPARE(row->drops.size(), source.size());
            double largest = 0;
            for (std::size_t key = 0; key < source.size(); ++key) {
                const double after = logProbability(closing(request, key, head, *run->model), token.id);
                VERIFY_AGREES(tests::compare("loss", row->drops[key], before - after, 2 * ofOne));
                largest = std::max(largest, std::abs(row->drops[key]));
            }
            QVERIFY(largest > 1e-3);
        }
    }

    void aCellThatIsClosedAlreadyHasNoNumber() {
        const trace::HeadAddress head{{AttentionKind::Cross, 0}, 1};
        const auto request = engines::changed(engines::forced(source, target), {"--block", "cross.0.1:3,2"});
        const auto row = engine_->of(request, trace::CausalRowWhat{.step = step, .head = head, .keys = {}});
        for (std::size_t key = 0; key < source.size(); ++key)
            QCOMPARE(std::isnan(row->drops[key]), key == 2);
        const auto all = engine_->of(request, trace::CausalRowWhat{.step = step, .keys = {}});
        for (const double drop : tests::some(all->drops))
            QVERIFY(!std::isnan(drop)); // other heads and rows attend to it
    }

    void theLastOpenCellOfARowHasNoNumber() {
        Words blocked;
        for (const char* key : {"0", "1", "2", "3", "5", "6"})
            for (const auto& word : {std::string("--block"), std::string("cross.0.1:3,") + key})
                blocked.push_back(word);
        const auto request = engines::changed(engines::forced(source, target), blocked);
        const trace::HeadAddress head{{AttentionKind::Cross, 0}, 1};
        const auto row = engine_->of(request, trace::CausalRowWhat{.step = step, .head = head, .keys = {}});
        for (const double drop : tests::some(row->drops))
            QVERIFY(std::isnan(drop));
        const auto all = engine_->of(request, trace::CausalRowWhat{.step = step, .keys = {}});
        for (std::size_t key = 0; key < source.size(); ++key)
            QCOMPARE(std::isnan(all->drops[key]), key == 4);
    }

    void theOnlySourceTokenHasNoNumber() {
        const auto request = engines::forced({9}, target);
        for (const auto& head : {std::optional(trace::HeadAddress{{AttentionKind::Cross, 0}, 1}),
                                 std::optional<trace::HeadAddress>()}) {
            const auto row =
                engine_->of(request, trace::CausalRowWhat{.step = step, .head = head, .keys = {}});
            QCOMPARE(row->drops.size(), std::size_t{1});
            QVERIFY(std::isnan(row->drops.front()));
        }
    }

    void paddingHasNoNumberAndChangesNone() {
        auto request = engines::forced(source, target);
        const auto plain = engine_->of(request, trace::CausalRowWhat{.step = step, .keys = {}});
        request.padding = {.source = 2, .target = 2};
        const auto padded = engine_->of(request, trace::CausalRowWhat{.step = step, .keys = {}});
        QCOMPARE(padded->drops.size(), source.size() + 2);
        const auto ofOne = recordings::Precision::of("annotated-tiny").twoOfOurs("log_probabilities");
        for (std::size_t key = 0; key < padded->drops.size(); ++key)
            if (key < source.size())
                VERIFY_AGREES(tests::compare("loss", padded->drops[key], plain->drops[key], 2 * ofOne));
            else
                QVERIFY(std::isnan(padded->drops[key]));
    }

    void itCanBeMeasuredAPartAtATime() {
        const auto request = engines::forced(source, target);
        const trace::HeadAddress one{{AttentionKind::Cross, 1}, 2};
        for (const auto& head : {std::optional(one), std::optional<trace::HeadAddress>()}) {
            const auto whole =
                engine_->of(request, trace::CausalRowWhat{.step = step, .head = head, .keys = {}});
            const auto part = engine_->of(
                request, trace::CausalRowWhat{.step = step, .head = head, .keys = {.first = 2, .last = 5}});
            QCOMPARE(part->logProbability, whole->logProbability);
            for (std::size_t key = 0; key < source.size(); ++key)
                if (key < 2 || key >= 5)
                    QVERIFY(std::isnan(part->drops[key]));
                else
                    QCOMPARE(part->drops[key], whole->drops[key]);
            const auto none = engine_->of(
                request, trace::CausalRowWhat{.step = step, .head = head, .keys = {.first = 7, .last = 9}});
            for (const double drop : none->drops)
                QVERIFY(std::isnan(drop));
        }
    }

    /// tests/reference/make_analyses.py
    void aDecoderAloneLosesEarlierTokens() {
        const auto engine = engines::with(recordings::folder + "hugging-face/llama-tiny");
        for (const std::string name : {"analyses", "contrast"}) {
            const auto recorded = recordings::read("analyses/llama-tiny/" + name + ".npz");
            auto request = engines::forced(recordings::integers(recorded, "source_ids"),
                                           recordings::integers(recorded, "target_ids"));
            if (name == "contrast")
                request.ratherThan = "#12";
            std::vector<double> losses, original;
            for (std::size_t step = 0; step < recordings::integers(recorded, "target_ids").size(); ++step) {
                const auto row = engine->of(request, trace::CausalRowWhat{.step = step, .keys = {}});
                losses.insert(losses.end(), row->drops.begin(), row->drops.end());
                original.push_back(row->logProbability);
            }
            VERIFY_AGREES(recordings::compareWith(recorded, "knock_out/losses", losses));
            VERIFY_AGREES(recordings::compareWith(recorded, "knock_out/log_probabilities", original));
        }
    }

    void withoutAnEarlierTokenItIsTheDifferenceOfTwoRuns_data() {
        QTest::addColumn<QStringList>("changes");
        QTest::newRow("nothing changed") << QStringList();
        QTest::newRow("cells blocked")
            << QStringList{"--block", "decoder.1.0:2,1", "--block", "decoder.0.2:4,2"};
        QTest::newRow("mask lifted") << QStringList{"--no-mask"};
    }
    void withoutAnEarlierTokenItIsTheDifferenceOfTwoRuns() {
        QFETCH(const QStringList, changes);
        const auto engine = engines::with(recordings::folder + "hugging-face/gpt2-tiny");
        Words words;
        for (const QString& word : changes)
            words.push_back(word.toStdString());
        const std::size_t of = 4;
        const auto request = engines::changed(engines::forced({5, 9}, {5, 9, 14, 22, 7, 3}), words);
        const auto run = engine->of(request, trace::RunWhat());
        const auto says = [&](const trace::Request& asked) {
            return double(engine->of(engines::recorded(asked), trace::RunWhat())
                              ->row(of)
                              .logProbabilities[static_cast<std::size_t>(run->next[of].id)]);
        };
        const auto ofOne = recordings::Precision::of("hugging-face/gpt2-tiny").twoOfOurs("log_probabilities");
        const auto isBlocked = [&](const trace::BlockCell& cell) {
            return std::ranges::count(request.interventions, trace::Intervention{cell}) > 0;
        };
        const bool isLifted = changes.contains("--no-mask");
        const trace::HeadAddress one{{AttentionKind::DecoderSelf, 1}, 0};
        for (const auto& head : {std::optional(one), std::optional<trace::HeadAddress>()}) {
            const auto row = engine->of(request, trace::CausalRowWhat{.step = of, .head = head, .keys = {}});
            QCOMPARE(row->drops.size(), run->target.size());
            for (std::size_t key = 0; key < row->drops.size(); ++key) {
                if (key > of || (key == of && !head)) {
                    QVERIFY(std::isnan(row->drops[key]));
                    continue;
                }
                if (isLifted && key == 0 && !head)
                    continue; // the first pass has this key alone, and a run cannot block it
                auto without = request;
                const auto block = [&](const trace::HeadAddress& closed, std::size_t query) {
                    const trace::BlockCell cell{.head = closed, .query = query, .key = key};
                    if (!isBlocked(cell))
                        without.interventions.push_back({cell});
                };
                if (head)
                    block(*head, of);
                for (int layer = 0; !head && layer < run->model->decoderLayers; ++layer)
                    for (int h = 0; h < run->model->decoderHeads; ++h)
                        for (auto query = isLifted ? 0 : key + 1; query < run->target.size(); ++query)
                            block({{AttentionKind::DecoderSelf, layer}, h}, query);
                VERIFY_AGREES(
                    tests::compare("loss", row->drops[key], says(request) - says(without), 2 * ofOne));
            }
            const auto part = engine->of(
                request, trace::CausalRowWhat{.step = of, .head = head, .keys = {.first = 1, .last = 3}});
            QVERIFY(std::isnan(part->drops[0]) && part->drops[2] == row->drops[2]);
        }
    }

    void theOnlyAllowedKeyOfALaterRowHasNoNumber() {
        const auto engine = engines::with(recordings::folder + "hugging-face/gpt2-tiny");
        const auto request = engines::changed(engines::forced({5, 9}, {5, 9, 14, 22}),
                                              {"--block", "decoder.0.1:1,1"}); // reads token 0 alone
        const auto row = engine->of(request, trace::CausalRowWhat{.step = 3, .keys = {}});
        QVERIFY(std::isnan(row->drops[0]) && !std::isnan(row->drops[1]));
        const trace::HeadAddress cross{{AttentionKind::Cross, 0}, 0};
        QVERIFY_EXCEPTION_THROWN(
            engine->of(request, trace::CausalRowWhat{.step = 3, .head = cross, .keys = {}}), trace::Refusal);
    }

    void whatIsNotThereIsRefused() {
        const auto request = engines::forced(source, target);
        const trace::HeadAddress missing{{AttentionKind::Cross, 0}, 3};
        const trace::HeadAddress another{{AttentionKind::DecoderSelf, 0}, 0};
        QVERIFY_EXCEPTION_THROWN(
            engine_->of(request, trace::CausalRowWhat{.step = 0, .head = another, .keys = {}}),
            trace::Refusal);
        QVERIFY_EXCEPTION_THROWN(
            engine_->of(request, trace::CausalRowWhat{.step = target.size(), .keys = {}}), trace::Refusal);
        QVERIFY_EXCEPTION_THROWN(
            engine_->of(request, trace::CausalRowWhat{.step = 0, .head = missing, .keys = {}}),
            trace::Refusal);
        const auto classifier = engines::with(recordings::folder + "imdb-classifier-tiny");
        QVERIFY_EXCEPTION_THROWN(
            classifier->of(engines::greedy({5, 6, 7, 3}), trace::CausalRowWhat{.step = 0, .keys = {}}),
            trace::Refusal);
    }

    void itCanBeStopped() {
        std::stop_source stop;
        const auto request = engines::forced(source, target);
        engine_->of(request, trace::RunWhat());
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(
            engine_->of(request, trace::CausalRowWhat{.step = step, .keys = {}}, stop.get_token()),
            trace::Cancelled);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, CausalRowTest)
#include "causal_row_test.moc"
