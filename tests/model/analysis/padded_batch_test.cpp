#include <QTest>

#include "model/analysis/padded_batch.h"
#include "tests/registered_test.h"

#include <cmath>
#include <limits>

using namespace headscope;
using trace::AttentionKind;
using trace::Token;
using trace::TokenRole;

namespace {

Token token(std::int64_t id) {
    return {.id = id,
            .role = id == 2   ? TokenRole::Start
                    : id == 3 ? TokenRole::End
                    : id == 0 ? TokenRole::Padding
                              : TokenRole::Text};
}

std::vector<Token> tokens(std::initializer_list<std::int64_t> ids) {
    std::vector<Token> all;
    for (const auto id : ids)
        all.push_back(token(id));
    return all;
}

/// A path through these tokens.
trace::Run runOf(std::initializer_list<std::int64_t> ids) {
    trace::Run run;
    auto model = std::make_shared<trace::ModelSummary>();
    model->special = {.start = 2, .end = 3, .padding = 0};
    run.model = model;
    for (const auto id : ids) {
        const auto parent = run.path.empty() ? std::nullopt : std::optional(run.path.back());
        run.path.push_back(run.tree.add({.parent = parent, .token = token(id)}));
    }
    return run;
}

trace::AttentionRecord record(std::size_t rows, std::size_t columns, float value) {
    trace::AttentionRecord made{.site = {AttentionKind::EncoderSelf, 0},
                                .mask = trace::MaskMatrix(rows, columns, 1),
                                .weights = {1, rows, columns}};
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c)
            made.weights.at(0, r, c) = value;
    return made;
}

} // namespace

class PaddedBatchTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theWholeTargetEndsBeforeItsPadding() {
        QCOMPARE(idsOf(analysis::wholeTarget(runOf({2, 10, 3}))), (std::vector<std::int64_t>{2, 10, 3}));
        QCOMPARE(idsOf(analysis::wholeTarget(runOf({2, 10, 3, 0, 0}))),
                 (std::vector<std::int64_t>{2, 10, 3}));
        QCOMPARE(idsOf(analysis::wholeTarget(runOf({2, 10}))), (std::vector<std::int64_t>{2, 10}));
        QVERIFY(analysis::wholeTarget(trace::Run()).empty());
    }

    void aStartTokenThatAlsoPadsIsNoPadding() {
        QCOMPARE(idsOf(analysis::wholeTarget(runOf({0, 10, 3, 0}))), (std::vector<std::int64_t>{0, 10, 3}));
    }

    void anEndThatWasOnlyWeighedBelongsToTheTarget() {
        auto forced = runOf({2, 10});
        forced.tree.add({.parent = forced.path.back(), .token = token(3)});
        QCOMPARE(idsOf(analysis::wholeTarget(forced)), (std::vector<std::int64_t>{2, 10, 3}));
    }

    void everyRowIsAsLongAsTheLongest() {
        const std::vector sources{tokens({7, 8, 9, 3}), tokens({7, 3}), tokens({7, 8, 9, 3})};
        const std::vector targets{tokens({2, 10, 3}), tokens({2, 10, 11, 12, 3}), tokens({2, 10, 11, 3})};
        const auto plan = analysis::batchPlan(sources, targets);
        QCOMPARE(plan.padding, (std::vector<trace::Padding>{{.target = 1}, {.source = 2}, {}}));
        // One token shorter: its end token is fed only next to the longest.
        QCOMPARE(plan.feedsLast, (std::vector<bool>{true, false, true}));
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const auto fed = targets[i].size() - (plan.feedsLast[i] ? 0 : 1);
            QCOMPARE(fed + static_cast<std::size_t>(plan.padding[i].target), std::size_t(4));
        }
    }

    void anEncoderAlonePadsItsSourceOnly() {
        const auto plan = analysis::batchPlan({tokens({7, 8}), tokens({7})}, {{}, {}});
        QCOMPARE(plan.padding, (std::vector<trace::Padding>{{}, {.source = 1}}));
    }

    void thePathFeedsTheEndOnlyBesideSomethingLonger() {
        const auto longest = analysis::batchPath(tokens({2, 10, 3}), false);
        QVERIFY(longest.ends && longest.newTokens == 1);
        const auto shorter = analysis::batchPath(tokens({2, 10, 3}), true);
        QVERIFY(!shorter.ends && shorter.newTokens == 0);
        QCOMPARE(std::get<trace::TargetIds>(shorter.forced).ids, (std::vector<std::int64_t>{2, 10, 3}));
    }

    void aPositionIsScoredOnTheNextToken() {
        trace::Run padded;
        padded.source = tokens({7, 3, 0});
        padded.target = tokens({2, 10, 3, 0});
        const auto row = analysis::batchRow(padded, tokens({2, 10, 3}));
        QCOMPARE(idsOf(row.input), (std::vector<std::int64_t>{2, 10, 3, 0}));
        QCOMPARE(row.labels.size(), row.input.size());
        QCOMPARE(row.labels[0]->id, std::int64_t(10));
        QCOMPARE(row.labels[1]->id, std::int64_t(3)); // the end token last
        QVERIFY(!row.labels[2] && !row.labels[3]);    // padding is not scored
    }

    void theLargestChangeIsFoundWithItsHead() {
        trace::Run alone;
        alone.encoder = {record(2, 2, 0.5f)};
        trace::Run padded;
        padded.encoder = {record(3, 3, 0.5f)};
        padded.encoder[0].weights.at(0, 1, 0) = 0.25f;
        padded.encoder[0].weights.at(0, 1, 2) = 0.125f;
        padded.encoder[0].weights.at(0, 0, 2) = 0;
        padded.encoder[0].weights.at(0, 2, 0) = 9; // row of a pad token: not compared
        const auto effect = analysis::paddingEffect(alone, padded);
        QCOMPARE(effect.largestChange, 0.25);
        QCOMPARE(effect.largestOnPadding, 0.125);
        QCOMPARE(effect.weights, std::size_t(4));
        QVERIFY(effect.where == (trace::HeadAddress{{AttentionKind::EncoderSelf, 0}, 0}));
    }

    void whatBecomesNoNumberIsNoSmallChange() {
        trace::Run alone;
        alone.encoder = {record(1, 1, 0.5f)};
        auto padded = alone;
        padded.encoder[0].weights.at(0, 0, 0) = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(std::isinf(analysis::paddingEffect(alone, padded).largestChange));
    }

    void nothingComparedIsNoChange() { QVERIFY(!analysis::paddingEffect(trace::Run(), trace::Run()).where); }
};

HEADSCOPE_TEST_IN(QCoreApplication, PaddedBatchTest)
#include "padded_batch_test.moc"
