#include <QTest>

#include "model/analysis/architecture/architecture_blocks.h"
#include "model/trace/refusal.h"
#include "tests/model/engine/engines.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

using namespace headscope;
using foreign_files::refusalOf;
using trace::AttentionKind;

/// A model without an encoder: its prompt is fed first, and the output continues it.
class DecoderAloneTest : public QObject {
    Q_OBJECT

    using Ids = std::vector<std::int64_t>;

    const std::string folder_ = HEADSCOPE_SOURCE "/tests/reference/hugging-face/gpt2-tiny";
    std::unique_ptr<engine::Engine> engine_;
    std::shared_ptr<const trace::ModelSummary> model_;

    static trace::Request request(Ids prompt, int newTokens = 9) {
        return engines::greedy(std::move(prompt), newTokens);
    }

  private Q_SLOTS:
    void init() {
        engine_ = engines::start();
        model_ = engine_->open({.path = folder_}, {});
    }

    void itHasNoEncoderAndNoCrossAttention() {
        QVERIFY(model_->isDecoderAlone());
        QCOMPARE(model_->layers(AttentionKind::EncoderSelf), 0);
        QCOMPARE(model_->layers(AttentionKind::Cross), 0);
        QCOMPARE(model_->layers(AttentionKind::DecoderSelf), 3);
        QVERIFY(model_->ignoredTensors.empty());
        const auto architecture = analysis::architectureOf(*model_);
        QVERIFY(architecture.source.empty());
        QVERIFY(architecture.find("decoder.2.self"));
        QVERIFY(!architecture.find("decoder.2.cross"));
    }

    void thePromptIsForcedAndTheOutputBeginsAfterIt() {
        const auto run = engine_->of(request({5, 9, 14}, 4), trace::RunWhat());
        QCOMPARE(trace::idsOf(run->source), (Ids{5, 9, 14}));
        QCOMPARE(run->forcedRows, std::size_t{2});
        QCOMPARE(run->target.size(), std::size_t{6});
        QVERIFY(run->encoder.empty() && run->cross.empty());
        QCOMPARE(run->decoder.size(), std::size_t{3});
    }

    void whatFollowsAPromptCanBeForced() {
        auto asked = request({5, 9, 14});
        asked.paths = {{.forced = trace::TargetIds{{5, 9, 14, 22}}, .newTokens = 0}};
        const auto run = engine_->of(asked, trace::RunWhat());
        QCOMPARE(trace::idsOf(run->target), (Ids{5, 9, 14, 22}));
    }

    void anEmptyPromptIsTheStartToken() {
        trace::Request asked{.source = std::string(), .paths = {{.newTokens = 2}}};
        const auto run = engine_->of(asked, trace::RunWhat());
        QCOMPARE(trace::idsOf(run->source), Ids{0});
    }

    void whatAPromptCannotBeIsRefused() {
        auto padded = request({5, 9});
        padded.padding.source = 1;
        QVERIFY(!refusalOf([&] { engine_->of(padded, trace::RunWhat()); }).empty());
        trace::Request vectors{.source = trace::SourceEmbeddings{}};
        QVERIFY(refusalOf([&] { engine_->of(vectors, trace::RunWhat()); }).find("vectors") !=
                std::string::npos);
        QVERIFY(refusalOf([&] { engine_->of(request(Ids(41, 5)), trace::RunWhat()); }).find("40") !=
                std::string::npos);
        auto changed = request({5, 9});
        changed.interventions = {{trace::ScaleHead{.head = {{AttentionKind::Cross, 0}, 0}}}};
        QVERIFY(refusalOf([&] { engine_->of(changed, trace::RunWhat()); }).find("cross.0.0") !=
                std::string::npos);
    }

    /// Without its own sublayer of cross-attention, a layer has two steps in the stream.
    void analysesFollowItsTwoSublayers() {
        const auto asked = request({5, 9, 14, 22}, 3);
        const auto lens = engine_->of(asked, trace::LensWhat());
        QCOMPARE(lens->stages.size(), std::size_t{1 + 2 * 3});
        QVERIFY(lens->whyNoAttribution.empty());
        QCOMPARE(engine_->of(asked, trace::FlowWhat())->sublayers.size(), std::size_t{2 * 3});
        QCOMPARE(engine_->of(asked, trace::ImportanceWhat())->effects.size(), std::size_t{3 * 3});
        const auto maps = engine_->of(asked, trace::MapsWhat{.quantity = trace::MapQuantity::Contribution,
                                                             .site = {AttentionKind::DecoderSelf, 2}});
        QCOMPARE(maps->sourceColumns, std::size_t{0});
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, DecoderAloneTest)
#include "decoder_alone_test.moc"
