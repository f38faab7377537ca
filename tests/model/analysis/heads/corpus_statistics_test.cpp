#include <QTest>

#include "model/analysis/heads/corpus_statistics.h"
#include "tests/compared_numbers.h"
#include "tests/model/analysis/hand_made_maps.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;
using namespace headscope::hand_made;
using analysis::CorpusStatistics;
using analysis::Statistic;
using trace::AttentionKind;

namespace {

std::vector<analysis::HeadStatistics> heads(const std::vector<trace::Token>& tokens,
                                            const std::function<double(std::size_t, std::size_t)>& weight) {
    trace::Run run;
    run.source = tokens;
    run.encoder = {map(AttentionKind::EncoderSelf, tokens.size(), tokens.size(), weight)};
    return analysis::statisticsOfHeads(run);
}

constexpr trace::HeadAddress first{{AttentionKind::EncoderSelf, 0}, 0};

} // namespace

class CorpusStatisticsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aMeanIsOverSentencesWhateverTheirLength() {
        CorpusStatistics corpus;
        corpus.add("short", heads(words(4), diagonal));
        corpus.add("long", heads(words(40), column(0)));
        const auto found = corpus.heads();
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found.front().sentences, std::size_t(2));
        QCOMPARE(found.front().rows, std::size_t(44));
        // Even weights are rounded to float32, other sums are in float64.
        VERIFY_AGREES(tests::compare("diagonal", *found.front().values[Statistic::Diagonal],
                                     (1 + 1 / 40.0) / 2, tests::ofSum(40 + 2, 1, tests::float64)));
        VERIFY_AGREES(tests::compare(
            "even diagonal", *found.front().uniform[Statistic::Diagonal], (1 / 4.0 + 1 / 40.0) / 2,
            tests::ofRoundings(1, 1 / 40.0) + tests::ofSum(40 + 2, 1, tests::float64)));
    }

    void sentencesThatAStatisticDoesNotApplyToAreLeftOut() {
        CorpusStatistics corpus;
        corpus.add("with an end", heads(sentence(4), column(3)));
        corpus.add("without", heads(words(4), column(3)));
        QCOMPARE(*corpus.heads().front().values[Statistic::End], 1.0);
        QVERIFY(!corpus.heads().front().values[Statistic::Start]);
    }

    void theIntervalHoldsTheMean() {
        CorpusStatistics corpus;
        for (std::size_t length = 4; length < 20; ++length)
            corpus.add("s", heads(words(length), evenly));
        const auto intervals = corpus.intervals(first);
        const auto& entropy = intervals[std::size_t(Statistic::Entropy)];
        QVERIFY(entropy->low < entropy->mean && entropy->mean < entropy->high);
        VERIFY_AGREES(tests::compare("entropy", entropy->mean,
                                     *corpus.heads().front().values[Statistic::Entropy],
                                     2.0 * tests::ofSum(16 + 1, entropy->mean, tests::float64)));
        QVERIFY(!intervals[std::size_t(Statistic::Monotony)]);
        QVERIFY(!corpus.intervals({{AttentionKind::Cross, 0}, 0})[0]);
    }

    void theSentencesThatDriveAHeadHaveMostOfItsStatistic() {
        CorpusStatistics corpus;
        for (const double weight : {1.0, 9.0, 3.0, 27.0, 2.0, 81.0})
            corpus.add(std::to_string(int(weight)), heads(words(8), [=](std::size_t query, std::size_t key) {
                           return key + 1 == query ? weight : 1.0;
                       }));
        const auto driving = corpus.driving(first, Statistic::Previous);
        QCOMPARE(driving.size(), std::size_t(5));
        QCOMPARE(driving[0].text, std::string("81"));
        QCOMPARE(driving[1].text, std::string("27"));
        QVERIFY(driving[0].value > driving[4].value);
    }

    void rolesOfACorpusArePooledOverItsRows() {
        CorpusStatistics corpus;
        for (int i = 0; i < 9; ++i)
            corpus.add("back", heads(words(11), shifted));
        QCOMPARE(analysis::rolesOf(corpus.heads().front()).front().offset, -1);
        QVERIFY(analysis::drivingStatistic(corpus.heads().front()) == Statistic::Previous);
        for (int i = 0; i < 9; ++i)
            corpus.add("at itself", heads(words(11), diagonal));
        QVERIFY(analysis::rolesOf(corpus.heads().front()).empty());
        QVERIFY(analysis::drivingStatistic(corpus.heads().front()) == Statistic::Confidence);
    }
};

HEADSCOPE_TEST(CorpusStatisticsTest)
#include "corpus_statistics_test.moc"
