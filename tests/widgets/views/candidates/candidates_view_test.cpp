#include <QApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_run.h"
#include "tests/widgets/shown_view.h"
#include "widgets/export/figure_export.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/words/captions.h"
#include "widgets/words/hesitation_words.h"

using namespace headscope;
using namespace headscope::widgets;
using tests::isSeen;
using tests::ShownView;

class CandidatesViewTest : public QObject {
    Q_OBJECT

    /// At the step that is shown.
    static bool isChosen(const QSignalSpy& chosen, std::int64_t id) {
        const auto choice = std::get<intents::ChooseToken>(chosen.last().front().value<Intent>());
        return choice.step == 5 && choice.id == id;
    }

    static CandidateRows rows(std::optional<std::int64_t> chosen) {
        return {.candidates = example::candidates(example::token(5, "▁Tochter")), .chosen = chosen};
    }
    static QString text(const CandidateRows& rows, int row, int column, int role = Qt::DisplayRole) {
        ColumnTable table;
        table.setContent(CandidateColumns::content(rows));
        return table.model()->index(row, column).data(role).toString();
    }

    static auto* showing(CandidatesView& view, const std::shared_ptr<const trace::Run>& run) {
        auto* answers = example::givenAnswers(&view);
        answers->document().model = run->model;
        answers->document().run = run;
        view.setRun(run);
        return answers;
    }
    static std::vector<double> lastNumbers(const CandidatesView& view) {
        return std::get<std::vector<double>>(view.figureData().tables.front().columns.back().values);
    }
    static std::shared_ptr<trace::Run> runOf(trace::ModelSummary model) {
        auto run = std::make_shared<trace::Run>();
        run->model = std::make_shared<trace::ModelSummary>(std::move(model));
        return run;
    }
    static std::shared_ptr<trace::Run> runOfClasses(std::vector<std::string> labels = {}) {
        auto run = runOf({.classes = 3, .classLabels = std::move(labels)});
        run->classLogProbabilities = {-2.0F, -0.25F, -2.25F};
        return run;
    }

  private Q_SLOTS:
    void probabilitiesArePercentages() {
        const auto shown = rows(5);
        QCOMPARE(shown.count(), 10);
        QCOMPARE(text(shown, 0, CandidateColumns::Token), "▁Tochter");
        QCOMPARE(text(shown, 0, CandidateColumns::Probability), "83.5 %");
        QCOMPARE(text(shown, 1, CandidateColumns::Rank), "2");
    }

    void theChosenTokenIsMarkedAndReadersHearIt() {
        const auto shown = rows(902);
        QCOMPARE(shown.chosenRow(), std::optional(2));
        QVERIFY(text(shown, 2, CandidateColumns::Rank).startsWith(QChar(0x25CF)));
        QCOMPARE(text(shown, 2, CandidateColumns::Token, Qt::AccessibleTextRole),
                 "rank 3: \u2068“Kind”\u2069, probability " + text(shown, 2, CandidateColumns::Probability) +
                     ", chosen");
        QVERIFY(!text(shown, 0, CandidateColumns::Token, Qt::AccessibleTextRole).contains("chosen"));
    }

    void aPercentSignInAPieceStaysThere() {
        const CandidateRows shown{.candidates = {{example::token(5, "%2"), -1}}};
        const QString tip = text(shown, 0, CandidateColumns::Token, Qt::ToolTipRole);
        QVERIFY2(tip.contains("%2") && tip.contains("id 5"), qPrintable(tip));
    }

    void markupInAPieceStaysText() {
        const CandidateRows shown{.candidates = {{example::token(5, "<b>"), -1}}};
        QCOMPARE(text(shown, 0, CandidateColumns::Token), "<b>");
        QVERIFY(text(shown, 0, CandidateColumns::Token, Qt::ToolTipRole).contains("&lt;b&gt;"));
    }

    void theHeadingNamesWhatWasFed() {
        auto&& [selection, view] = ShownView<CandidatesView>(example::run());
        selection.setStep(5);
        QCOMPARE(view.heading().remove(QChar(0x2068)).remove(QChar(0x2069)), "After “seiner”, choosing:");
    }

