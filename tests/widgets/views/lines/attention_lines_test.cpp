#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/views/lines/attention_lines.h"

using namespace headscope;
using namespace headscope::widgets;

class AttentionLinesTest : public QObject {
    Q_OBJECT

    static trace::AttentionRecord record() {
        trace::AttentionRecord made{.mask = trace::MaskMatrix(2, 3, 1), .weights = {2, 2, 3}};
        made.weights = {2, 2, 3, {0.7F, 0.2F, 0.1F, 0.02F, 0.08F, 0.9F, 0.3F, 0.3F, 0.4F, 1, 0, 0}};
        return made;
    }

  private Q_SLOTS:
    void weakLinesAreLeftOutAndCounted() {
        const auto strong = strongLines(record(), {0}, 0.15, 100);
        QCOMPARE(strong.lines,
                 (std::vector<AttentionLine>{{0, 1, 0, 0.2F}, {0, 0, 0, 0.7F}, {1, 2, 0, 0.9F}}));
        QCOMPARE(strong.leftOut, std::size_t(3));
        QVERIFY(std::abs(strong.weightLeftOut - 0.1) < 1e-6);
        QCOMPARE(strong.threshold, 0.15);
    }

    void whatIsTooManyRaisesTheThreshold() {
        const auto strong = strongLines(record(), {0, 1}, 0.05, 3);
        QCOMPARE(strong.lines.size(), std::size_t(3));
        QCOMPARE(strong.lines.back().weight, 1.0F);
        QCOMPARE(strong.threshold, static_cast<double>(0.7F));
        QCOMPARE(strong.leftOut, std::size_t(9));
        QVERIFY(std::abs(strong.weightLeftOut - 1.4 / 4) < 1e-6);
    }

    void aClosedCellHasNoLineWhateverItsWeight() {
        auto closed = record();
        closed.mask(1, 2) = 0;
        const auto strong = strongLines(closed, {0}, 0.15, 100);
        QCOMPARE(strong.lines.size(), std::size_t(2));
        QCOMPARE(strong.leftOut, std::size_t(3));
        QVERIFY(linesOfToken(closed, {0}, {}, 2, 0.15).empty());
    }

    void aTokensOwnLinesAreThoseOfItsRowOrColumn() {
        QCOMPARE(
            linesOfToken(record(), {0, 1}, 0, {}, 0.25),
            (std::vector<AttentionLine>{{0, 0, 1, 0.3F}, {0, 1, 1, 0.3F}, {0, 2, 1, 0.4F}, {0, 0, 0, 0.7F}}));
        QCOMPARE(linesOfToken(record(), {0}, {}, 2, 0.05),
                 (std::vector<AttentionLine>{{0, 2, 0, 0.1F}, {1, 2, 0, 0.9F}}));
        // With a query and a key, the lines of the query's row are returned.
        QCOMPARE(linesOfToken(record(), {0}, 1, 0, 0.5), (std::vector<AttentionLine>{{1, 2, 0, 0.9F}}));
    }

    void nothingIsNoError() {
        QVERIFY(strongLines({}, {0}, 0.1, 10).lines.empty());
        QVERIFY(strongLines(record(), {7, -1}, 0.1, 10).lines.empty());
        QVERIFY(linesOfToken(record(), {0}, 9, {}, 0).empty());
        auto broken = record();
        broken.weights.at(0, 0, 0) = std::nanf("");
        QCOMPARE(strongLines(broken, {0}, 0.15, 10).lines.size(), std::size_t(2));
    }
};

HEADSCOPE_WATCHED_TEST(AttentionLinesTest)
#include "attention_lines_test.moc"
