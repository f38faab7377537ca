#include <QTest>

#include "model/analysis/architecture/architecture_blocks.h"
#include "model/trace/request.h"
#include "tests/registered_test.h"
#include "tests/widgets/example_architecture.h"

#include <cmath>

using namespace headscope;
using analysis::ArchitectureBlock;
using analysis::BlockKind;

class ArchitectureBlocksTest : public QObject {
    Q_OBJECT

    static trace::ModelSummary model(const example::ArchitectureOptions& options = {}) {
        auto made = example::model({});
        example::describe(*made, options);
        return *made;
    }

    static QStringList rolesOf(const std::vector<ArchitectureBlock>& blocks) {
        QStringList roles;
        for (const auto& block : blocks)
            roles += QString::fromStdString(block.role);
        return roles;
    }

    static std::int64_t sum(const std::vector<ArchitectureBlock>& blocks) {
        std::int64_t sum = 0;
        for (const auto& block : blocks)
            sum += block.parameters;
        return sum;
    }

  private Q_SLOTS:
    void theColumnsFollowThePass() {
        const auto made = analysis::architectureOf(model());
        QCOMPARE(rolesOf(made.source).join(' '),
                 QString("source_embedding source_positions source_sum encoder"));
        QCOMPARE(rolesOf(made.target).join(' '),
                 QString("target_embedding target_positions target_sum decoder generator log_softmax"));
        QCOMPARE(rolesOf(made.find("encoder")->children).join(' '),
                 QString("encoder.0 encoder.1 encoder.2 encoder.final_norm"));
        QVERIFY(made.ties.empty());
    }

    void aNormOfTheEmbeddingsIsTheLastBeforeItsStack() {
        auto normed = model();
        for (const char* role : {"encoder.embedding_norm", "decoder.embedding_norm"})
            normed.blocks.emplace_back(role, 2 * normed.modelWidth);
        const auto made = analysis::architectureOf(normed);
        QCOMPARE(rolesOf(made.source).join(' '),
                 QString("source_embedding source_positions source_sum encoder.embedding_norm encoder"));
        QCOMPARE(rolesOf(made.target).mid(2, 3).join(' '),
                 QString("target_sum decoder.embedding_norm decoder"));
        QCOMPARE(made.find("encoder.embedding_norm")->parameters, std::int64_t(2 * normed.modelWidth));
    }

    /// A trace of weights alone describes nothing around attention.
    void ofATraceAttentionAloneIsKnown() {
        trace::ModelSummary recorded{
            .encoderLayers = 1, .decoderLayers = 1, .encoderHeads = 2, .decoderHeads = 2};
        recorded.recorded = std::make_shared<const trace::Request>();
        const auto made = analysis::architectureOf(recorded);
        QCOMPARE(rolesOf(made.source).join(' '), QString("encoder"));
        QCOMPARE(rolesOf(made.target).join(' '), QString("decoder"));
        QCOMPARE(rolesOf(made.find("decoder.0")->children).join(' '),
                 QString("decoder.0.self decoder.0.cross"));
        QCOMPARE(sum(made.source) + sum(made.target), 0);
        const analysis::Lengths lengths{.source = 4, .target = 3};
        QCOMPARE(analysis::numbers(made.sourceIn, lengths), std::string("(1, 4, d_model)"));
        QVERIFY(std::isnan(analysis::elements(made.sourceIn, lengths)));
        QCOMPARE(analysis::elements(made.find("encoder.0.self.softmax")->out.front().shape, lengths), 32.0);
    }

    void theNormStandsWhereTheSchemePutsIt_data() {
        QTest::addColumn<QString>("scheme");
        QTest::addColumn<QString>("order");
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::newRow("x + f(norm(x))") << "pre"
                                        << "norm_self self add_self" << 0 << 2;
        QTest::newRow("norm(x + f(x))") << "post"
                                        << "self add_self norm_self" << 0 << 1;
        QTest::newRow("norm(x) + f(norm(x))") << "pre-normed-residual"
                                              << "norm_self self add_self" << 1 << 2;
        QTest::newRow("x + norm(f(x))") << "sublayer-output"
                                        << "self norm_self add_self" << 0 << 2;
    }

