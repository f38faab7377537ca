#include <QTest>

#include "model/analysis/positions/embedding_shares.h"
#include "tests/compared_numbers.h"
#include "tests/model/positional_tables.h"
#include "tests/registered_test.h"

using namespace headscope;
using analysis::embeddingShares;

class EmbeddingSharesTest : public QObject {
    Q_OBJECT

    static void addRow(trace::Run& run, std::vector<float> sum, std::vector<float> position) {
        auto row = std::make_shared<trace::DecodeRow>();
        if (!sum.empty()) {
            const std::size_t width = sum.size();
            row->residual = {1, width, std::move(sum)};
        }
        row->position = std::move(position);
        trace::DecodeNode node{.row = std::move(row)};
        if (!run.path.empty())
            node.parent = run.path.back();
        run.path.push_back(run.tree.add(std::move(node)));
    }

  private Q_SLOTS:
    void theTwoSharesAddUpToOne() {
        const trace::Matrix sums = test::randomTable(20, 16);
        const trace::Matrix positions = test::sinusoidTable(20, 16);
        const auto shares = embeddingShares(trace::view(sums), trace::view(positions));
        QCOMPARE(shares.size(), std::size_t(20));
        for (std::size_t row = 0; row < shares.size(); ++row) {
            const auto& share = shares[row];
            double sizes = 0, whole = 0;
            for (std::size_t i = 0; i < 16; ++i) {
                const double sum = sums(row, i), position = positions(row, i);
                sizes += std::abs(sum) * (std::abs(sum - position) + std::abs(position));
                whole += sum * sum;
            }
            VERIFY_AGREES(tests::compare("sum of shares", share.word + share.position, 1,
                                         tests::ofSum(16 + 4, (sizes + whole) / whole, tests::float64)));
            // Sines and cosines are rounded to float32.
            VERIFY_AGREES(tests::compare("length", share.positionLength, std::sqrt(8.0),
                                         tests::ofRoundings(1, std::sqrt(8.0))));
        }
    }

    void theSharesAreThoseOfAHandMadeExample() {
        // Word (3, 0) and position (-1, 1): their sum (2, 1) has the squared norm 5.
        const trace::Matrix sum(1, 2, std::vector<float>{2, 1});
        const trace::Matrix position(1, 2, std::vector<float>{-1, 1});
        const auto share = embeddingShares(trace::view(sum), trace::view(position)).front();
        QCOMPARE(share.word, 1.2);
        QCOMPARE(share.position, -0.2); // it points away from the sum
        QCOMPARE(share.wordLength, 3.0);
    }

    void aSumOfZeroHasNoShares() {
        const trace::Matrix zero(1, 2);
        const auto share = embeddingShares(trace::view(zero), trace::view(zero)).front();
        QVERIFY(std::isnan(share.word) && std::isnan(share.position));
    }

    void aRunThatRecordedNothingHasNone() {
        trace::Run run;
        addRow(run, {}, {1, 0});
        run.sourcePositions = trace::Matrix(2, 2, 1.0f);
        QVERIFY(analysis::sourceEmbedding(run).sums.empty());
        QVERIFY(analysis::targetEmbedding(run).sums.empty());
        QVERIFY(embeddingShares(analysis::sourceEmbedding(run)).empty());
    }

    void bothSidesOfARunAreRead() {
        trace::Run run;
        run.sourcePositions = trace::Matrix(1, 2, std::vector<float>{-1, 1});
        // After a sublayer, the stream is no longer word and position.
        run.encoderResidual = trace::HeadStack(2, 1, 2, {2, 1, 9, 9});
        addRow(run, {1, 1}, {0, 1});
        addRow(run, {0, 2}, {0, 1});
        run.path.push_back(run.tree.add({.parent = run.path.back()})); // chosen, not fed
        const auto source = embeddingShares(analysis::sourceEmbedding(run));
        QCOMPARE(source.size(), std::size_t(1));
        QCOMPARE(source.front().word, 1.2);
        const auto fed = analysis::targetEmbedding(run);
        QCOMPARE(fed.sums.values(), (std::vector<float>{1, 1, 0, 2}));
        QCOMPARE(fed.positions.values(), (std::vector<float>{0, 1, 0, 1}));
        const auto target = embeddingShares(fed);
        QCOMPARE(target.size(), std::size_t(2));
        QCOMPARE(target.back().position, 0.5);
    }
};

HEADSCOPE_TEST(EmbeddingSharesTest)
#include "embedding_shares_test.moc"
