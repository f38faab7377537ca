#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_importance.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/importance/importance_columns.h"
#include "widgets/words/importance_words.h"

#include <limits>

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

class ImportanceColumnsTest : public QObject {
    Q_OBJECT

    static trace::HeadAddress cross(int head) { return {{AttentionKind::Cross, 2}, head}; }
    static trace::HeadAddress encoder(int head) { return {{AttentionKind::EncoderSelf, 0}, head}; }

    static std::vector<analysis::HeadScore> scores() {
        return {{cross(3), 0.75, 0.1}, {cross(5), 0.125, 0.2}, {encoder(1), 0, 0}, {encoder(0), -0.25, 0.5}};
    }

    static QString text(const ColumnTable& table, int row, int column, int role = Qt::DisplayRole) {
        return table.model()->index(row, column).data(role).toString();
    }

    static QStringList heads(const ColumnTable& table) {
        QStringList list;
        for (int row = 0; row < table.model()->rowCount(); ++row)
            list += text(table, row, ImportanceColumns::Head);
        return list;
    }

    /// Sorted as the view's table is at first.
    static void show(ColumnTable& table, const ImportanceRows& rows) {
        table.setSortable(ImportanceColumns::Rank, Qt::AscendingOrder);
        table.setContent(ImportanceColumns::content(rows));
    }

  private Q_SLOTS:
    void whatHelpsMostIsFirstWithSignAndRank() {
        ColumnTable table;
        show(table, {.scores = scores()});
        QCOMPARE(heads(table), (QStringList{"cross.2.3", "cross.2.5", "encoder.0.1", "encoder.0.0"}));
        QCOMPARE(text(table, 0, ImportanceColumns::Rank), "1");
        QCOMPARE(text(table, 0, ImportanceColumns::Importance), "+0.7500");
        QCOMPARE(text(table, 2, ImportanceColumns::Importance), "0.0000");
        QCOMPARE(text(table, 3, ImportanceColumns::Importance), "\u22120.2500");
        QCOMPARE(text(table, 3, ImportanceColumns::Divergence), "0.5000");
        QCOMPARE(table.content().columns[ImportanceColumns::Bar].longest, 0.75);
    }

    void barsOfNextToNothingAreShort() {
        const ImportanceRows rows{.scores = {{{{AttentionKind::Cross, 0}, 0}, 1e-6, 0}}};
        QCOMPARE(rows.limit(), analysis::leastImportance);
    }

    void everyColumnSortsAndTheRankStays() {
        ColumnTable table;
        show(table, {.scores = scores()});
        table.sortByColumn(ImportanceColumns::Divergence, Qt::DescendingOrder);
        QCOMPARE(heads(table), (QStringList{"encoder.0.0", "cross.2.5", "cross.2.3", "encoder.0.1"}));
        QCOMPARE(text(table, 0, ImportanceColumns::Rank), "4");
        table.sortByColumn(ImportanceColumns::Head, Qt::AscendingOrder);
        QCOMPARE(heads(table), (QStringList{"encoder.0.0", "encoder.0.1", "cross.2.3", "cross.2.5"}));
        table.sortByColumn(ImportanceColumns::Importance, Qt::AscendingOrder);
        QCOMPARE(heads(table).first(), "encoder.0.0");
        table.sortByColumn(ImportanceColumns::Bar, Qt::DescendingOrder);
        QCOMPARE(heads(table).first(), "cross.2.3");
        // Other scores come in the same order.
        table.setContent(ImportanceColumns::content({.scores = {{encoder(0), 1}, {cross(3), 0}}}));
        QCOMPARE(heads(table).first(), "encoder.0.0");
    }

    void oneKindIsShownWithItsRanksAmongAll() {
        ColumnTable table;
        show(table, {.scores = scores(), .kind = AttentionKind::EncoderSelf});
        QCOMPARE(heads(table), (QStringList{"encoder.0.1", "encoder.0.0"}));
        QCOMPARE(text(table, 0, ImportanceColumns::Rank), "3");
        QCOMPARE(table.content().columns[ImportanceColumns::Bar].longest, 0.75);
    }

