#include <QAction>
#include <QMainWindow>
#include <QSignalSpy>
#include <QTest>

#include "app/document/choice_actions.h"
#include "tests/watched_test.h"
#include "widgets/map/map_options.h"

using namespace headscope;
using app::ActionId;
using app::Actions;
using app::ChoiceActions;
using app::Document;
using widgets::Quantity;

class ChoiceActionsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QMainWindow> window_;
    std::unique_ptr<Document> document_;
    Actions* actions_ = nullptr;

    widgets::MapOptions shown() const { return widgets::mapOptionsOf(document_->state()); }

  private Q_SLOTS:
    void init() {
        window_ = std::make_unique<QMainWindow>();
        document_ = std::make_unique<Document>([] { return std::unique_ptr<engine::Engine>(); });
        actions_ = new Actions(window_.get());
        new ChoiceActions(document_.get(), actions_, actions_);
    }

    void cleanup() {
        delete actions_; // before the document that they show
        document_.reset();
    }

    void itOpensOnPlainWeights() {
        QCOMPARE(shown(), widgets::MapOptions());
        QVERIFY((*actions_)[ActionId::ShowWeights]->isChecked());
        QVERIFY((*actions_)[ActionId::ScaleLinear]->isChecked());
    }

    void everyQuantityHasItsAction() {
        const auto ids = ChoiceActions::of("map", "quantity");
        QCOMPARE(ids.size(), widgets::allQuantities.size());
        for (std::size_t i = 0; i < ids.size(); ++i) {
            (*actions_)[ids[i]]->trigger();
            QCOMPARE(shown().quantity, widgets::allQuantities[i]);
        }
    }

    void everySwitchChangesSomethingAndIsToldOnce() {
        for (const auto& choice : widgets::sharedChoices()) {
            if (choice.kind != widgets::ChoiceSpec::Kind::Flag)
                continue;
            const auto before = shown();
            const QSignalSpy told(document_.get(), &Document::stateChanged);
            (*actions_)[ChoiceActions::of("map", choice.name).front()]->trigger();
            QCOMPARE(told.size(), 1);
            QVERIFY(shown() != before);
        }
        (*actions_)[ActionId::ScaleRank]->trigger();
        QCOMPARE(shown().mapping, widgets::ColourMapping::Rank);
    }

    void whatIsChosenElsewhereIsChecked() {
        document_->choose({{"map", {{"quantity", std::string("rollout")}, {"numbers", true}}},
                           {"window", {{"step-by-step", true}}}});
        for (const ActionId id : {ActionId::ShowRollout, ActionId::MapNumbers, ActionId::StepByStep})
            QVERIFY((*actions_)[id]->isChecked());
        QVERIFY(!(*actions_)[ActionId::ShowWeights]->isChecked());
        document_->choose("map", "numbers", false);
        QVERIFY(!(*actions_)[ActionId::MapNumbers]->isChecked());
        QCOMPARE(shown().quantity, Quantity::Rollout);
    }

    void wordsAreNotOfferedOfScoresAndTheTooltipSaysWhy() {
        QAction* words = (*actions_)[ActionId::MapWords];
        QVERIFY(words->isEnabled());
        (*actions_)[ActionId::ShowOpenScores]->trigger();
        QVERIFY(!words->isEnabled());
        QVERIFY(words->toolTip().contains("per token only"));
        (*actions_)[ActionId::ShowGradient]->trigger();
        QVERIFY(words->isEnabled());
    }
};

HEADSCOPE_WATCHED_TEST(ChoiceActionsTest)
#include "choice_actions_test.moc"
