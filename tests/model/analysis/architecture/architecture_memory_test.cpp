#include <QTest>

#include "model/analysis/architecture/architecture_memory.h"
#include "tests/registered_test.h"
#include "tests/widgets/example_architecture.h"

using namespace headscope;
using analysis::activationBytes;

class ArchitectureMemoryTest : public QObject {
    Q_OBJECT

    static analysis::Architecture architecture(const example::ArchitectureOptions& options = {}) {
        auto made = example::model({});
        example::describe(*made, options);
        return analysis::architectureOf(*made);
    }

  private Q_SLOTS:
    void anAttentionKeepsItsProjectionsMapsAndOutputs() {
        const auto made = architecture();
        const auto& cross = *made.find("decoder.2.cross");
        const double T = 12, S = 11, d = 64, h = 8;
        // q and the heads' outputs, k and v, scores and weights, the written output
        QCOMPARE(activationBytes(cross, {.source = 11, .target = 12}),
                 4 * (2 * T * d + 2 * S * d + 2 * h * T * S + T * d));
        QCOMPARE(QString::fromStdString(activationFormula(cross)),
                 QString("4 (2 N h T d_k + 2 N h S d_k + 2 N h T S + N T d_model)"));
    }

    void mapsGrowWithTheSquareOfTheLength() {
        const auto made = architecture();
        const auto bytes = [&](const char* role, int times) {
            return activationBytes(*made.find(role), {.source = 10 * times, .target = 10 * times});
        };
        QCOMPARE(bytes("encoder.0.self.softmax", 10), 100 * bytes("encoder.0.self.softmax", 1));
        QCOMPARE(bytes("encoder.0.feed_forward", 10), 10 * bytes("encoder.0.feed_forward", 1));
    }

    void aWholeModelIsTheSumOfItsBlocks() {
        const auto made = architecture();
        const analysis::Lengths lengths{.source = 7, .target = 5};
        double sum = 0;
        for (const auto* column : {&made.source, &made.target})
            for (const auto& block : *column)
                sum += activationBytes(block, lengths);
        QCOMPARE(activationBytes(made, lengths), sum);
    }

    void positionsComputeNothing() {
        QCOMPARE(activationFormula(*architecture().find("source_positions")), std::string());
    }

    void aRunWeighsWhatItsMapsHold() {
        trace::Run run;
        run.encoder.push_back({.mask = trace::MaskMatrix(3, 3), .scores = {2, 3, 3}, .weights = {2, 3, 3}});
        QCOMPARE(analysis::runBytes(run), std::int64_t(9 + 2 * 18 * 4));
        QCOMPARE(analysis::attentionBytes(run), std::int64_t(9 + 2 * 18 * 4));
        auto row = std::make_shared<trace::DecodeRow>();
        row->logProbabilities.resize(10);
        row->residual = trace::Matrix(7, 5);
        row->position.resize(3);
        row->self.push_back({.mask = trace::MaskMatrix(1, 4), .weights = {2, 1, 4}});
        run.tree.add({.row = row});
        auto next = std::make_shared<trace::DecodeRow>();
        next->self.push_back({.weights = row->self.front().weights}); // shared records count once
        run.tree.add({.parent = 0, .row = next});
        run.classLogProbabilities.resize(2);
        run.encoderOutput = trace::Matrix(3, 6);
        run.encoderResidual = {3, 2, 4};
        run.sourcePositions = trace::Matrix(3, 4);
        const std::int64_t attention = 9 + 2 * 18 * 4 + 4 + 8 * 4;
        QCOMPARE(analysis::attentionBytes(run), attention);
        QCOMPARE(analysis::runBytes(run), attention + (10 + 7 * 5 + 3 + 2 + 3 * 6 + 3 * 2 * 4 + 3 * 4) * 4);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ArchitectureMemoryTest)
#include "architecture_memory_test.moc"
