#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "model/trace/run_path.h"
#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_search.h"
#include "tests/widgets/shown_view.h"
#include "widgets/controls/text_band.h"
#include "widgets/controls/view_choices.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/views/compare/chosen_other.h"
#include "widgets/views/paths/path_words.h"
#include "widgets/views/paths/paths_view.h"

#include <algorithm>

using namespace headscope;
using namespace headscope::widgets;
using tests::isSeen;

/// Rows: "Der alte Mann" of the search, shown or not, "Der Greis gab", and below it "Der Greis".
class PathsViewTest : public QObject {
    Q_OBJECT

    Selection selection_;
    std::unique_ptr<PathsView> view_;
    example::AnsweredAtOnce* answers_ = nullptr;
    std::unique_ptr<QSignalSpy> wanted_;

    PathTree* tree() const { return view_->findChild<PathTree*>(); }
    const analysis::PathRows& rows() const { return tree()->drawing().paths(); }

    void show(const std::shared_ptr<const trace::Run>& run, std::vector<std::string> given = {}) {
        auto& document = answers_->document();
        document.run = run;
        given.resize(run ? run->paths.size() : 0);
        document.branches = {run, given, given};
        view_->refresh();
        wanted_->clear();
    }

    template <class Kind>
    Kind last() const {
        return std::get<Kind>(wanted_->back().front().value<Intent>());
    }

    QPoint chip(std::size_t row, std::size_t column) const {
        return tree()->drawing().chipArea(row, column, tree()->drawing().columns()).center().toPoint();
    }

  private Q_SLOTS:
    void init() {
        view_ = std::make_unique<PathsView>(&selection_);
        answers_ = new example::AnsweredAtOnce(view_.get());
        wanted_ = std::make_unique<QSignalSpy>(view_.get(), &View::intended);
        show(example::searchedRun());
        QVERIFY(isSeen(*view_, {1000, 520}));
    }

    void everyPathHasARowThatSaysWhatItIs() {
        const auto& document = answers_->document();
        QCOMPARE(rows().rows.size(), std::size_t(3));
        QCOMPARE(pathTitle(document, *answers_->document().run, rows(), 0), QString("Greedy, beam 1"));
        QCOMPARE(pathState(*answers_->document().run, rows(), 0), QString("shown"));
        QCOMPARE(pathTitle(document, *answers_->document().run, rows(), 1), QString("Beam 2"));
        QCOMPARE(pathState(*answers_->document().run, rows(), 2), QString("finished, overtaken"));
        QCOMPARE(scoreText(rows().rows[1], PathScore::Total), QString("\u22123.40"));
        QCOMPARE(scoreText(rows().rows[1], PathScore::Mean), QString("\u22120.85"));
        QCOMPARE(scoreText(rows().rows[1], PathScore::Final), QString("\u22120.85"));
    }

    void theLineOfFoldedOnesUnfoldsThem() {
        QCOMPARE(rows().folded, std::size_t(6));
        const QPoint line = QPointF(60, 3.5 * tree()->drawing().rowHeight()).toPoint();
        QTest::mouseClick(tree(), Qt::LeftButton, {}, line);
        QCOMPARE(std::get<std::string>(last<intents::Choose>().value), std::string("every"));
        QCOMPARE(rows().rows.size(), std::size_t(9));
        QCOMPARE(pathState(*answers_->document().run, rows(), 6), QString("at 2: 2 better"));
        tests::buttonOf<QToolButton>(*view_, "All")->click();
        QCOMPARE(rows().rows.size(), std::size_t(3));
    }

    void segmentsChooseTheRowsAndTheBoxTheScore() {
        tests::buttonOf<QToolButton>(*view_, "Mine")->click();
        QCOMPARE(rows().rows.size(), std::size_t(1));
        tests::buttonOf<QToolButton>(*view_, "Kept")->click();
        QVERIFY(rows().rows.size() == 3 && rows().folded == 0);
        auto* score = view_->findChild<QComboBox*>();
        score->setCurrentIndex(1);
        Q_EMIT score->activated(1);
        QCOMPARE(std::get<std::string>(last<intents::Choose>().value), std::string("mean"));
    }