    void anotherTokenIsChosenByDoubleClickByEnterAndByButton() {
        auto&& [selection, view] = ShownView<CandidatesView>();
        selection.setStep(5);
        view.setRun(example::run());
        QVERIFY(isSeen(view, {360, 420}));
        const QSignalSpy chosen(&view, &CandidatesView::intended);
        auto* table = view.findChild<ColumnTable*>();
        table->selectRow(2);
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY(isChosen(chosen, 902));
        QTest::mouseClick(view.findChild<QPushButton*>(), Qt::LeftButton);
        QCOMPARE(chosen.size(), 2);
        const QPoint cell = table->visualRect(table->model()->index(3, 1)).center();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell);
        QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, cell);
        QCOMPARE(chosen.size(), 3);
        QVERIFY(isChosen(chosen, 903));
    }

    void copiedRowsHaveEachNumberOnce() {
        ColumnTable table;
        table.setContent(CandidateColumns::content(rows(5)));
        const QStringList lines = table.selectedText().split('\n');
        QCOMPARE(lines.size(), 11);
        QCOMPARE(lines.front(), QString("Rank\tToken\tProbability\t\u03a3 log-prob."));
        QCOMPARE(lines.back().count('\t'), 3);
    }

    void theTableIsSavedAsTextWithEveryRow() {
        auto&& [selection, view] = ShownView<CandidatesView>();
        selection.setStep(5);
        QVERIFY(!view.hasFigure());
        view.setRun(example::run());
        QVERIFY(view.hasFigure());
        for (const FigureFormat format : {FigureFormat::Png, FigureFormat::Svg, FigureFormat::Pdf}) {
            const FigureBytes figure =
                figureBytes({.format = format, .size = view.figureSize(), .dpi = 96}, view);
            QCOMPARE(figure.error, QString());
            if (format != FigureFormat::Svg)
                continue;
            for (const char* words : {"Tochter", "0.8353", "Probability", "step 6 of 12", "seiner", "\u25CF"})
                QVERIFY2(figure.bytes.contains(words), words);
            QVERIFY(!figure.bytes.contains("<image"));
        }
        const auto* model = view.findChild<ColumnTable*>()->model();
        const QString svg = QString::fromUtf8(
            figureBytes({.format = FigureFormat::Svg, .size = view.figureSize()}, view).bytes);
        QVERIFY(svg.contains(">\u03a3 log-prob.<"));
        const auto columns = view.figureData().tables.front().columns;
        QCOMPARE(columns.back().title, std::string("sum_of_log_probabilities"));
        for (int row = 0; row < model->rowCount(); ++row) {
            const QString sum = model->index(row, CandidateColumns::Sum).data().toString();
            QVERIFY2(svg.contains('>' + sum + '<'), qPrintable(sum));
            const auto number = std::get<std::vector<double>>(columns.back().values)[std::size_t(row)];
            QCOMPARE(numberText(number), sum);
        }
        QCOMPARE(view.figureText().title, "Next token at step 6");
        QVERIFY(view.figureText().provenance.startsWith("example-en-de"));
    }

    void aClassifierShowsItsClasses() {
        const auto run = runOfClasses();
        auto&& [selection, view] = ShownView<CandidatesView>(run);
        const auto* table = view.findChild<ColumnTable*>();
        QCOMPARE(table->model()->rowCount(), 3);
        QCOMPARE(table->model()->index(0, CandidateColumns::Token).data().toString(), "1");
        QCOMPARE(table->model()->index(2, CandidateColumns::Token).data().toString(), "2");
        QVERIFY(table->model()->index(0, 0).data().toString().startsWith(QChar(0x25CF)));
        QCOMPARE(table->model()->headerData(CandidateColumns::Token, Qt::Horizontal).toString(), "Class");
        QVERIFY(table->isColumnHidden(CandidateColumns::Sum));
        QVERIFY(view.heading().contains("3 classes"));
        QVERIFY(view.findChild<QPushButton*>()->isHidden());
        QVERIFY(view.figureText().caption.contains("3 classes"));
        QCOMPARE(view.figureData().tables.front().columns.back().title, std::string("log_probability"));
        const QSignalSpy chosen(&view, &CandidatesView::intended);
        Q_EMIT const_cast<ColumnTable*>(table)->doubleClicked(table->model()->index(1, 1));
        QVERIFY(chosen.isEmpty());
        view.setRun(runOfClasses({"sad", "glad", "neither"}));
        QCOMPARE(table->model()->index(0, CandidateColumns::Token).data().toString(), "glad");
        QVERIFY(!view.heading().contains("no names"));
        run->classLogProbabilities.clear(); // an encoder alone
        view.setRun(run);
        QVERIFY(view.heading().contains("Encoder-only"));
        view.setRun(example::run());
        QVERIFY(!view.findChild<QPushButton*>()->isHidden());
        QVERIFY(view.heading().startsWith("After"));
    }

    void theTokensOfEveryMaskAreListedByPosition() {
        const auto run = runOf(
            {.encoderLayers = 1, .tokenPrediction = trace::TokenPrediction::Masked, .maskPiece = "[MASK]"});
        run->source = {example::token(1, "the"), example::token(4, "[MASK]"), example::token(4, "[MASK]")};
        const auto candidates = example::candidates(example::token(5, "cat"));
        run->maskCandidates[1] = candidates;
        auto&& [selection, view] = ShownView<CandidatesView>(run);
        const auto* table = view.findChild<ColumnTable*>();
        QVERIFY(table->isColumnHidden(0)); // of one mask the heading says where it is
        QVERIFY(view.heading().contains("position 1"));
        QVERIFY(view.findChild<QPushButton*>()->isHidden());
        run->maskCandidates[2] = candidates;
        view.setRun(run);
        QVERIFY(!table->isColumnHidden(0));
        const auto count = static_cast<int>(candidates.size());
        QCOMPARE(table->model()->rowCount(), 2 * count);
        QCOMPARE(table->model()->index(count, 0).data().toString(), "2");
        QCOMPARE(table->model()->index(count, 1).data().toString(), "1");
        selection.setHover({.sourceQuery = 2});
        QCOMPARE(table->currentRow(), std::optional(count));
        const auto data = view.figureData().tables.front();
        QCOMPARE(data.columns.front().title, std::string("position"));
        QCOMPARE(data.columns.back().title, std::string("log_probability"));
        QVERIFY(!view.figureText().title.contains("step"));
        run->maskCandidates.clear();
        view.setRun(run);
        QVERIFY(!view.hasFigure());
        QVERIFY(view.heading().contains("[MASK]"));
    }

    void replacedTokensKeepTheOrderOfTheText() {
        const auto run = runOf({.encoderLayers = 1, .tokenPrediction = trace::TokenPrediction::Replaced});
        run->source = {example::token(1, "the"), example::token(2, "cat"), example::token(3, "fog")};
        run->replacedProbabilities = {0.125F, 0, 0.75F};
        auto&& [selection, view] = ShownView<CandidatesView>(run);
        const auto* table = view.findChild<ColumnTable*>();
        QCOMPARE(table->model()->rowCount(), 3);
        QVERIFY(table->isColumnHidden(1));
        QCOMPARE(table->model()->index(1, 2).data().toString(), "cat");
        QCOMPARE(table->model()->index(2, 3).data().toString(), "75.0 %");
        const auto columns = view.figureData().tables.front().columns;
        QCOMPARE(columns.size(), std::size_t{4});
        QCOMPARE(columns.back().title, std::string("probability"));
    }

    void thePieceKeepsRoomForItsTextAndOthersGiveWay() {
        auto&& [selection, view] = ShownView<CandidatesView>();
        selection.setStep(5);
        view.setRun(example::run());
        QVERIFY(isSeen(view));
        const auto* table = view.findChild<ColumnTable*>();
        const QAbstractItemView* cells = table;
        const int needed = cells->sizeHintForColumn(CandidateColumns::Token);
        int before = 0;
        for (int width = 220; width <= 700; width += 20) {
            view.resize(width, 420);
            QTRY_COMPARE(view.width(), width);
            QVERIFY2(table->columnWidth(CandidateColumns::Token) >= needed,
                     qPrintable(QString::number(width)));
            QVERIFY(!table->isColumnHidden(CandidateColumns::Probability));
            int shown = 0;
            for (const int column : {CandidateColumns::Rank, CandidateColumns::Sum, CandidateColumns::Bar})
                shown += table->isColumnHidden(column) ? 0 : 1;
            QVERIFY(shown >= before);
            before = shown;
        }
        QCOMPARE(before, 3);
    }

    void columnsStandWhereTheyDoAtEveryStep() {
        auto run = std::make_shared<trace::Run>(*example::run());
        run->next[3].piece = "▁Donaudampfschiff"; // the widest of all steps
        run->tree = {};
        run->path.clear();
        example::decode(*run);
        auto&& [selection, view] = ShownView<CandidatesView>(run);
        QVERIFY(isSeen(view, {700, 420}));
        const auto* table = view.findChild<ColumnTable*>();
        const auto places = [&](int step) {
            selection.setStep(step);
            QStringList all;
            for (int column = 0; column < CandidateColumns::Bar + 1; ++column)
                all += QString::number(table->columnViewportPosition(column));
            const QString svg = QString::fromUtf8(
                figureBytes({.format = FigureFormat::Svg, .size = view.figureSize()}, view).bytes);
            const QRegularExpression sum("<text[^>]* x=\"([^\"]+)\"[^>]*>\u03a3 log-prob.<");
            return all << sum.match(svg).captured(1);
        };
        const QStringList first = places(0);
        QVERIFY(!first.back().isEmpty());
        QCOMPARE(places(3), first);
        view.setRowsDecoded(1); // an animation begins
        QCOMPARE(places(1), first);
    }

    void aScrollBarHidesNoColumn() {
        auto&& [selection, view] = ShownView<CandidatesView>();
        selection.setStep(5);
        view.setRun(example::run());
        view.resize(view.sizeHint().width(), 700);
        QVERIFY(isSeen(view));
        const auto* table = view.findChild<ColumnTable*>();
        QVERIFY(!table->verticalScrollBar()->isVisible());
        QVERIFY(!table->isColumnHidden(CandidateColumns::Sum));
        view.resize(view.width(), 200);
        QTRY_VERIFY(table->verticalScrollBar()->isVisible());
        QVERIFY(!table->isColumnHidden(CandidateColumns::Sum));
        QVERIFY(!table->isColumnHidden(CandidateColumns::Rank));
        QVERIFY(table->horizontalHeader()->length() <= table->viewport()->width());
    }

    void piecesThatDifferInTheirSpaceAloneAreToldApart() {
        const auto piece = [](std::int64_t id, const char* text) {
            return trace::Candidate{.token = {.id = id, .piece = text}, .logProbability = -1};
        };
        const auto content = CandidateColumns::content(
            {.candidates = {piece(1, "\u2581gave"), piece(2, "gave"), piece(3, "\u2581took")}});
        const auto shown = [&](std::size_t row) {
            return content.columns[CandidateColumns::Token].tokens[row];
        };
        const TokenLabelStyle without{.font = QApplication::font(), .spaceMarks = false};
        QVERIFY(without.width(shown(0)) > without.width(shown(1)));
        QCOMPARE(without.width(shown(2)), without.width({.text = "took"}));
    }

    void whereNothingIsChosenYetNoCandidateIsMarked() {
        auto run = std::make_shared<trace::Run>(*example::run());
        const auto last = static_cast<int>(run->next.size()) - 1;
        auto&& [selection, view] = ShownView<CandidatesView>();
        selection.setStep(last);
        const auto marked = [&view] {
            const auto* model = view.findChild<ColumnTable*>()->model();
            int count = 0;
            for (int row = 0; row < model->rowCount(); ++row)
                count += model->index(row, 0).data().toString().startsWith(QChar(0x25CF));
            return count;
        };
        view.setRun(run);
        QCOMPARE(marked(), 1);
        auto undecided = std::make_shared<trace::Run>(*run);
        undecided->next.pop_back();
        view.setRun(undecided);
        QVERIFY(view.findChild<ColumnTable*>()->model()->rowCount() > 0);
        QCOMPARE(marked(), 0);
    }

    void besideThemStandWhatTheyWereBeforeTheModelWasChanged() {
        const auto changed = std::make_shared<trace::Run>(*example::run());
        changed->request.interventions = {{trace::ScaleHead{example::aligningHead, 0}}};
        const auto original = std::make_shared<trace::Run>(*example::run());
        original->target[8] = example::token(777, "▁anders"); // read from here on
        original->next[7] = original->target[8];
        original->tree = {};
        original->path.clear();
        example::decode(*original); // where it went on alike, "▁anders" is not the most probable
        auto&& [selection, view] = ShownView<CandidatesView>();
        auto* answers = showing(view, changed);
        QVERIFY(isSeen(view, {700, 420}));
        const auto* table = view.findChild<ColumnTable*>();
        QVERIFY(table->isColumnHidden(CandidateColumns::Before));
        QVERIFY(!view.figureText().caption.contains("Before"));
        answers->document().request = changed->request;
        answers->document().unchanged = original;
        view.refresh();
        QVERIFY(view.questions().empty());
        QVERIFY(!table->isColumnHidden(CandidateColumns::Before));
        const auto before = [&shown = view] { return lastNumbers(shown); };
        selection.setStep(5);
        QCOMPARE(before().size(), std::size_t(10));
        for (std::size_t row = 0; row < 10; ++row) {
            const auto& candidate = original->row(5).candidates[row];
            QCOMPARE(before()[row], std::exp(double(candidate.logProbability)));
            QCOMPARE(table->model()->index(int(row), CandidateColumns::Before).data().toString(),
                     percentText(before()[row]));
        }
        const auto tick = table->model()->index(3, CandidateColumns::Bar).data(ColumnModel::TickRole);
        QCOMPARE(tick.toDouble(), before()[3]);
        view.resize(220, 420); // no room for bars of their own
        QTRY_VERIFY(table->isColumnHidden(CandidateColumns::Bar));
        QCOMPARE(
            table->model()->index(3, CandidateColumns::Probability).data(ColumnModel::TickRole).toDouble(),
            before()[3]);
        selection.setStep(7); // of the same tokens, another one came first
        QVERIFY(std::isnan(before()[0]));
        QCOMPARE(before()[1], std::exp(double(original->row(7).candidates[1].logProbability)));
        selection.setStep(8); // after other tokens
        QVERIFY(std::ranges::all_of(before(), [](double each) { return std::isnan(each); }));
        QVERIFY(view.figureText().caption.contains("Before"));
    }

    void theClassesBeforeAreThoseOfTheSameModel() {
        const auto run = runOfClasses();
        run->complete = true;
        run->request.interventions = {{trace::ScaleHead{example::aligningHead, 0}}};
        auto original = std::make_shared<trace::Run>(*run);
        original->classLogProbabilities = {-1.0F, -0.5F, -4.0F};
        auto&& [selection, view] = ShownView<CandidatesView>();
        auto* answers = showing(view, run);
        answers->document().request = run->request;
        view.refresh();
        QCOMPARE(view.questions().size(), std::size_t(1)); // nobody knows the run without the changes
        answers->document().unchanged = original;
        view.refresh();
        QCOMPARE(view.figureData().tables.front().columns.back().title, std::string("probability_before"));
        QVERIFY(lastNumbers(view) == (std::vector{std::exp(-0.5), std::exp(-1.0), std::exp(-4.0)}));
    }

    void aStepThatWasNotDecodedSaysSo() {
        auto&& [selection, view] = ShownView<CandidatesView>();
        QVERIFY(!view.heading().isEmpty());
        view.setRun(example::run());
        selection.setStep(99);
        QVERIFY(view.heading().contains("not decoded"));
        const auto* button = view.findChild<QPushButton*>();
        QVERIFY(!button->isEnabled());
        QVERIFY(!button->toolTip().isEmpty());
    }
};

HEADSCOPE_WATCHED_TEST(CandidatesViewTest)
#include "candidates_view_test.moc"
