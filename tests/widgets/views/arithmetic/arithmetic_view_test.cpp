#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QScrollBar>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_maps.h"
#include "tests/widgets/example_positions.h"
#include "tests/widgets/example_projections.h"
#include "tests/widgets/shown_view.h"
#include "widgets/export/figure_export.h"
#include "widgets/map/shown_map.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/words/captions.h"

using namespace headscope;
using namespace headscope::widgets;
using tests::childNamed;
using tests::isSeen;
using tests::ShownView;
using trace::AttentionKind;

class ArithmeticViewTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const trace::Run> run_ = example::withProjections(*example::run());

    using Row = std::shared_ptr<const trace::RowContributions>;

    /// Shows the view with a run that has its projections; `row` may be null.
    static example::AnsweredAtOnce* show(ArithmeticView& view, const std::shared_ptr<const trace::Run>& run,
                                         const Row& row = nullptr) {
        auto* answers =
            new example::AnsweredAtOnce(&view, [run, row](const trace::Question& question) -> trace::Answer {
                if (std::holds_alternative<trace::RunWhat>(question.what))
                    return run;
                if (!row || std::get<trace::ContributionsWhat>(question.what).query != row->query)
                    throw trace::Refusal({.what = "The head was replaced"});
                return row;
            });
        view.show();
        view.setRun(run);
        return answers;
    }

    static QString words(const ArithmeticView& view) {
        const auto* label = view.findChild<QLabel*>("words");
        return label->text();
    }

    /// Compares the text about the highlighted cell with the drawn map.
    void checkAgainst(const ArithmeticView& view, const ShownMap& map, bool withoutSpecial) const {
        const auto& cell = view.cell().value();
        const auto focus = TokenFocus::cell(map.kind, int(cell.query), int(cell.key));
        const auto query = map.queryOf(focus), key = map.keyOf(focus);
        const QString said = words(view);
        if (!key) {
            QVERIFY(isSpecial(run_->keyTokens(map.kind)[cell.key].role));
            QVERIFY2(said.contains("The map hides this key"), qPrintable(said));
            return;
        }
        const auto row = std::size_t(query.value()), column = std::size_t(*key);
        const auto pieces = [](const analysis::MapSpan& span) { return span.last - span.first; };
        const bool isOwn =
            !withoutSpecial && pieces(map.queries.spans[row]) == 1 && pieces(map.keys.spans[column]) == 1;
        if (isOwn)
            QVERIFY2(said.contains("The map shows the same"), qPrintable(said));
        else if (!map.mask(row, column))
            QVERIFY2(said.contains("This cell is hatched in the map of weights"), qPrintable(said));
        else
            QVERIFY2(said.contains("The map of weights shows ") &&
                         said.contains(preciseText(map.values(row, column))),
                     qPrintable(said));
    }

  private Q_SLOTS:
    void theCellThatIsLitIsComputed() {
        auto&& [selection, view] = ShownView<ArithmeticView>();
        selection.setHead(example::aligningHead);
        show(view, run_);
        selection.setHover(TokenFocus::cell(AttentionKind::Cross, 4, 6));
        QVERIFY(view.cell());
        QCOMPARE(view.cell()->query, std::size_t(4));
        QCOMPARE(view.cell()->key, std::size_t(6));
        const double shown = static_cast<double>(run_->cross[2].weights(5, 4, 6));
        QVERIFY(std::abs(view.cell()->weight - shown) < 1e-6);
        QVERIFY2(words(view).contains(preciseText(shown)), qPrintable(words(view)));
        QVERIFY(words(view).contains("The map shows the same"));
    }

    void theWordsCanBeSelectedByMouseAndByKeys() {
        auto&& [selection, view] = ShownView<ArithmeticView>();
        selection.setHead(example::aligningHead);
        show(view, run_);
        const auto flags = view.findChild<QLabel*>("words")->textInteractionFlags();
        QVERIFY(flags.testFlag(Qt::TextSelectableByMouse) && flags.testFlag(Qt::TextSelectableByKeyboard));
    }

    void barsOfTheFigureReachAsFarAsItSays() {
        auto&& [selection, view] = ShownView<ArithmeticView>();
        selection.setHead(example::aligningHead);
        show(view, run_);
        const auto svg = QString::fromUtf8(
            figureBytes({.format = FigureFormat::Svg, .size = view.figureSize()}, view).bytes);
        const auto& cell = *view.cell();
        for (const auto* numbers : {&cell.q, &cell.k, &cell.products, &cell.adds}) {
            const double largest = std::abs(
                *std::ranges::max_element(*numbers, {}, [](double number) { return std::abs(number); }));
            QVERIFY(largest > 0);
            const QString said = QChar(0x00B1) + numberText(largest) + '<';
            QVERIFY2(svg.contains(said), qPrintable(said));
        }
    }

    void aCellStaysWhenThePointerLeaves() {
        auto&& [selection, view] = ShownView<ArithmeticView>();
        selection.setHead(example::aligningHead);
        show(view, run_);
        selection.setHover(TokenFocus::cell(AttentionKind::Cross, 4, 6));
        selection.setHover({});
        QCOMPARE(view.cell()->query, std::size_t(4));
        QCOMPARE(view.cell()->key, std::size_t(6));
        selection.setHead({{AttentionKind::Cross, 0}, 1}); // the same cell in another head
        QCOMPARE(view.cell()->key, std::size_t(6));
        QVERIFY((view.cell()->head == trace::HeadAddress{{AttentionKind::Cross, 0}, 1}));
    }

    void atFirstItIsTheStrongestCellOfTheStep() {
        Selection selection;
        selection.setHead(example::aligningHead);
        selection.setStep(3);
        ArithmeticView view(&selection);
        show(view, run_);
        QCOMPARE(view.cell()->query, std::size_t(3));
        const auto row = run_->cross[2].weights.head(5).row(3);
        QCOMPARE(view.cell()->shownWeight, static_cast<double>(*std::ranges::max_element(row)));
        selection.setStep(4); // no cell was highlighted yet
        QCOMPARE(view.cell()->query, std::size_t(4));
    }

    void aClosedCellSaysWhy() {
        auto&& [selection, view] = ShownView<ArithmeticView>();
        selection.setHead({{AttentionKind::DecoderSelf, 0}, 0});
        show(view, run_);
        selection.setHover(TokenFocus::cell(AttentionKind::DecoderSelf, 2, 5));
        QVERIFY2(words(view).contains("later than the query"), qPrintable(words(view)));
    }

    void aDifferenceIsNotHidden() {
        QCOMPARE(differenceInWords(0.25, 0.25), QString("The map shows the same value."));
        QVERIFY(differenceInWords(0.25, 0.2500001).contains("to within 1e-07"));
        QVERIFY(differenceInWords(0.25, 0.5).contains("0.5000: a difference of 0.25"));
    }

    void numbersAreCopiedAsATable() {
        auto&& [selection, view] = ShownView<ArithmeticView>();
        selection.setHead(example::aligningHead);
        show(view, run_);
        auto* table = childNamed<ColumnTable>(view, "Dimensions");
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

    void whatTheKeyAddsToTheStreamIsTold() {
        Selection selection;
        selection.setHead(example::aligningHead);
        selection.setHover(TokenFocus::cell(AttentionKind::Cross, 4, 6));
        ArithmeticView view(&selection);
        auto* answers = new example::AnsweredAtOnce(&view);
        view.show();
        view.setRun(run_);
        QCOMPARE(answers->awaited().size(), std::size_t(1)); // the projections
        const auto row = example::rowContributions(*run_, example::aligningHead, 4);
        QString meanwhile;
        answers->setModel([&](const trace::Question& question) -> trace::Answer {
            if (std::holds_alternative<trace::RunWhat>(question.what))
                return run_;
            meanwhile = words(view);
            return row;
        });
        QVERIFY(meanwhile.contains("6. Residual stream: computing"));
        QVERIFY(view.addition());
        const double length = view.addition()->length;
        QVERIFY2(words(view).contains("norm " + preciseText(length)), qPrintable(words(view)));
        for (const char* part : {"all keys of the head", "b_O", "belongs to no head", "cosine"})
            QVERIFY2(words(view).contains(part, Qt::CaseInsensitive), part);
        QVERIFY(!words(view).contains("A norm"));
        const auto* table = childNamed<ColumnTable>(view, "Addition to");
        QCOMPARE(table->model()->rowCount(), 12);
        const QStringList lines = table->selectedText().split('\n');
        QVERIFY(lines.first().startsWith("dim.\tkey adds\thead\tsublayer\tbefore"));
        QCOMPARE(lines[3].split('\t')[1].toDouble(),
                 QString::number(view.addition()->added[2], 'g', 9).toDouble());
        QVERIFY(view.figureText().caption.contains("Residual stream"));
        auto normed = std::make_shared<trace::RowContributions>(*row);
        normed->normAfter = trace::NormAfter::OfTheSum;
        ArithmeticView another(&selection);
        show(another, run_, normed);
        QVERIFY(words(another).contains("A norm layer follows"));
    }

    void dimensionsCountFromZeroAndTheOneThatChangesMostIsSaid() {
        Selection selection;
        selection.setHead(example::aligningHead);
        selection.setHover(TokenFocus::cell(AttentionKind::Cross, 4, 6));
        ArithmeticView view(&selection);
        show(view, run_, example::rowContributions(*run_, example::aligningHead, 4));
        for (const char* name : {"Dimensions", "Addition to"})
            QCOMPARE(childNamed<ColumnTable>(view, name)->model()->index(0, 0).data().toString(), "0");
        const auto largest = QString::number(view.addition()->largest);
        QVERIFY(words(view).contains("mostly in dimension " + largest + " ("));
        const auto labels = view.findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) {
            return label->text().startsWith("Bold: dimension " + largest + ",");
        }));
    }

    void keysAreWholeWhereThereIsRoom() {
        auto&& [selection, view] = ShownView<ArithmeticView>();
        selection.setHead(example::aligningHead);
        show(view, run_);
        QVERIFY(isSeen(view, {1100, 300}));
        auto* row = childNamed<ColumnTable>(view, "Softmax");
        QFont bold = row->font();
        bold.setBold(true);
        for (int key = 0; key < row->model()->rowCount(); ++key)
            QVERIFY(QFontMetrics(bold).horizontalAdvance(row->model()->index(key, 0).data().toString()) <
                    row->columnWidth(0));
        for (const char* name : {"Softmax", "Dimensions"})
            QCOMPARE(childNamed<ColumnTable>(view, name)->horizontalScrollBar()->maximum(), 0);
    }

    void aHeadThatIsSwitchedOffSaysThatNothingComesOfIt() {
        auto off = std::make_shared<trace::Run>(*run_);
        off->request.interventions = {trace::withoutHead(example::aligningHead)};
        Selection selection;
        selection.setHead(example::aligningHead);
        selection.setHover(TokenFocus::cell(AttentionKind::Cross, 4, 6));
        ArithmeticView view(&selection);
        auto row = std::make_shared<trace::RowContributions>(
            *example::rowContributions(*run_, example::aligningHead, 4));
        row->added = {row->added.rows(), row->added.columns()};
        show(view, off, row);
        QVERIFY2(words(view).contains("A what-if switches this head off."), qPrintable(words(view)));
        QVERIFY(words(view).contains("The map shows the same"));
        QVERIFY(words(view).contains("would be the head's output"));
        QVERIFY(words(view).contains("6. Residual stream: this key contributes nothing."));
        QVERIFY(!words(view).contains("mostly in dimension"));
        selection.setHead({{AttentionKind::Cross, 0}, 1}); // not switched off
        QVERIFY(!words(view).contains("switches this head off"));
    }

    void whatAnotherRowAddsIsNotShown() {
        Selection selection;
        selection.setHead(example::aligningHead);
        selection.setHover(TokenFocus::cell(AttentionKind::Cross, 4, 6));
        ArithmeticView view(&selection);
        show(view, run_, example::rowContributions(*run_, example::aligningHead, 4));
        selection.setHover(TokenFocus::cell(AttentionKind::Cross, 4, 2)); // the same row
        QVERIFY(view.addition());
        selection.setHover(TokenFocus::cell(AttentionKind::Cross, 5, 2));
        QVERIFY(!view.addition());
        QCOMPARE(childNamed<ColumnTable>(view, "Addition to")->model()->rowCount(), 0);
        QVERIFY(words(view).contains("6. Residual stream: The head was replaced"));
    }

    void whereTheMapShowsSomethingElseItIsStillTheWeight() {
        auto&& [selection, view] = ShownView<ArithmeticView>();
        selection.setHead(example::aligningHead);
        auto* answers = show(view, run_);
        QVERIFY(!words(view).contains("explain the weight"));
        answers->choose({.quantity = Quantity::NormWeighted});
        QVERIFY(
            words(view).contains("The map currently shows norm-weighted. These steps explain the weight"));
        answers->choose({.quantity = Quantity::Scores});
        QVERIFY(!words(view).contains("explain the weight"));
    }

    void whatTheMapMakesOfTheWeightIsTold_data() {
        QTest::addColumn<bool>("words");
        QTest::addColumn<bool>("withoutSpecial");
        QTest::newRow("words") << true << false;
        QTest::newRow("without special") << false << true;
        QTest::newRow("both") << true << true;
    }

    void whatTheMapMakesOfTheWeightIsTold() {
        QFETCH(bool, words);
        QFETCH(bool, withoutSpecial);
        const MapOptions options{.withoutSpecial = withoutSpecial, .words = words};
        auto&& [selection, view] = ShownView<ArithmeticView>();
        selection.setHead(example::aligningHead);
        show(view, run_)->choose(options);
        for (const auto kind :
             {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf, AttentionKind::Cross}) {
            const trace::HeadAddress head{{kind, 1}, 3};
            selection.setHead(head);
            const ShownMap map = shownMap(*run_, nullptr, head, options);
            QVERIFY(map.values.rows() > 0);
            for (int query = 0; query < int(run_->record(head.site)->queries()); ++query)
                for (int key = 0; key < int(run_->record(head.site)->keys()); ++key) {
                    selection.setHover(TokenFocus::cell(kind, query, key));
                    checkAgainst(view, map, withoutSpecial);
                }
        }
    }

    void queryAndKeyThatWereTurnedSaySo() {
        auto&& [selection, view] = ShownView<ArithmeticView>();
        selection.setHead({{AttentionKind::EncoderSelf, 0}, 0});
        show(view, run_);
        QVERIFY(!words(view).contains("rotary"));
        const auto turned = example::withRotation(*run_);
        show(view, turned);
        QVERIFY2(words(view).contains("rotation by position (rotary positions)"), qPrintable(words(view)));
        const auto* header = childNamed<ColumnTable>(view, "Dimensions")->model();
        QVERIFY(header->headerData(1, Qt::Horizontal, Qt::ToolTipRole).toString().contains("rotated"));
        QVERIFY(header->headerData(2, Qt::Horizontal, Qt::ToolTipRole).toString().contains("rotated"));
        selection.setHead(example::aligningHead); // cross-attention is not rotated
        QVERIFY(!words(view).contains("rotary"));
        auto unplaced = std::make_shared<trace::Run>(*turned);
        unplaced->request.interventions = {
            {trace::Change(trace::ChangePositions{.change = trace::PositionChange::None})}};
        selection.setHead({{AttentionKind::EncoderSelf, 0}, 0});
        show(view, unplaced);
        QVERIFY(!words(view).contains("rotary"));
    }

    void withoutProjectionsItWaits() {
        auto&& [selection, view] = ShownView<ArithmeticView>();
        selection.setHead(example::aligningHead);
        view.grab();
        QVERIFY(!view.hasFigure());
        auto* answers = new example::AnsweredAtOnce(&view);
        view.show();
        view.setRun(run_);
        view.grab();
        QVERIFY(!view.hasFigure());
        answers->setRefusal(trace::RefusalText{.what = "No memory", .wayOut = "a shorter sentence"});
        view.grab();
        view.hide();
        answers->setRefusal({});
        show(view, std::make_shared<const trace::Run>(*run_));
        QVERIFY(view.hasFigure());
        QVERIFY(view.figureText().caption.contains("Softmax"));
        selection.setHead({{AttentionKind::Cross, 9}, 0});
        QVERIFY(!view.hasFigure());
        view.grab();
    }
};

HEADSCOPE_WATCHED_TEST(ArithmeticViewTest)
#include "arithmetic_view_test.moc"