    void aClickSelectsARowAndGoesToItsStep() {
        QTest::mouseClick(tree(), Qt::LeftButton, {}, chip(1, 2));
        QCOMPARE(tree()->selected(), std::size_t(1));
        QCOMPARE(last<intents::GoTo>().step, trace::TokenIndex(2));
    }

    void upAndDownGoThroughRowsAndEnterShowsOne() {
        tree()->setFocus();
        QTest::keyClick(tree(), Qt::Key_Up);
        QCOMPARE(tree()->selected(), std::size_t(0));
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(tree(), Qt::Key_Down);
        QCOMPARE(tree()->selected(), std::size_t(2));
        QTest::keyClick(tree(), Qt::Key_Return);
        QCOMPARE(last<intents::ShowNode>().node, std::size_t(9));
        QTest::keyClick(tree(), Qt::Key_Right);
        QVERIFY(last<intents::Step>().forward);
    }

    void theTextSaysWhereTheSelectedPathDiffers() {
        QTest::keyClick(tree(), Qt::Key_Down);
        const auto& lines = view_->findChild<TextBand*>()->lines();
        QCOMPARE(lines.size(), std::size_t(3));
        const auto changed = [](const TextBand::Line& line) {
            QStringList words;
            for (const auto& word : line.words)
                if (word.changed)
                    words += word.text.trimmed();
            return words.join(' ');
        };
        QCOMPARE(changed(lines[0]), QString("alte Mann"));
        QCOMPARE(changed(lines[1]), QString("Greis gab"));
    }

    void branchesAreNamedRemovedComparedAndShown() {
        show(example::branchedRun(), {"", "mine"}); // the second is shown
        QCOMPARE(pathTitle(answers_->document(), *answers_->document().run, rows(), 0), QString("mine"));
        for (int i = 0; i < 2; ++i)
            QTest::keyClick(tree(), Qt::Key_Down);
        const auto& other = rows().rows[2];
        QCOMPARE(other.path, std::optional<std::size_t>(0));
        tests::buttonOf<QPushButton>(*view_, "Compare")->click();
        QCOMPARE(last<intents::ComparePath>().path, std::size_t(0));
        QTest::keyClick(tree(), Qt::Key_Delete);
        QCOMPARE(last<intents::RemovePath>().path, std::size_t(0));
        QTest::keyClick(tree(), Qt::Key_Return);
        QCOMPARE(last<intents::ShowPath>().path, std::size_t(0));
        QTest::keyClick(tree(), Qt::Key_F2);
        auto* name = tree()->findChild<QLineEdit*>();
        QVERIFY(name->isVisible());
        name->setText(" first ");
        QTest::keyClick(name, Qt::Key_Return);
        QCOMPARE(last<intents::NamePath>().name, std::string("first"));
    }

    void aHypothesisOfTheSearchIsShownAndComparedWithThePathBefore() {
        QTest::keyClick(tree(), Qt::Key_Down);
        const auto node = rows().rows[1].nodes.back();
        const auto run = answers_->document().run;
        tests::buttonOf<QPushButton>(*view_, "Compare")->click();
        QCOMPARE(std::get<intents::ShowNode>(wanted_->at(wanted_->size() - 2).front().value<Intent>()).node,
                 node);
        QCOMPARE(last<intents::ComparePath>().path, trace::shownPath(*run).value_or(99));
        // Then no path is A, and any can be B.
        DocumentState document = answers_->document();
        document.run = trace::atPath(*run, node);
        document.branches.names.resize(run->paths.size(), "a path");
        document.request = document.run->request;
        document.choices["compare"] = {{"with", std::string("branch")}, {"branch", std::int64_t(0)}};
        QCOMPARE(std::get<OtherBranch>(chosenOther(document, 0).question).path, std::size_t(0));
    }

