#include <QTest>

#include "model/analysis/heads/head_ranking.h"
#include "tests/registered_test.h"

#include <cmath>
#include <limits>
#include <stdexcept>

using namespace headscope;
using namespace headscope::analysis;
using trace::AttentionKind;

class HeadRankingTest : public QObject {
    Q_OBJECT

    static trace::HeadAddress head(AttentionKind kind, int head) { return {{kind, 0}, head}; }

    static trace::HeadImportance measured() {
        trace::HeadImportance importance;
        importance.effects = {{head(AttentionKind::EncoderSelf, 0), {0.5F, -1}, {0.25F, 1}},
                              {head(AttentionKind::Cross, 0), {-2, 3}, {0.5F, 2}}};
        return importance;
    }

  private Q_SLOTS:
    void aStepHasItsOwnScores() {
        const auto scores = headScores(measured(), 1);
        QCOMPARE(scores.size(), std::size_t(2));
        QVERIFY(scores[0] == (HeadScore{head(AttentionKind::EncoderSelf, 0), -1, 1}));
        QVERIFY(scores[1] == (HeadScore{head(AttentionKind::Cross, 0), 3, 2}));
    }

    void aSentenceIsTheSumOfItsSteps() {
        const auto scores = headScores(measured(), std::nullopt);
        QVERIFY(scores[0] == (HeadScore{head(AttentionKind::EncoderSelf, 0), -0.5, 1.25}));
        QVERIFY(scores[1] == (HeadScore{head(AttentionKind::Cross, 0), 1, 2.5}));
    }

    void aStepThatWasNotMeasuredIsRefused() {
        QVERIFY_EXCEPTION_THROWN(headScores(measured(), 2), std::out_of_range);
        QVERIFY(headScores({}, 2).empty());
    }

    void whatHelpsMostComesFirstAndEqualOnesByAddress() {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        std::vector<HeadScore> scores{{head(AttentionKind::Cross, 3), nan},
                                      {head(AttentionKind::Cross, 1), 0.5},
                                      {head(AttentionKind::Cross, 0), -1},
                                      {head(AttentionKind::EncoderSelf, 0), 0.5},
                                      {head(AttentionKind::Cross, 2), 2}};
        rankByImportance(scores);
        std::vector<trace::HeadAddress> order;
        for (const auto& score : scores)
            order.push_back(score.head);
        QVERIFY(order == (std::vector{head(AttentionKind::Cross, 2), head(AttentionKind::EncoderSelf, 0),
                                      head(AttentionKind::Cross, 1), head(AttentionKind::Cross, 0),
                                      head(AttentionKind::Cross, 3)}));
    }

    void theLargestIsFinite() {
        const double infinite = std::numeric_limits<double>::infinity();
        QCOMPARE(largestImportance({}), 0.0);
        QCOMPARE(largestImportance({{{}, -3}, {{}, 2}, {{}, infinite}, {{}, std::nan("")}}), 3.0);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, HeadRankingTest)
#include "head_ranking_test.moc"
