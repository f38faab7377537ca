#include <QAction>
#include <QMainWindow>
#include <QSignalSpy>
#include <QTest>

#include "app/document/map_choices.h"
#include "tests/watched_test.h"

using namespace headscope;
using app::ActionId;
using app::Actions;
using app::MapChoices;
using widgets::ColourMapping;
using widgets::Quantity;

class MapChoicesTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QMainWindow> window_;
    Actions* actions_ = nullptr;
    std::unique_ptr<MapChoices> choices_;

  private Q_SLOTS:
    void init() {
        window_ = std::make_unique<QMainWindow>();
        actions_ = new Actions(window_.get());
        choices_ = std::make_unique<MapChoices>(actions_);
    }

    void itOpensOnPlainWeights() {
        QCOMPARE(choices_->options(), widgets::MapOptions());
        QVERIFY((*actions_)[ActionId::ShowWeights]->isChecked());
        QVERIFY((*actions_)[ActionId::ScaleLinear]->isChecked());
    }

    void everyQuantityHasItsAction() {
        for (const Quantity quantity : widgets::allQuantities) {
            (*actions_)[MapChoices::actionOf(quantity)]->trigger();
            QCOMPARE(choices_->options().quantity, quantity);
        }
    }

    void everySwitchChangesSomethingAndIsToldOnce() {
        for (const ActionId id : MapChoices::switches()) {
            const auto before = choices_->options();
            const QSignalSpy told(choices_.get(), &MapChoices::optionsChanged);
            (*actions_)[id]->trigger();
            QCOMPARE(told.size(), 1);
            QVERIFY(choices_->options() != before);
        }
        (*actions_)[ActionId::ScaleRank]->trigger();
        QCOMPARE(choices_->options().mapping, ColourMapping::Rank);
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

HEADSCOPE_WATCHED_TEST(MapChoicesTest)
#include "map_choices_test.moc"
