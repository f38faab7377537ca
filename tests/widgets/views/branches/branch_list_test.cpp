#include <QSignalSpy>
#include <QTest>

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

    widgets::DocumentState shown_;
    std::unique_ptr<QSignalSpy> wanted_;

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

  private Q_SLOTS:
    void init() {
        shown_ = {};
        list_ = std::make_unique<BranchList>();
        list_->setContext({.document = &shown_});
        wanted_ = std::make_unique<QSignalSpy>(list_.get(), &widgets::View::intended);
        list_->setBranches(
            {{"first", "Der alte Mann.", -1.5, 5, false}, {"second", "Ein Greis.", -4.2, 4, true}});
        list_->show();
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

    /// The command has the shown branch last, whichever it is in the window.
    void aPictureListsTheShownBranchInItsPlace() {
        auto several = run({.encoderLayers = 1, .decoderLayers = 1}, 3);
        several.path = several.tree.path(several.paths.front().leaf);
        several.paths.resize(3, several.paths.front());
        shown_.branches = {std::make_shared<const trace::Run>(several), {"a", "b", "shown"}, {"", "", ""}};
        list_->refresh();
        list_->showPicture({.choices = {{"shown", std::int64_t(1)}}});
        QCOMPARE(list_->branches()[1].name, QString("shown"));
        widgets::ViewChoices choices;
        list_->addChoices(choices);
        choices.apply({{"branches", {{"names", std::vector<std::string>{"", "mine"}}}}});
        QCOMPARE(wanted_->size(), 3);
        const auto named = std::get<intents::NamePath>(wanted_->at(1).front().value<widgets::Intent>());
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
};

HEADSCOPE_WATCHED_TEST(BranchListTest)
#include "branch_list_test.moc"
