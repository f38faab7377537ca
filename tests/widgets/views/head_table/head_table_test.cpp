#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "model/analysis/heads/head_ranking.h"
#include "tests/watched_test.h"
#include "tests/widgets/example_importance.h"
#include "widgets/export/figure_export.h"
#include "widgets/tables/column_table.h"
#include "widgets/tables/frozen_column.h"
#include "widgets/views/head_table/head_columns.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/words/statistic_words.h"

#include <algorithm>

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

class HeadTableTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<HeadTable> table_;

    ColumnTable* view() const { return table_->findChild<ColumnTable*>(); }
    QComboBox* box(const char* name) const {
        for (auto* box : table_->findChildren<QComboBox*>())
            if (box->accessibleName().contains(name))
                return box;
        return nullptr;
    }
    int rows() const { return view()->model()->rowCount(); }
    QString headOf(int row) const { return view()->model()->index(row, HeadColumns::Head).data().toString(); }
    QModelIndex cell(int row, const char* title) const {
        for (int column = 0; column < view()->model()->columnCount(); ++column)
            if (view()->model()->headerData(column, Qt::Horizontal).toString() == title)
                return view()->model()->index(row, column);
        return {};
    }
    void search(const QString& words) {
        for (auto* field : table_->findChildren<QLineEdit*>())
            if (field->accessibleName() == "Search heads")
                field->setText(words);
    }
    bool says(const QString& words) const {
        const auto labels = table_->findChildren<QLabel*>();
        return std::ranges::any_of(
            labels, [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
    }
    void show(const std::shared_ptr<trace::Run>& run = example::run()) {
        table_->setRun(run);
        table_->setStatistics(analysis::statisticsOfHeads(*run));
    }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<Selection>();
        selection_->setHead(example::aligningHead);
        table_ = std::make_unique<HeadTable>(selection_.get());
        table_->resize(1000, 420);
        table_->show();
        QVERIFY(QTest::qWaitForWindowExposed(table_.get()));
    }

    void cleanup() { table_.reset(); }

    void withoutARunItSaysWhatItWouldShow() {
        QVERIFY(says("press Enter"));
        QVERIFY(!view()->isVisible());
        QVERIFY(!table_->hasFigure());
    }

    void everyHeadIsListedByAddress() {
        show();
        QCOMPARE(rows(), 72);
        QCOMPARE(headOf(0), "encoder.0.0");
        QVERIFY(says("72 of 72"));
        QVERIFY(says("on this sentence"));
    }

    void theSelectedHeadIsTheSelectedRowAndBack() {
        show();
        const auto selected = [&] { return headOf(view()->selectionModel()->selectedRows().value(0).row()); };
        QCOMPARE(selected(), "cross.2.5");
        selection_->setHead({{AttentionKind::DecoderSelf, 1}, 3});
        QCOMPARE(selected(), "decoder.1.3");
        view()->scrollToTop();
        QTest::mouseClick(view()->viewport(), Qt::LeftButton, {},
                          view()->visualRect(view()->model()->index(1, 0)).center());
        QVERIFY(selection_->head() == (trace::HeadAddress{{AttentionKind::EncoderSelf, 0}, 1}));
        QTest::keyClick(view(), Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(selection_->head() == (trace::HeadAddress{{AttentionKind::EncoderSelf, 0}, 2}));
        QCOMPARE(view()->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(table_->findChild<FrozenColumn*>()->selectionMode(), QAbstractItemView::SingleSelection);
    }

    void enterOpensTheHead() {
        show();
        const QSignalSpy intended(table_.get(), &View::intended);
        QTest::keyClick(view(), Qt::Key_Return);
        QCOMPARE(intended.size(), 1);
        QVERIFY(std::holds_alternative<intents::OpenHead>(intended.front().front().value<Intent>()));
        QVERIFY(selection_->head() == example::aligningHead);
    }

    void headersSortAndWhatDoesNotApplyComesLast() {
        show();
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            view()->sortByColumn(cell(0, "Distance").column(), order);
            const double first = cell(0, "Distance").data().toString().toDouble();
            const double second = cell(1, "Distance").data().toString().toDouble();
            QVERIFY(order == Qt::AscendingOrder ? first <= second : first >= second);
            QVERIFY(headOf(71).startsWith("cross"));
            QCOMPARE(cell(71, "Distance").data().toString(), QString("\u2013"));
        }
    }

    void wordsFindAddressesAndRoles() {
        show();
        search("cross 2");
        QCOMPARE(rows(), 8);
        QVERIFY(headOf(0).startsWith("cross.2."));
        search("Cross.2.5");
        QCOMPARE(rows(), 1);
        search("encoder");
        QCOMPARE(rows(), 24);
        search("aligning");
        QVERIFY(rows() > 0 && rows() < 72);
        for (int row = 0; row < rows(); ++row)
            QVERIFY(view()
                        ->model()
                        ->index(row, HeadColumns::Role)
                        .data()
                        .toString()
                        .contains("on this sentence"));
        search("no such thing");
        QVERIFY(says("No role or head is called"));
        QVERIFY(!table_->hasFigure());
    }

    void aRoleThatNoHeadHasSaysWhatItNeedsAndListsTheNearest() {
        show();
        search("aligning");
        QVERIFY(rows() > 0 && !says("nearest"));
        const auto heads = table_->known().statistics();
        const auto nearnessOf = [&](const QString& role, const QString& head) {
            const auto address = trace::parseHeadAddress(head.toStdString());
            return roleLike({role})->nearness(*table_->known().of(*address));
        };
        search("reversed");
        QVERIFY(says("monotony of at most \u22120.80") && says("confidence of at least 0.50"));
        QVERIFY(says("No head has this role; the nearest: "));
        QCOMPARE(rows(), 5);
        QVERIFY(view()->isVisible());
        double before = 1;
        for (int row = 0; row < rows(); ++row) {
            const auto near = nearnessOf("reversed", headOf(row));
            QVERIFY(near && *near <= before);
            before = *near;
            QVERIFY(says(headOf(row) + " has ")); // monotony or confidence
        }
        int nearer = 0;
        for (const auto& head : heads)
            nearer += roleLike({"reversed"})->nearness(head).value_or(-10) > before;
        QCOMPARE(nearer, 4);
        search("encoder reversed");
        QCOMPARE(rows(), 0);
        QVERIFY(says("None of the searched heads can have this role"));
        search("cross");
        QCOMPARE(rows(), 24);
        QVERIFY(!says("Nearest"));
    }

    void theOnlyHitIsSelectedWhereItIsTyped() {
        show();
        const trace::HeadAddress wanted{{AttentionKind::DecoderSelf, 1}, 4};
        search("decoder.1.4"); // as a session does that is opened
        QCoreApplication::processEvents();
        QVERIFY(selection_->head() == example::aligningHead);
        search("");
        for (auto* field : table_->findChildren<QLineEdit*>())
            if (field->accessibleName() == "Search heads")
                QTest::keyClicks(field, "decoder.1.4");
        QCOMPARE(rows(), 1);
        QTRY_VERIFY(selection_->head() == wanted);
    }

    void numbersAreHeldAgainstLimits() {
        show();
        const auto count = [&](auto&& holds) {
            int heads = 0;
            for (const auto& head : table_->known().statistics())
                heads += holds(head) ? 1 : 0;
            return heads;
        };
        const auto isNarrow = [](const auto& head) {
            const auto& entropy = head.values[analysis::Statistic::Entropy];
            return entropy && *entropy < 1.5;
        };
        const int narrow = count(isNarrow);
        QVERIFY(narrow > 0 && narrow < 72);
        search("entropy < 1.5");
        QCOMPARE(rows(), narrow);
        search("bits<1.5"); // as the command line's table calls it
        QCOMPARE(rows(), narrow);
        search("cross entropy < 1.5");
        QCOMPARE(rows(), count([&](const auto& head) {
                     return isNarrow(head) && head.head.site.kind == AttentionKind::Cross;
                 }));
        search("entropy < 1.5 entropy > 1.5");
        QCOMPARE(rows(), 0);
        QVERIFY(says("No head has entropy < 1.5 and entropy > 1.5"));
        search("diagonal > 200 %");
        QVERIFY(says("No head has diagonal > 200%"));
        search("cross diagonal > 0"); // which is of self-attention
        QVERIFY(says("No \u201C"));
        search("entropi < 1");
        QVERIFY(rows() == 0 && says("is called “") && says("entropy, "));
        search("entropy < few");
        QVERIFY(rows() == 0 && says("is not a number"));
        search("importance > 0");
        QVERIFY(rows() == 0 && says("has not been measured yet"));
        search("entropy");
        QVERIFY(says("Compare “entropy” with a number"));
        search("");
        QCOMPARE(rows(), 72);
    }

    void numbersStandOnTheirSideOfTheLimitThatTheyAreHeldAgainst() {
        show();
        const auto& heads = table_->known().statistics();
        const auto roundedUp = std::ranges::find_if(heads, [](const auto& head) {
            const auto entropy = head.values[analysis::Statistic::Entropy];
            return entropy && QString::number(*entropy, 'f', 2).toDouble() > *entropy;
        });
        QVERIFY(roundedUp != heads.end());
        const double entropy = *roundedUp->values[analysis::Statistic::Entropy];
        const QString limit = QString::number(entropy, 'f', 2);
        search("entropy < " + limit);
        bool isListed = false;
        for (int row = 0; row < rows(); ++row) {
            const QString text = cell(row, "Entropy").data().toString();
            QVERIFY2(text.toDouble() < limit.toDouble(), qPrintable(text));
            isListed = isListed || text.size() > limit.size();
        }
        QVERIFY(isListed);
        search("entropy >= " + limit);
        for (int row = 0; row < rows(); ++row)
            QVERIFY(cell(row, "Entropy").data().toString().toDouble() >= limit.toDouble());
        search("");
        for (int row = 0; row < rows(); ++row)
            QCOMPARE(cell(row, "Entropy").data().toString().size(), 4);
    }

    void namesOfHeadsStayWhereItIsScrolledSideways() {
        table_->resize(420, 300);
        show();
        auto* names = table_->findChild<FrozenColumn*>();
        QVERIFY(!names->isVisible());
        view()->horizontalScrollBar()->setValue(view()->horizontalScrollBar()->maximum());
        QVERIFY(names->isVisible());
        QVERIFY(!view()->viewport()->rect().contains(view()->visualRect(cell(0, "Head")).center()));
        QCOMPARE(names->rowAt(1), view()->rowAt(1));
        QTest::mouseClick(names->viewport(), Qt::LeftButton, {},
                          names->visualRect(names->model()->index(view()->rowAt(1), 0)).center());
        QCOMPARE(QString::fromStdString(trace::toString(selection_->head())), headOf(view()->rowAt(1)));
        const auto* title = names->horizontalHeader();
        view()->sortByColumn(cell(0, "Entropy").column(), Qt::DescendingOrder);
        QTest::mouseClick(title->viewport(), Qt::LeftButton, {}, {8, title->height() / 2});
        QCOMPARE(headOf(0), "encoder.0.0");
        view()->horizontalScrollBar()->setValue(0);
        QVERIFY(!names->isVisible());
    }

    void whoSortsSeesTheFirstAndTheHeadStaysSelected() {
        show();
        QVERIFY(view()->rowAt(1) > 0); // where the selected head is
        auto* header = view()->horizontalHeader();
        const int column = cell(0, "Entropy").column();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          {header->sectionViewportPosition(column) + 8, header->height() / 2});
        QCOMPARE(header->sortIndicatorSection(), column);
        QCOMPARE(view()->rowAt(1), 0);
        QVERIFY(selection_->head() == example::aligningHead);
        QCOMPARE(headOf(view()->selectionModel()->selectedRows().value(0).row()), "cross.2.5");
    }

    void rolesAreNeverCut() {
        show();
        QVERIFY(rows() > 0);
        for (int row = 0; row < rows(); ++row)
            QVERIFY(view()->fontMetrics().horizontalAdvance(
                        view()->model()->index(row, HeadColumns::Role).data().toString()) +
                        view()->fontMetrics().averageCharWidth() <=
                    view()->columnWidth(HeadColumns::Role));
    }

    void aFilterThatHidesTheHeadChoosesNoOther() {
        show();
        for (const char* words : {"encoder", "cross 1", "decoder.0.3", "no such thing", ""}) {
            search(words);
            QVERIFY(selection_->head() == example::aligningHead);
        }
        table_->setCell(WatchedCell{.kind = AttentionKind::Cross, .query = 0, .key = 8});
        QVERIFY(selection_->head() == example::aligningHead);
    }

    void oneKindCanBeListedAndItsColumnsAlone() {
        show();
        box("Kinds")->setCurrentIndex(3);
        QCOMPARE(rows(), 24);
        QVERIFY(headOf(0).startsWith("cross"));
        QVERIFY(view()->isColumnHidden(cell(0, "Distance").column()));
        box("Kinds")->setCurrentIndex(0);
        QVERIFY(!view()->isColumnHidden(cell(0, "Distance").column()));
        // The head that was hidden is selected again.
        QCOMPARE(headOf(view()->selectionModel()->selectedRows().value(0).row()), "cross.2.5");
    }

    void headsThatLookFromHereToThereAreListedByTheirWeight() {
        const auto run = example::run();
        show(run);
        table_->setCell(WatchedCell{.kind = AttentionKind::Cross, .query = 5, .key = 5});
        QVERIFY(says("Heads whose attention from"));
        QVERIFY(says("Tochter") && says("daughter"));
        QVERIFY(rows() > 1 && rows() < 24);
        double before = 1;
        for (int row = 0; row < rows(); ++row) {
            const double weight = cell(row, "Weight").data().toString().toDouble();
            QVERIFY(weight <= before && weight >= 0.1);
            before = weight;
        }
        const int some = rows();
        table_->findChild<QDoubleSpinBox*>()->setValue(0);
        QCOMPARE(rows(), 24);
        QVERIFY(some < rows());
        QTest::mouseClick(table_->findChild<QToolButton*>(), Qt::LeftButton);
        QCOMPARE(rows(), 72);
        QVERIFY(view()->isColumnHidden(HeadColumns::Here));
    }

    void aCellThatIsClosedIsLookedAtByNoHead() {
        show();
        table_->setCell(WatchedCell{.kind = AttentionKind::DecoderSelf, .query = 2, .key = 5});
        table_->findChild<QDoubleSpinBox*>()->setValue(0);
        QCOMPARE(rows(), 0);
        table_->setRun(example::run()); // its tokens may be others
        QCOMPARE(rows(), 72);
    }

    void importanceHasAColumnOnceItIsMeasured() {
        const auto run = example::run();
        show(run);
        QVERIFY(view()->isColumnHidden(HeadColumns::Importance));
        table_->setImportance(analysis::headScores(*example::importance(*run), std::nullopt));
        QVERIFY(!view()->isColumnHidden(HeadColumns::Importance));
        view()->sortByColumn(HeadColumns::Importance, Qt::DescendingOrder);
        QVERIFY(cell(0, "Importance").data().toString().startsWith('+'));
        table_->setImportance({});
        QVERIFY(view()->isColumnHidden(HeadColumns::Importance));
    }

    void tooltipsHoldTheNumbersAgainstEvenAttentionAndTheTwin() {
        const auto run = example::run();
        show(run);
        const auto tip = [&] { return cell(0, "Diagonal").data(Qt::ToolTipRole).toString(); };
        QVERIFY(tip().contains("Uniform attention: 0.09"));
        QVERIFY(!tip().contains("Random twin"));
        table_->setTwin(analysis::statisticsOfHeads(*run));
        QVERIFY(tip().contains("Random twin: " + cell(0, "Diagonal").data().toString()));
    }

    void aCorpusIsShownWhenItIsThere() {
        const auto run = example::run();
        show(run);
        QVERIFY(!box("Sentences")->isVisible());
        auto heads = analysis::statisticsOfHeads(*run);
        for (auto& head : heads) {
            head.sentences = 8;
            head.values[analysis::Statistic::Entropy] = 1.25;
        }
        table_->setCorpus(heads);
        QVERIFY(table_->showsCorpus());
        QCOMPARE(cell(0, "Entropy").data().toString(), "1.25");
        QVERIFY(says("on these 8 sentences"));
        box("Sentences")->setCurrentIndex(0);
        QVERIFY(says("on this sentence"));
        table_->setCorpus({});
        QVERIFY(!table_->showsCorpus());
    }

    void theTwinStandsBesideTheSentencesItHasReadAlone() {
        const auto run = example::run();
        show(run);
        auto heads = analysis::statisticsOfHeads(*run);
        table_->setTwin(heads);
        QVERIFY(says("for the same output"));
        for (auto& head : heads)
            head.sentences = 8;
        table_->setCorpus(heads);
        QVERIFY(!table_->known().twinOf(heads.front().head));
        QVERIFY(!says("twin"));
        for (auto& head : heads)
            head.values[analysis::Statistic::Diagonal] = 0.5;
        table_->setTwinOfCorpus(heads);
        QVERIFY(cell(0, "Diagonal").data(Qt::ToolTipRole).toString().contains("Random twin: 0.50"));
        QVERIFY(says("for the same sentences"));
        QVERIFY(!says("Importance refers to the shown sentence only"));
        table_->setImportance(analysis::headScores(*example::importance(*run), std::nullopt));
        QVERIFY(says("Importance refers to the shown sentence only"));
        box("Sentences")->setCurrentIndex(0);
        QVERIFY(!cell(0, "Diagonal").data(Qt::ToolTipRole).toString().contains("Random twin: 0.50"));
    }

    void itsDataHasEvenAttentionAndTheTwinBesideEachStatistic() {
        const auto run = example::run();
        show(run);
        const auto column = [&](const std::string& title) -> std::vector<double> {
            const auto data = table_->figureData();
            for (const auto& each : data.tables.front().columns)
                if (each.title == title)
                    return std::get<std::vector<double>>(each.values);
            return {};
        };
        QVERIFY(column("entropy_twin").empty());
        auto heads = analysis::statisticsOfHeads(*run);
        const double even = *heads.front().uniform[analysis::Statistic::Entropy];
        for (auto& head : heads)
            head.values[analysis::Statistic::Entropy] = 1.25;
        table_->setTwin(heads);
        QCOMPARE(column("entropy").size(), std::size_t(72));
        QCOMPARE(column("entropy_uniform").front(), even);
        QCOMPARE(column("entropy_twin").front(), 1.25);
    }

    void itIsSavedAsText() {
        show();
        search("cross");
        const FigureBytes figure =
            figureBytes({.format = FigureFormat::Svg, .size = table_->figureSize(), .dpi = 96}, *table_);
        QCOMPARE(figure.error, QString());
        for (const char* words : {"cross.2.5", "Entropy", "Monotony"})
            QVERIFY2(figure.bytes.contains(words), words);
        QVERIFY(!figure.bytes.contains("encoder.0.0"));
        QVERIFY(!figure.bytes.contains("Distance")); // says nothing of cross-attention
        QVERIFY(table_->figureText().provenance.startsWith("example-en-de"));
        search("");
        const FigureBytes all =
            figureBytes({.format = FigureFormat::Svg, .size = table_->figureSize(), .dpi = 96}, *table_);
        for (int row = 0; row < rows(); ++row)
            QVERIFY2(all.bytes.contains('>' + headOf(row).toUtf8()), qPrintable(headOf(row)));
    }

    void hundredsOfHeadsAreListedAtOnce() {
        show(example::run({.heads = 16, .layers = 12}));
        QCOMPARE(rows(), 576);
        search("decoder 11");
        QCOMPARE(rows(), 16);
    }
};

HEADSCOPE_WATCHED_TEST(HeadTableTest)
#include "head_table_test.moc"