    void severalPathsShowThemselvesOnceButBesideAReference() {
        PathsView view(&selection_);
        auto* answers = new example::AnsweredAtOnce(&view);
        const QSignalSpy wanted(&view, &View::intended);
        for (const bool isReference : {true, false, false}) {
            auto run = example::branchedRun();
            run->complete = true;
            run->paths.front().decodedOn = !isReference;
            answers->document().run = run;
            answers->document().branches = {run, {"a", "b"}, {"", ""}};
            view.refresh();
            const auto shows = std::ranges::count_if(wanted, [](const QList<QVariant>& intent) {
                return std::holds_alternative<intents::ShowSelf>(intent.front().value<Intent>());
            });
            QCOMPARE(shows, isReference ? 0 : 1);
        }
    }

    void whyAHypothesisWasDroppedIsSaid() {
        const auto run = example::searchedRun();
        QVERIFY2(fateInWords(*run, 3).startsWith("pruned: 2 "), qPrintable(fateInWords(*run, 3)));
        QVERIFY(fateInWords(*run, 4).startsWith("finished too low"));
        QVERIFY(fateInWords(*run, 9).startsWith("overtaken"));
        QVERIFY(fateInWords(*run, 13).startsWith("unfinished: still alive"));
        QVERIFY(fateInWords(*run, 14).contains("another had a better"));
        const auto all = analysis::pathRows(*run, analysis::PathsOf::Every);
        QCOMPARE(cutInWords(all, all.rows[6]),
                 QString("More probable at step 2: 2\n\u22122.300, the last kept \u22122.000"));
    }

    void theWordsOfATokenAddUp() {
        const auto run = example::searchedRun();
        const QString words = nodeInWords(*run, rows(), rows().rows[0], 3).join('\n');
        QVERIFY2(words.contains("0.8000"), qPrintable(words)); // -0.2 - 0.3 - 0.1 - 0.2
        QVERIFY(words.contains("4 to the power of 1"));
        QVERIFY(words.contains("this is the translation"));
    }

    void noLineCrossesATokenAndNoTokenAnother() {
        answers_->document().choices["paths"]["rows"] = std::string("every");
        view_->refresh();
        const auto& drawing = tree()->drawing();
        const auto& columns = drawing.columns();
        for (std::size_t row = 1; row < rows().rows.size(); ++row) {
            const auto& path = rows().rows[row];
            const double x = path.fork > 0 ? columns.lefts[path.fork - 1] + columns.widths[path.fork - 1] + 1
                                           : columns.lefts[0] - 1;
            for (std::size_t between = *path.from + 1; between < row; ++between)
                QVERIFY(drawing.chipArea(between, rows().rows[between].fork, columns).left() > x);
        }
        for (std::size_t column = 1; column < columns.count(); ++column)
            QVERIFY(columns.lefts[column] > columns.lefts[column - 1] + columns.widths[column - 1]);
    }

    void itsFigureHasEveryRowAndItsNumbersAreThoseOfThePaths() {
        const auto svg =
            figureBytes({.format = FigureFormat::Svg, .size = view_->figureSize()}, *view_).bytes;
        for (const char* words : {">Greedy, beam 1<", ">Beam 2<", ">6 more, not kept<"})
            QVERIFY2(svg.contains(words), words);
        const auto table = view_->figureData().tables.at(0);
        const auto totals = std::get<std::vector<double>>(table.columns[2].values);
        for (std::size_t row = 0; row < totals.size(); ++row)
            QCOMPARE(totals[row], rows().rows[row].total);
        QCOMPARE(view_->figureData().tables.at(1).name, std::string("tokens"));
    }

    void namesAreAChoiceThatIsKept() {
        show(example::branchedRun(), {"", "mine"});
        ViewChoices choices;
        view_->addChoices(choices);
        QCOMPARE(std::get<std::vector<std::string>>(choices.all().at("branches").at("names")),
                 (std::vector<std::string>{"", "mine"}));
        choices.apply({{"branches", {{"names", std::vector<std::string>{"other", "mine"}}}}});
        const auto named = std::get<intents::NamePath>(wanted_->front().front().value<Intent>());
        QVERIFY(named.path == 0 && named.name == "other");
    }

    void withoutARunItSaysWhatWillBeHere() {
        show(nullptr);
        QVERIFY(!view_->hasFigure() && !tree()->isVisible() && view_->figureData().empty());
    }
};

HEADSCOPE_WATCHED_TEST(PathsViewTest)
#include "paths_view_test.moc"
