#include <QTest>

#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "tests/app/results/served_document.h"
#include "tests/model/engine/recordings.h"
#include "tests/watched_test.h"
#include "widgets/views/masks/batch_view.h"

using namespace headscope;
using app::DecodeController;
using app::WorkQueue;
using trace::AttentionKind;
using trace::TokenRole;
using widgets::BatchView;

namespace {

/// Of weights that are computed with and without padding.
tests::Limit ofPaddedWeights(const std::string& model, const trace::Run& run) {
    double largest = 0;
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
        for (const auto& record : *records)
            largest = std::max(largest, tests::largestSize(record.scores.values()));
    return recordings::Precision::of(model).twoOfOurs("weights", largest);
}

} // namespace

class ServedBatchTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<tests::ServedDocument> served_;
    std::unique_ptr<BatchView> view_;

    std::vector<trace::Request> requests() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests;
    }

    /// Both sides of a record's cell belong to the sentence.
    static bool isReal(const widgets::BatchedSentence& one, AttentionKind kind, std::size_t query,
                       std::size_t key) {
        const auto& keys = kind == AttentionKind::DecoderSelf ? one.row.input : one.row.source;
        const auto& queries = kind == AttentionKind::EncoderSelf ? one.row.source : one.row.input;
        return keys[key].role != TokenRole::Padding && queries[query].role != TokenRole::Padding;
    }

  private Q_SLOTS:
    void init() {
        script_.requests.clear();
        script_.holdRuns = false;
        served_ = std::make_unique<tests::ServedDocument>(script_);
        view_ = std::make_unique<BatchView>();
        served_->serve(view_.get());
        connect(served_->queue(), &WorkQueue::modelOpened, view_.get(), &BatchView::setModel);
    }

    void cleanup() {
        view_.reset();
        served_.reset();
    }

    void aTypedTargetIsForced() {
        QVERIFY(served_->open("a-model"));
        view_->setSentences({{"one", ""}, {"two", "zwei"}});
        view_->show();
        QTRY_VERIFY(view_->hasFigure());
        const auto path = requests()[1].paths.front();
        QCOMPARE(std::get<std::string>(path.forced), std::string("zwei"));
        QCOMPARE(path.newTokens, 0);
        QVERIFY(view_->caption().contains("The target of sentence 2 was typed"));
    }

    void aBatchSaysThatItLeavesTheChangesOfTheRunOut() {
        QVERIFY(served_->open("a-model"));
        view_->setSentences({{"one", ""}, {"two", ""}});
        view_->show();
        QTRY_VERIFY(view_->hasFigure());
        QVERIFY(!view_->caption().contains("do not apply"));
        served_->controller()->setInterventions({{trace::LiftMask()}});
        served_->controller()->decode(std::string("one"));
        QTRY_VERIFY(view_->caption().contains("Changes to the shown run do not apply"));
    }

    void aModelWithoutATokenizerReadsIds() {
        QVERIFY(served_->open("ids"));
        view_->setSentences({{"30 31 3", ""}, {"words", ""}});
        view_->show();
        QTRY_VERIFY(view_->caption().startsWith("This model has no tokenizer"));
        view_->setSentences({{"30 31 3", "10 3"}, {"30,3", ""}});
        QTRY_VERIFY(view_->hasFigure());
        QCOMPARE(std::get<trace::SourceIds>(requests()[1].source).ids, (std::vector<std::int64_t>{30, 3}));
        QCOMPARE(std::get<trace::TargetIds>(requests()[0].paths.front().forced).ids,
                 (std::vector<std::int64_t>{2, 10, 3}));
    }

    void theTrainedModelsRunsArePaddedToTheLongest() {
        const auto engine = app::loadEngine({.familyFolders = app::familyFolders()});
        engine->open({.path = app::resolveModel(app::bundledModels().front())}, {});
        const std::vector<trace::Request> single{
            {.source = std::string("My father gave me a new watch for my birthday.")},
            {.source = std::string("I like it.")},
            {.source = std::string("Good morning."),
             .paths = {{.forced = std::string("Guten Morgen, mein Freund."), .newTokens = 0}}}};
        const auto batch = widgets::runBatch(*engine, single, {});
        QCOMPARE(batch.size(), std::size_t(3));
        bool padded = false;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const auto& one = batch[i];
            QCOMPARE(one.row.source.size(), batch.front().row.source.size());
            QCOMPARE(one.row.input.size(), batch.front().row.input.size());
            QCOMPARE(one.row.input.front().role, TokenRole::Start);
            padded = padded || one.run->request.padding.target > 0;
            // Position t is scored on what position t + 1 is fed; the end token comes last.
            std::optional<std::size_t> last;
            for (std::size_t t = 0; t < one.row.labels.size(); ++t)
                if (one.row.labels[t]) {
                    last = t;
                    if (t + 1 < one.row.input.size())
                        QCOMPARE(one.row.labels[t]->id, one.row.input[t + 1].id);
                }
            QVERIFY(last);
            QCOMPARE(one.row.labels[*last]->role, TokenRole::End);
            QVERIFY(one.effect.where && one.effect.weights > 0);
            QCOMPARE(one.effect.largestOnPadding, 0.0);
            const auto alone = engine->of(single[i], trace::RunWhat());
            const auto limit = ofPaddedWeights("tatoeba-en-de", *alone);
            VERIFY_AGREES(tests::compare("largest change", one.effect.largestChange, 0, limit));
            for (const auto kind :
                 {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf, AttentionKind::Cross}) {
                const auto* record = one.run->record({kind, 0});
                const auto* before = alone->record({kind, 0});
                for (std::size_t q = 0; q < record->mask.rows(); ++q)
                    for (std::size_t k = 0; k < record->mask.columns(); ++k) {
                        const bool later = kind == AttentionKind::DecoderSelf && k > q;
                        const auto& keys =
                            kind == AttentionKind::DecoderSelf ? one.row.input : one.row.source;
                        QCOMPARE(record->mask(q, k) != 0, !later && keys[k].role != TokenRole::Padding);
                        if (isReal(one, kind, q, k) && q < before->mask.rows() && k < before->mask.columns())
                            VERIFY_AGREES(tests::compare("weight", record->weights(1, q, k),
                                                         before->weights(1, q, k), limit));
                    }
            }
        }
        QVERIFY(padded);
        QVERIFY(batch[1].run->request.padding.source > 0);
    }

    void aFamilyThatMasksQueriesLooksAtPadding() {
        const auto engine = app::loadEngine({.familyFolders = app::familyFolders()});
        engine->open({.path = HEADSCOPE_SOURCE "/tests/reference/pi-tau-tiny"}, {});
        const auto request = [](std::vector<std::int64_t> ids) {
            return trace::Request{.source = trace::SourceIds{std::move(ids)}, .paths = {{.newTokens = 4}}};
        };
        const auto batch = widgets::runBatch(*engine, {request({5, 6, 7, 8}), request({5, 6})}, {});
        QVERIFY(batch[1].effect.largestChange > 1e-3);
        QVERIFY(batch[1].effect.largestOnPadding > 1e-3);
        // It needed none in its source.
        VERIFY_AGREES(tests::compare("largest change", batch[0].effect.largestChange, 0,
                                     ofPaddedWeights("pi-tau-tiny", *batch[0].run)));
    }
};

HEADSCOPE_WATCHED_TEST(ServedBatchTest)
#include "served_batch_test.moc"
