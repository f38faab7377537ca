#include <QTest>

#include "model/analysis/head_similarity.h"
#include "tests/model/analysis/hand_made_maps.h"

#include <array>
#include <cmath>

using namespace headscope;
using namespace headscope::hand_made;
using analysis::jensenShannon;
using trace::AttentionKind;

namespace {

/// One head a layer.
trace::Run runOf(std::initializer_list<std::function<double(std::size_t, std::size_t)>> heads) {
    trace::Run run;
    run.source = words(6);
    for (const auto& head : heads) {
        run.encoder.push_back(map(AttentionKind::EncoderSelf, 6, 6, head));
        run.encoder.back().site.layer = static_cast<int>(run.encoder.size()) - 1;
    }
    return run;
}

} // namespace

class HeadSimilarityTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theDivergenceOfAHeadFromItselfIsZero() {
        const std::array some{0.5F, 0.25F, 0.25F, 0.0F};
        QCOMPARE(jensenShannon(some, some), 0.0);
    }

    void itIsSymmetricAndNeverAboveOne() {
        const std::array one{0.5F, 0.5F, 0.0F};
        const std::array other{0.1F, 0.2F, 0.7F};
        QVERIFY(std::abs(jensenShannon(one, other) - jensenShannon(other, one)) < 1e-12);
        QVERIFY(jensenShannon(one, other) > 0 && jensenShannon(one, other) < 1);
    }

    void oneHotRowsOnDifferentKeysAreOneApart() {
        QCOMPARE(jensenShannon(std::array{1.0F, 0.0F}, std::array{0.0F, 1.0F}), 1.0);
    }

    void headsAreComparedAllWithAll() {
        const auto found =
            analysis::headDivergences(runOf({diagonal, column(2), diagonal}), AttentionKind::EncoderSelf);
        QCOMPARE(found.heads.size(), std::size_t(3));
        QCOMPARE(found.values(0, 0), 0.0F);
        QCOMPARE(found.values(0, 2), 0.0F);
        QVERIFY(std::abs(found.values(0, 1) - 5 / 6.0F) < 1e-6F); // row 2 is the same
        QCOMPARE(found.values(0, 1), found.values(1, 0));
    }

    void rowsThatSayNothingAreLeftOut() {
        auto run = runOf({diagonal, column(2)});
        run.source[2].role = trace::TokenRole::Padding;
        QCOMPARE(analysis::headDivergences(run, AttentionKind::EncoderSelf).values(0, 1), 1.0F);
        for (auto& record : run.encoder)
            record.mask = trace::MaskMatrix(6, 6);
        QVERIFY(std::isnan(analysis::headDivergences(run, AttentionKind::EncoderSelf).values(0, 1)));
    }

    void headsBelowTheThresholdAreOneGroup() {
        const auto nearly = [](std::size_t query, std::size_t key) { return query == key ? 0.9 : 0.02; };
        const auto found = analysis::headDivergences(runOf({diagonal, column(2), nearly, column(3), shifted}),
                                                     AttentionKind::EncoderSelf);
        using Groups = std::vector<std::vector<std::size_t>>;
        QVERIFY(analysis::similarHeads(found, 0.1) == (Groups{{0, 2}, {1}, {3}, {4}}));
        QVERIFY(analysis::similarHeads(found, 0) == (Groups{{0}, {1}, {2}, {3}, {4}}));
        QCOMPARE(analysis::similarHeads(found, 1.1).size(), std::size_t(1));
        QVERIFY(analysis::similarHeads({}, 0.5).empty());
    }
};

QTEST_APPLESS_MAIN(HeadSimilarityTest)
#include "head_similarity_test.moc"