    void theNormStandsWhereTheSchemePutsIt() {
        QFETCH(QString, scheme);
        QFETCH(QString, order);
        QFETCH(int, from);
        QFETCH(int, to);
        const auto made = analysis::architectureOf(model({.norm = qPrintable(scheme)}));
        const auto* layer = made.find("encoder.0");
        QCOMPARE(rolesOf(layer->children).mid(0, 3).join(' ').remove("encoder.0."), order);
        QCOMPARE(int(layer->bypasses[0].from), from);
        QCOMPARE(int(layer->bypasses[0].to), to);
        QCOMPARE(int(layer->bypasses[1].from), from + 3);
        QCOMPARE(int(layer->bypasses[1].to), to + 3);
    }

    void bothSublayersOfAParallelLayerReadItsInput() {
        const auto made = analysis::architectureOf(model({.norm = "parallel", .classifier = true}));
        const auto* layer = made.find("encoder.0");
        QCOMPARE(rolesOf(layer->children).join(' ').remove("encoder.0."),
                 QString("norm_self self norm_feed_forward feed_forward add_feed_forward"));
        QStringList bypasses;
        for (const auto& bypass : layer->bypasses)
            bypasses +=
                QString("%1-%2%3").arg(bypass.from).arg(bypass.to).arg(bypass.isInner ? " inner" : "");
        QCOMPARE(bypasses.join(", "), QString("0-4, 0-2, 2-4 inner"));
        for (std::size_t i = 0; i < layer->children.size(); ++i)
            QCOMPARE(layer->children[i].isFedByBypass, i == 2);
    }

    void everyTensorHasItsShape() {
        const auto made = analysis::architectureOf(model());
        const analysis::Lengths lengths{.source = 11, .target = 12};
        const auto shape = [&](const char* role, std::size_t tensor = 0) {
            const auto& out = made.find(role)->out.at(tensor);
            return QString::fromStdString(out.name + letters(out.shape) + numbers(out.shape, lengths));
        };
        QCOMPARE(shape("encoder"), QString("(N, S, d_model)(1, 11, 64)"));
        QCOMPARE(shape("decoder.0.self.projections"), QString("Q, K(N, h, T, d_k)(1, 8, 12, 8)"));
        QCOMPARE(shape("decoder.0.cross.projections", 1), QString("K(N, h, S, d_k)(1, 8, 11, 8)"));
        QCOMPARE(shape("decoder.0.cross.softmax"), QString("(N, h, T, S)(1, 8, 12, 11)"));
        QCOMPARE(shape("decoder.0.feed_forward.in"), QString("(N, T, d_ff)(1, 12, 256)"));
        QCOMPARE(shape("generator"), QString("(N, T, V)(1, 12, 8000)"));
        QCOMPARE(shape("source_positions"), QString("(S, d_model)(11, 64)"));
    }

    void parametersAddUpToTheModels() {
        for (const bool tied : {false, true}) {
            const auto summary = model({.tied = tied});
            const auto made = analysis::architectureOf(summary);
            QCOMPARE(sum(made.source) + sum(made.target), summary.parameters);
        }
    }

    void tiedWeightsAreJoinedAndCountedOnce() {
        const auto made = analysis::architectureOf(model({.tied = true}));
        QCOMPARE(made.ties.size(), std::size_t(2));
        QCOMPARE(made.ties[0], analysis::Tie("source_embedding", "target_embedding"));
        QCOMPARE(made.ties[1], analysis::Tie("target_embedding", "generator"));
        QCOMPARE(made.find("generator")->parameters, 0);
    }

    void aClassifierHasNoDecoder() {
        const auto made = analysis::architectureOf(model({.classifier = true}));
        QVERIFY(made.target.empty());
        QCOMPARE(rolesOf(made.source).mid(4).join(' '), QString("pooling classifier class_log_softmax"));
        QCOMPARE(QString::fromStdString(letters(made.find("classifier")->out[0].shape)), QString("(N, C)"));
    }

    void withoutAnEmbeddingVectorsComeIn() {
        auto summary = model({.classifier = true});
        summary.sourceVocabulary = 0;
        const auto made = analysis::architectureOf(summary);
        QCOMPARE(QString::fromStdString(letters(made.sourceIn)), QString("(N, S, d_model)"));
        QCOMPARE(rolesOf(made.source).front(), QString("encoder"));
    }

    void onlyCrossAttentionReadsTheEncodersOutput() {
        const auto made = analysis::architectureOf(model());
        for (const char* role : {"decoder", "decoder.1", "decoder.1.cross", "decoder.1.cross.projections"})
            QVERIFY2(made.find(role)->readsMemory, role);
        for (const char* role : {"encoder", "decoder.1.self", "decoder.1.cross.scores", "generator"})
            QVERIFY2(!made.find(role)->readsMemory, role);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ArchitectureBlocksTest)
#include "architecture_blocks_test.moc"