    void theTwinHasAColumnOfItsOwn() {
        ColumnTable table;
        show(table, {.scores = scores()});
        QVERIFY(table.isColumnHidden(ImportanceColumns::Twin));
        show(table,
             {.scores = scores(),
              .twin = std::vector<analysis::HeadScore>{{cross(5), -0.5, 0.1}, {encoder(0), 0.125, 0.1}}});
        QVERIFY(!table.isColumnHidden(ImportanceColumns::Twin));
        QCOMPARE(text(table, 0, ImportanceColumns::Twin), "\u2013"); // not known of this head
        QCOMPARE(text(table, 1, ImportanceColumns::Twin), "\u22120.5000");
        QVERIFY(text(table, 1, ImportanceColumns::Head, Qt::AccessibleTextRole)
                    .endsWith("in the random twin \u22120.5000 nats"));
        table.sortByColumn(ImportanceColumns::Twin, Qt::DescendingOrder);
        QCOMPARE(heads(table).first(), "encoder.0.0");
        QCOMPARE(heads(table)[1], "cross.2.5");
    }

    void readersHearTheWholeRow() {
        ColumnTable table;
        show(table, {.scores = scores()});
        QCOMPARE(text(table, 0, ImportanceColumns::Bar, Qt::AccessibleTextRole),
                 "rank 1: cross.2.3, helps, +0.7500 nats, KL 0.1000 nats");
        QVERIFY(text(table, 3, ImportanceColumns::Bar, Qt::AccessibleTextRole).contains("hurts"));
        QVERIFY(text(table, 2, ImportanceColumns::Bar, Qt::AccessibleTextRole).contains("changes nothing"));
    }

    void aSumSaysWhatItIsPerToken() {
        ColumnTable table;
        show(table, {.scores = scores(), .tokens = 5, .model = example::model({})});
        const QString tip = text(table, 0, ImportanceColumns::Head, Qt::ToolTipRole);
        QVERIFY2(tip.contains("+0.1500 nats per token"), qPrintable(tip));
        QVERIFY2(tip.contains("Cross-attention cross.2.3 (of 3 layers, 8 heads per layer)"), qPrintable(tip));
    }

    void whatIsNoNumberComesLastAndSaysSo() {
        ColumnTable table;
        const double nan = std::numeric_limits<double>::quiet_NaN();
        show(table, {.scores = {{cross(3), 1, 0.25}, {encoder(1), -1, 0.5}, {encoder(0), nan, nan}}});
        QCOMPARE(text(table, 2, ImportanceColumns::Importance), "not a number");
        for (const auto order : {Qt::DescendingOrder, Qt::AscendingOrder}) {
            table.sortByColumn(ImportanceColumns::Divergence, order);
            QCOMPARE(heads(table).last(), "encoder.0.0");
        }
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
        QVERIFY2(words(5).contains("of “Tochter” compared with “%3” (the first candidate of mask 6 of 12)"),
                 qPrintable(words(5)));
        QVERIFY(words({}).contains("(masks: 12, each compared with “%3”)"));
        measured->tokens = {example::token(2, "class")};
        measured->contrast.reset();
        auto model = std::make_shared<trace::ModelSummary>(*run->model);
        model->classes = 3;
        run->model = model;
        QVERIFY2(words(0).startsWith("Loss in the log-probability of #2 (which was chosen) without each "
                                     "head; example-en-de"),
                 qPrintable(words(0)));
        model->classLabels = {"negative", "neutral", "positive"};
        QVERIFY(words(0).startsWith("Loss in the log-probability of positive (which was chosen) without"));
    }
};

HEADSCOPE_WATCHED_TEST(ImportanceColumnsTest)
#include "importance_columns_test.moc"
