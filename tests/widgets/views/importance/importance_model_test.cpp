#include <QAbstractItemModelTester>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_importance.h"
#include "widgets/views/importance/importance_model.h"
#include "widgets/words/importance_words.h"

#include <limits>

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

class ImportanceModelTest : public QObject {
    Q_OBJECT

    static trace::HeadAddress cross(int head) { return {{AttentionKind::Cross, 2}, head}; }
    static trace::HeadAddress encoder(int head) { return {{AttentionKind::EncoderSelf, 0}, head}; }

    static std::vector<analysis::HeadScore> scores() {
        return {{encoder(0), -0.25, 0.5}, {encoder(1), 0, 0}, {cross(3), 0.75, 0.1}, {cross(5), 0.125, 0.2}};
    }

    static QString text(const ImportanceModel& model, int row, int column, int role = Qt::DisplayRole) {
        return model.index(row, column).data(role).toString();
    }

    static QStringList heads(const ImportanceModel& model) {
        QStringList list;
        for (int row = 0; row < model.rowCount(); ++row)
            list += text(model, row, ImportanceModel::Head);
        return list;
    }

  private Q_SLOTS:
    void theModelKeepsTheRulesOfModels() {
        ImportanceModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setScores(scores(), 1);
        model.sort(ImportanceModel::Divergence, Qt::DescendingOrder);
        model.setKind(AttentionKind::Cross);
        model.setScores({}, 1);
    }

    void whatHelpsMostIsFirstWithSignAndRank() {
        ImportanceModel model;
        model.setScores(scores(), 1);
        QCOMPARE(heads(model), (QStringList{"cross.2.3", "cross.2.5", "encoder.0.1", "encoder.0.0"}));
        QCOMPARE(text(model, 0, ImportanceModel::Rank), "1");
        QCOMPARE(text(model, 0, ImportanceModel::Importance), "+0.7500");
        QCOMPARE(text(model, 2, ImportanceModel::Importance), "0.0000");
        QCOMPARE(text(model, 3, ImportanceModel::Importance), "\u22120.2500");
        QCOMPARE(text(model, 3, ImportanceModel::Divergence), "0.5000");
        QCOMPARE(model.limit(), 0.75);
    }

    void barsOfNextToNothingAreShort() {
        ImportanceModel model;
        model.setScores({{{{AttentionKind::Cross, 0}, 0}, 1e-6, 0}}, 1);
        QCOMPARE(model.limit(), analysis::leastImportance);
    }

    void everyColumnSortsAndTheRankStays() {
        ImportanceModel model;
        model.setScores(scores(), 1);
        model.sort(ImportanceModel::Divergence, Qt::DescendingOrder);
        QCOMPARE(heads(model), (QStringList{"encoder.0.0", "cross.2.5", "cross.2.3", "encoder.0.1"}));
        QCOMPARE(text(model, 0, ImportanceModel::Rank), "4");
        model.sort(ImportanceModel::Head, Qt::AscendingOrder);
        QCOMPARE(heads(model), (QStringList{"encoder.0.0", "encoder.0.1", "cross.2.3", "cross.2.5"}));
        model.sort(ImportanceModel::Importance, Qt::AscendingOrder);
        QCOMPARE(heads(model).first(), "encoder.0.0");
        model.sort(ImportanceModel::Bar, Qt::DescendingOrder);
        QCOMPARE(heads(model).first(), "cross.2.3");
        // Other scores come in the same order.
        model.setScores({{encoder(0), 1}, {cross(3), 0}}, 1);
        QCOMPARE(heads(model).first(), "encoder.0.0");
    }

    void oneKindIsShownWithItsRanksAmongAll() {
        ImportanceModel model;
        model.setScores(scores(), 1);
        model.setKind(AttentionKind::EncoderSelf);
        QCOMPARE(heads(model), (QStringList{"encoder.0.1", "encoder.0.0"}));
        QCOMPARE(text(model, 0, ImportanceModel::Rank), "3");
        QVERIFY(model.rowOf(encoder(0)) == 1);
        QVERIFY(!model.rowOf(cross(3)));
        QCOMPARE(model.scores().size(), std::size_t(4));
        QCOMPARE(model.limit(), 0.75);
        model.setKind(std::nullopt);
        QCOMPARE(model.rowCount(), 4);
    }

