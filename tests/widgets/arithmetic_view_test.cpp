#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QTest>

#include "tests/widgets/example_projections.h"
#include "widgets/arithmetic_view.h"
#include "widgets/arithmetic_words.h"
#include "widgets/captions.h"
#include "widgets/numbers_table.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

class ArithmeticViewTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const trace::Run> run_ = example::withProjections(*example::run());

    static QString words(const ArithmeticView& view) {
        const auto* label = view.findChild<QLabel*>();
        return label->text();
    }

  private Q_SLOTS:
    void theCellThatIsLitIsComputed() {
        Selection selection;
        selection.setHead(example::aligningHead);
        ArithmeticView view(&selection);
        view.setRuns(run_, run_);
        selection.setHover(TokenFocus::cell(AttentionKind::Cross, 4, 6));
        QVERIFY(view.cell());
        QCOMPARE(view.cell()->query, std::size_t(4));
        QCOMPARE(view.cell()->key, std::size_t(6));
        const double shown = static_cast<double>(run_->cross[2].weights(5, 4, 6));
        QVERIFY(std::abs(view.cell()->weight - shown) < 1e-6);
        QVERIFY2(words(view).contains(preciseText(shown)), qPrintable(words(view)));
        QVERIFY(words(view).contains("The map shows the same"));
    }

    void aCellStaysWhenThePointerLeaves() {
        Selection selection;
        selection.setHead(example::aligningHead);
        ArithmeticView view(&selection);
        view.setRuns(run_, run_);
        selection.setHover(TokenFocus::cell(AttentionKind::Cross, 4, 6));
        selection.setHover({});
        QCOMPARE(view.cell()->query, std::size_t(4));
        QCOMPARE(view.cell()->key, std::size_t(6));
        selection.setHead({{AttentionKind::Cross, 0}, 1}); // the same cell of another head
        QCOMPARE(view.cell()->key, std::size_t(6));
        QVERIFY((view.cell()->head == trace::HeadAddress{{AttentionKind::Cross, 0}, 1}));
    }

    void atFirstItIsTheStrongestCellOfTheStep() {
        Selection selection;
        selection.setHead(example::aligningHead);
        selection.setStep(3);
        ArithmeticView view(&selection);
        view.setRuns(run_, run_);
        QCOMPARE(view.cell()->query, std::size_t(3));
        const auto row = run_->cross[2].weights.head(5).row(3);
        QCOMPARE(view.cell()->shownWeight, static_cast<double>(*std::ranges::max_element(row)));
        selection.setStep(4); // nothing was pointed at yet
        QCOMPARE(view.cell()->query, std::size_t(4));
    }

    void aClosedCellSaysWhy() {
        Selection selection;
        selection.setHead({{AttentionKind::DecoderSelf, 0}, 0});
        ArithmeticView view(&selection);
        view.setRuns(run_, run_);
        selection.setHover(TokenFocus::cell(AttentionKind::DecoderSelf, 2, 5));
        QVERIFY2(words(view).contains("later than the query"), qPrintable(words(view)));
    }

    void aDifferenceIsNotHidden() {
        QCOMPARE(differenceInWords(0.25, 0.25), QString("The map shows the same."));
        QVERIFY(differenceInWords(0.25, 0.2500001).contains("to 1e-07"));
        QVERIFY(differenceInWords(0.25, 0.5).contains("0.5000: a difference of 0.25"));
    }

    void numbersAreCopiedAsATable() {
        Selection selection;
        selection.setHead(example::aligningHead);
        ArithmeticView view(&selection);
        view.setRuns(run_, run_);
        NumbersTable* table = nullptr;
        for (auto* one : view.findChildren<NumbersTable*>())
            if (one->accessibleName().startsWith("Dimensions"))
                table = one;
        table->clearSelection();
        const QStringList lines = table->selectedText().split('\n');
        QCOMPARE(lines.size(), 9); // titles and eight dimensions
        QVERIFY(lines.first().startsWith("dim.\tq\tk\t"));
        QCOMPARE(lines[1].split('\t')[1].toDouble(),
                 QString::number(view.cell()->q.front(), 'g', 9).toDouble());
        table->selectionModel()->select(table->model()->index(2, 1), QItemSelectionModel::Select);
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QString("q\n%1").arg(view.cell()->q[2], 0, 'g', 9));
    }

    void withoutProjectionsItWaits() {
        Selection selection;
        selection.setHead(example::aligningHead);
        ArithmeticView view(&selection);
        view.grab();
        QVERIFY(!view.hasFigure());
        view.setRuns(run_, nullptr);
        view.grab();
        QVERIFY(!view.hasFigure());
        view.showRefusal({.what = "No memory", .wayOut = "a shorter sentence"});
        view.grab();
        view.setRuns(run_, run_);
        QVERIFY(view.hasFigure());
        QVERIFY(view.figureText().caption.contains("Softmax"));
        selection.setHead({{AttentionKind::Cross, 9}, 0});
        QVERIFY(!view.hasFigure());
        view.grab();
    }
};

QTEST_MAIN(ArithmeticViewTest)
#include "arithmetic_view_test.moc"
