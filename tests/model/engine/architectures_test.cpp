#include <QTest>

#include "model/analysis/architecture/architecture_memory.h"
#include "tests/model/engine/engines.h"
#include "tests/registered_test.h"

using namespace headscope;

/// Compares the blocks of the figure with opened models.
class ArchitecturesTest : public QObject {
    Q_OBJECT

    static std::int64_t sum(const std::vector<analysis::ArchitectureBlock>& blocks) {
        std::int64_t sum = 0;
        for (const auto& block : blocks)
            sum += block.parameters;
        return sum;
    }

    static bool isPart(const analysis::ArchitectureBlock& block,
                       const std::vector<std::pair<std::string, std::int64_t>>& named) {
        for (const auto& [name, parameters] : named)
            if (name == block.role && parameters != block.parameters)
                return false;
        return std::ranges::all_of(block.children, [&](const auto& child) { return isPart(child, named); });
    }

  private Q_SLOTS:
    void everyParameterStandsInABlock_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("decodes");
        for (const char* model :
             {"annotated-tiny", "annotated-tiny-tied", "pi-tau-tiny", "marian-tiny", "relative-tiny",
              "rotary-tiny", "torch-transformer-tiny-post-relu", "torch-transformer-tiny-no-bias",
              "hugging-face/bart-tiny", "hugging-face/t5-tiny", "hugging-face/flan-t5-tiny",
              "hugging-face/umt5-tiny", "torch-transformer-tiny-pre-gelu"})
            QTest::newRow(model) << QString(model) << true;
        for (const char* model : {"imdb-classifier-tiny", "nyu-classifier-tiny", "tutorial-encoder-tiny",
                                  "torch-encoder-tiny-final-norm", "hugging-face/bert-tiny-masked",
                                  "hugging-face/roberta-tiny-classes", "hugging-face/electra-tiny-masked",
                                  "hugging-face/electra-tiny-replaced", "hugging-face/distilbert-tiny",
                                  "hugging-face/albert-tiny-masked"})
            QTest::newRow(model) << QString(model) << false;
    }

    void everyParameterStandsInABlock() {
        QFETCH(QString, model);
        QFETCH(bool, decodes);
        const auto engine = engines::start();
        const auto summary =
            engine->open({.path = HEADSCOPE_SOURCE "/tests/reference/" + model.toStdString()}, {});
        const auto made = analysis::architectureOf(*summary);
        QCOMPARE(sum(made.source) + sum(made.target), summary->parameters);
        QCOMPARE(!made.target.empty(), decodes);
        for (const auto* column : {&made.source, &made.target})
            for (const auto& block : *column)
                QVERIFY2(isPart(block, summary->blocks), block.role.c_str());
    }

    void mapsThatARunHoldsHaveTheFiguresShapes() {
        const auto engine = engines::start();
        const auto made = analysis::architectureOf(*engine->open({.path = engines::tiny}, {}));
        const auto run = engine->of(engines::forced({9, 4, 16, 3}, {2, 18, 17}), trace::RunWhat());
        const analysis::Lengths lengths{.source = 4, .target = 3};
        const auto held = [&](const char* role) {
            return elements(made.find(role)->out.front().shape, lengths);
        };
        QCOMPARE(held("encoder.1.self.softmax"), double(run->encoder[1].weights.values().size()));
        QCOMPARE(held("decoder.1.self.softmax"), double(run->decoder[1].weights.values().size()));
        QCOMPARE(held("decoder.1.cross.softmax"), double(run->cross[1].weights.values().size()));
        QVERIFY(analysis::runBytes(*run) > 0);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ArchitecturesTest)
#include "architectures_test.moc"