    void theTwinHasAColumnOfItsOwn() {
        ImportanceModel model;
        model.setScores(scores(), 1);
        QVERIFY(!model.hasTwin());
        model.setTwinScores(
            std::vector<analysis::HeadScore>{{cross(5), -0.5, 0.1}, {encoder(0), 0.125, 0.1}});
        QVERIFY(model.hasTwin());
        QCOMPARE(text(model, 0, ImportanceModel::Twin), "\u2013"); // not known of this head
        QCOMPARE(text(model, 1, ImportanceModel::Twin), "\u22120.5000");
        QVERIFY(text(model, 1, ImportanceModel::Head, Qt::AccessibleTextRole)
                    .endsWith("in the random twin \u22120.5000 nats"));
        model.sort(ImportanceModel::Twin, Qt::DescendingOrder);
        QCOMPARE(heads(model).first(), "encoder.0.0");
        QCOMPARE(heads(model)[1], "cross.2.5");
        QCOMPARE(model.limit(), 0.75);
        model.setTwinScores(std::nullopt);
        QVERIFY(!model.hasTwin());
        QCOMPARE(heads(model).first(), "cross.2.3"); // in the order of the ranks again
    }

    void aSelectedRowMovesWithItsHead() {
        ImportanceModel model;
        model.setScores(scores(), 1);
        const QPersistentModelIndex kept = model.index(0, ImportanceModel::Head);
        model.sort(ImportanceModel::Head, Qt::AscendingOrder);
        QCOMPARE(kept.row(), 2);
        QCOMPARE(kept.data().toString(), "cross.2.3");
    }

    void readersHearTheWholeRow() {
        ImportanceModel model;
        model.setScores(scores(), 1);
        QCOMPARE(text(model, 0, ImportanceModel::Bar, Qt::AccessibleTextRole),
                 "rank 1: cross.2.3, helps, +0.7500 nats, KL 0.1000 nats");
        QVERIFY(text(model, 3, ImportanceModel::Bar, Qt::AccessibleTextRole).contains("hurts"));
        QVERIFY(text(model, 2, ImportanceModel::Bar, Qt::AccessibleTextRole).contains("changes nothing"));
    }

    void aSumSaysWhatItIsPerToken() {
        ImportanceModel model;
        model.setModel(example::model({}));
        model.setScores(scores(), 5);
        const QString tip = text(model, 0, ImportanceModel::Head, Qt::ToolTipRole);
        QVERIFY2(tip.contains("+0.1500 nats per token"), qPrintable(tip));
        QVERIFY2(tip.contains("Cross-attention cross.2.3 (of 3 layers, 8 heads per layer)"), qPrintable(tip));
    }

    void whatIsNoNumberComesLastAndSaysSo() {
        ImportanceModel model;
        const double nan = std::numeric_limits<double>::quiet_NaN();
        model.setScores({{encoder(0), nan, nan}, {encoder(1), -1, 0.5}, {cross(3), 1, 0.25}}, 1);
        QCOMPARE(heads(model).last(), "encoder.0.0");
        QCOMPARE(text(model, 2, ImportanceModel::Importance), "not a number");
        model.sort(ImportanceModel::Divergence, Qt::DescendingOrder);
        QCOMPARE(heads(model).last(), "encoder.0.0");
    }

    void captionsSayWhatIsMeasured() {
        auto run = example::run();
        auto measured = example::importance(*run);
        const auto words = [&](ImportanceScope scope) {
            return importanceCaption(*measured, *run, scope).remove(QChar(0x2068)).remove(QChar(0x2069));
        };
        QCOMPARE(words(5),
                 "Loss in the log-probability of “Tochter” (step 6 of 12) without each head, with the "
                 "original output forced; example-en-de, 72 heads. Above 0: the head helps. Below 0: the "
                 "head hurts.");
        QVERIFY(words({}).startsWith("Loss in the log-probability of the whole output (tokens: 12) without"));
        measured->contrast = example::token(901, "▁%3");
        QVERIFY2(words(5).contains("of “Tochter” compared with “%3” (step 6 of 12)"), qPrintable(words(5)));
        QVERIFY(words({}).contains("(tokens: 12, each compared with “%3”)"));
        run->request.interventions = {{trace::ScaleHead{.head = cross(0)}}};
        QVERIFY(words(5).contains("the changed model's output forced"));
        run->target.clear();
        measured->tokens = {example::token(2, "class")};
        QVERIFY2(words(0).startsWith("Loss in the log-probability of class 2 (which was chosen) without each "
                                     "head; example-en-de"),
                 qPrintable(words(0)));
        auto model = std::make_shared<trace::ModelSummary>(*run->model);
        model->classLabels = {"negative", "neutral", "positive"};
        run->model = model;
        QVERIFY(words(0).startsWith("Loss in the log-probability of positive (which was chosen) without"));
    }
};

HEADSCOPE_WATCHED_TEST(ImportanceModelTest)
#include "importance_model_test.moc"
