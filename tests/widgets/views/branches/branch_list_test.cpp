#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include "tests/watched_test.h"
#include "tests/widgets/shown_view.h"
#include "widgets/controls/view_choices.h"
#include "widgets/views/branches/branch_list.h"

using namespace headscope;
using widgets::BranchList;
namespace intents = widgets::intents;

class BranchListTest : public QObject {
    Q_OBJECT

    std::unique_ptr<BranchList> list_;
    QTreeWidget* tree_ = nullptr;

    widgets::DocumentState shown_;
    std::unique_ptr<QSignalSpy> wanted_;

    template <class Kind>
    Kind last() const {
        return std::get<Kind>(wanted_->back().front().value<widgets::Intent>());
    }

    /// A run whose five tokens have the log-probabilities -1, -2, -3 and -4 after the first.
    static trace::Run run(trace::ModelSummary model, std::size_t source) {
        trace::Run made;
        made.model = std::make_shared<const trace::ModelSummary>(std::move(model));
        made.source.resize(source);
        auto node = made.tree.add({.token = {.id = 10}});
        for (int id = 1; id < 5; ++id)
            node = made.tree.add({.parent = node, .token = {.id = id}, .logProbability = -1.0 * id});
        made.paths.push_back({.leaf = node, .decodedOn = true});
        return made;
    }

    QPushButton* button(const QString& text) const { return tests::buttonOf<QPushButton>(*list_, text); }

  private Q_SLOTS:
    void init() {
        shown_ = {};
        list_ = std::make_unique<BranchList>();
        list_->setContext({.document = &shown_});
        wanted_ = std::make_unique<QSignalSpy>(list_.get(), &widgets::View::intended);
        list_->setBranches(
            {{"first", "Der alte Mann.", -1.5, 5, false}, {"second", "Ein Greis.", -4.2, 4, true}});
        tree_ = list_->findChild<QTreeWidget*>();
        list_->show();
    }

    void fillingItAsksForNothing() {
        list_->setBranches({{"only", "Text", -1, 2, true}});
        QCoreApplication::processEvents();
        QVERIFY(wanted_->empty());
        QCOMPARE(tree_->topLevelItemCount(), 1);
    }

    void aPercentSignInATextStaysThere() {
        list_->setBranches({{"100 %6", "%4 %5", -1, 2, true}});
        const QString words = tree_->topLevelItem(0)->data(0, Qt::AccessibleDescriptionRole).toString();
        QVERIFY2(words.startsWith("100 %6 (shown): %4 %5.") && words.endsWith("tokens: 2"),
                 qPrintable(words));
    }

    void itsNumbersAndItsFigureCanBeSaved() {
        const auto table = list_->figureData().tables.at(0);
        QCOMPARE(std::get<std::vector<double>>(table.columns[1].values), (std::vector{-1.5, -4.2}));
        QCOMPARE(std::get<std::vector<double>>(table.columns[2].values), (std::vector{-0.3, -1.05}));
        QCOMPARE(std::get<std::vector<std::string>>(table.columns[5].values)[1], std::string("Ein Greis."));
        QVERIFY(list_->figureSize().width() >= 480);
        list_->setBranches({});
        QVERIFY(!list_->hasFigure() && list_->figureData().empty());
    }

    void movingToABranchShowsIt() {
        QCOMPARE(tree_->indexOfTopLevelItem(tree_->currentItem()), 1);
        QTest::keyClick(tree_, Qt::Key_Up);
        QTRY_COMPARE(wanted_->size(), 1);
        QCOMPARE(last<intents::ShowPath>().path, std::size_t(0));
    }

    void aNewNameIsTold() {
        tree_->topLevelItem(0)->setText(0, " polite ");
        QTRY_COMPARE(wanted_->size(), 1);
        QCOMPARE(last<intents::NamePath>().name, std::string("polite"));
    }

    void deleteRemoves() {
        QTest::keyClick(tree_, Qt::Key_Delete);
        QCOMPARE(last<intents::RemovePath>().path, std::size_t(1));
    }

    void theShownBranchIsComparedWithAnotherOne() {
        for (const int row : {1, 0}) {
            tree_->setCurrentItem(tree_->topLevelItem(row));
            button("Compare")->click();
            QCOMPARE(last<intents::ComparePath>().path, std::size_t(0));
        }
    }

    void severalBranchesShowThemselvesOnceButBesideAReference() {
        auto several = run({.encoderLayers = 1, .decoderLayers = 1}, 3);
        several.paths.push_back(several.paths.front());
        for (const bool isReference : {true, false, false}) {
            several.paths.back().decodedOn = !isReference;
            shown_.branches = {std::make_shared<const trace::Run>(several), {"a", "b"}, {"", "b"}};
            list_->refresh();
            QCOMPARE(wanted_->size(), isReference ? 0 : 1);
            QCOMPARE(tree_->topLevelItemCount(), 2);
        }
    }

    /// The command has the shown branch last, whichever it is in the window.
    void aPictureListsTheShownBranchInItsPlace() {
        auto several = run({.encoderLayers = 1, .decoderLayers = 1}, 3);
        several.path = several.tree.path(several.paths.front().leaf);
        several.paths.resize(3, several.paths.front());
        shown_.branches = {std::make_shared<const trace::Run>(several), {"a", "b", "shown"}, {"", "", ""}};
        list_->refresh();
        list_->showPicture({.choices = {{"shown", std::int64_t(1)}}});
        QCOMPARE(tree_->topLevelItem(1)->text(0), QString("shown"));
        widgets::ViewChoices choices;
        list_->addChoices(choices);
        choices.apply({{"branches", {{"names", std::vector<std::string>{"", "mine"}}}}});
        QCOMPARE(wanted_->size(), 4); // it was shown, too
        const auto named = std::get<intents::NamePath>(wanted_->at(2).front().value<widgets::Intent>());
        QVERIFY(named.path == 2 && named.name == "mine");
    }

    void theSumIsOfEveryTokenAfterTheStart() {
        const auto branches = widgets::branchesOf(run({.encoderLayers = 1, .decoderLayers = 1}, 3), {"one"});
        QCOMPARE(branches.size(), std::size_t(1));
        QCOMPARE(branches[0].logProbability, -10.0);
        QCOMPARE(branches[0].tokens, std::size_t(4));
    }

    void theSumLeavesAPromptOut() {
        const auto branches =
            widgets::branchesOf(run({.decoderLayers = 1, .attendsToSource = false}, 3), {"one"});
        QCOMPARE(branches[0].logProbability, -7.0);
        QCOMPARE(branches[0].tokens, std::size_t(2));
    }

    void theOnlyBranchCanNeitherBeRemovedNorCompared() {
        list_->setBranches({{"only", "Text", -1, 2, true}});
        QVERIFY(!button("Remove")->isEnabled());
        QVERIFY(!button("Compare")->isEnabled());
        QVERIFY(button("Remove")->toolTip().contains("one branch"));
    }

    void sumAndMeanAreShown() {
        QVERIFY(tree_->topLevelItem(0)->text(1).endsWith("1.5000"));
        QVERIFY(tree_->topLevelItem(0)->text(2).endsWith("0.3000"));
    }
};

HEADSCOPE_WATCHED_TEST(BranchListTest)
#include "branch_list_test.moc"
