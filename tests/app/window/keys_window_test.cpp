#include <QCheckBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSettings>
#include <QTest>
#include <QTimer>
#include <QTreeWidget>

#include "app/desktop/toast.h"
#include "app/window/home/home_page.h"
#include "app/window/home/key_list.h"
#include "app/window/home/learn_window.h"
#include "app/window/home/model_card.h"
#include "app/window/top/sentence_panel.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/controls/token_strip.h"
#include "widgets/views/places.h"

#include <algorithm>

using namespace headscope;
using app::ActionId;

/// Keys of the window by themselves.
class KeysWindowTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<app::MainWindow> window_;

    app::Workbench* bench() const { return tests::bench(*window_); }
    app::HomePage* home() const { return window_->findChild<app::HomePage*>(); }
    QLineEdit* line() const { return window_->findChild<QLineEdit*>(); }
    app::Toast* toast() const { return window_->findChild<app::Toast*>(); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(window_.get(), key, modifiers);
    }
    bool isInField() const { return qobject_cast<QLineEdit*>(window_->focusWidget()); }
    /// What a dialog that an action opens is asked.
    template <class Then>
    void inDialog(ActionId id, Then&& then) {
        bool wasOpen = false;
        QTimer::singleShot(0, window_.get(), [&] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            wasOpen = true;
            then(dialog);
            dialog->reject();
        });
        window_->actions()[id]->trigger();
        QVERIFY(wasOpen);
    }
    void open() {
        window_ = std::make_unique<app::MainWindow>(
            [this] { return std::make_unique<test::FakeEngine>(script_); },
            app::StartWith{.model = "a-model", .sentence = QString("a sentence")});
        window_->show();
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete);
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        window_->setFocus();
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        open();
    }
    void cleanup() { window_.reset(); }

    void theWorkspacesHaveTheNumbersOfTheRailAndLeaveFields() {
        int key = Qt::Key_2;
        for (const auto& workspace : widgets::workspaces()) {
            window_->actions()[ActionId::EditSentence]->trigger();
            QVERIFY(isInField());
            press(Qt::Key(key++), Qt::ControlModifier);
            QCOMPARE(bench()->workspace(), workspace.key);
            // Where a sentence is asked for, letters are typed.
            QVERIFY2(isInField() == (workspace.key == "compare"), workspace.key.c_str());
        }
        QCOMPARE(key, int(Qt::Key_7));
        QCOMPARE(window_->actions()[ActionId::Train]->shortcut(), QKeySequence("Ctrl+7"));
        press(Qt::Key_W);
        QCOMPARE(bench()->workspace(), std::string("explain"));
        press(Qt::Key_8, Qt::ControlModifier); // as before
        QCOMPARE(bench()->workspace(), std::string("compare"));
        QVERIFY(isInField());
        auto* field = qobject_cast<QLineEdit*>(window_->focusWidget());
        QTest::keyClicks(field, "do");
        QCOMPARE(field->text(), QString("do"));
        QCOMPARE(bench()->workspace(), std::string("compare"));
    }

    void homeListsModelsAndIsLeftByTheWorkspaces() {
        press(Qt::Key_1, Qt::ControlModifier);
        QVERIFY(home()->isVisible());
        QVERIFY(!window_->findChild<widgets::TokenStrip*>()->isVisible());
        QVERIFY(home()->findChildren<app::ModelCard*>().size() > 5);
        press(Qt::Key_2, Qt::ControlModifier);
        QVERIFY(!home()->isVisible() && bench()->isInSight("heatmap"));
        press(Qt::Key_1, Qt::ControlModifier);
        auto* card = home()->findChildren<app::ModelCard*>()[1];
        const QString name = card->objectName();
        card->setFocus();
        QTest::keyClick(card, Qt::Key_Return);
        QTRY_VERIFY(window_->windowTitle().contains(name));
        QTRY_VERIFY(!home()->isVisible());
    }

    void lettersChooseTheModeOfTheCanvas() {
        const std::initializer_list<std::pair<Qt::Key, const char*>> modes{
            {Qt::Key_L, "lines"}, {Qt::Key_M, "masks"}, {Qt::Key_N, "arithmetic"}, {Qt::Key_H, "heatmap"}};
        for (const auto& [key, view] : modes) {
            window_->setFocus();
            press(key);
            QCOMPARE(bench()->frontKey(), std::string(view));
        }
    }

    void fMaximisesTheCanvasUntilItIsPressedAgainOrAnotherPartIsOpened() {
        const auto isSeen = [this](const char* view) { return bench()->view(view)->isVisible(); };
        QVERIFY(isSeen("contact-sheet") && isSeen("candidates"));
        press(Qt::Key_F);
        QVERIFY(!isSeen("contact-sheet") && !isSeen("candidates") && isSeen("heatmap"));
        press(Qt::Key_F);
        QVERIFY(isSeen("contact-sheet") && isSeen("candidates"));
        press(Qt::Key_F);
        window_->actions()["logit-lens"]->trigger();
        QVERIFY(isSeen("logit-lens") && isSeen("contact-sheet"));
    }

    void ctrlWClosesTheDrawer() {
        auto* close = window_->actions()[ActionId::CloseDrawer];
        QVERIFY(!close->isEnabled());
        window_->actions()["logit-lens"]->trigger();
        QVERIFY(bench()->isOpen("logit-lens") && close->isEnabled());
        press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(!bench()->isOpen("logit-lens") && !close->isEnabled());
    }

    void f6GoesFromRegionToRegionAndBack() {
        const auto placeOf = [this](const QWidget* part) {
            return QRect(part->mapTo(window_.get(), QPoint()), part->size());
        };
        const auto region = [&]() -> QString {
            const QPoint at = placeOf(window_->focusWidget()).center();
            const QRect map = placeOf(bench()->view("heatmap"));
            const auto* tokens = window_->findChild<app::SentencePanel*>();
            return at.y() <= placeOf(tokens).bottom() ? "tokens"
                   : at.x() < map.left()              ? "panel"
                   : at.x() > map.right()             ? "cards"
                   : at.y() > map.bottom()            ? "drawer"
                                                      : "canvas";
        };
        QStringList seen;
        for (int i = 0; i < 6; ++i) {
            press(Qt::Key_F6);
            seen += region();
        }
        QCOMPARE(seen, QStringList({"tokens", "panel", "canvas", "cards", "drawer", "tokens"}));
        press(Qt::Key_F6, Qt::ShiftModifier);
        QCOMPARE(region(), QString("drawer"));
    }

    void spacePlaysTheStepsAndStops() {
        window_->actions()[ActionId::ToEnd]->trigger();
        press(Qt::Key_Space); // from the start again
        QCOMPARE(window_->selection()->step(), 0);
        QTRY_COMPARE(window_->selection()->step(), 2);
        press(Qt::Key_Space);
        QTest::qWait(700);
        QCOMPARE(window_->selection()->step(), 2);
        press(Qt::Key_Space);
        QCOMPARE(window_->selection()->step(), 3);
        press(Qt::Key_Left); // who steps has it stopped
        QTest::qWait(700);
        QCOMPARE(window_->selection()->step(), 2);
    }

    void bracketsStandForPageUpAndPageDown() {
        const auto& actions = window_->actions();
        QVERIFY(actions[ActionId::PreviousLayer]->shortcuts().contains(QKeySequence("[")));
        QVERIFY(actions[ActionId::PreviousLayer]->shortcuts().contains(QKeySequence("PgUp")));
        QVERIFY(actions[ActionId::NextLayer]->shortcuts().contains(QKeySequence("]")));
        QVERIFY(actions[ActionId::NextLayer]->shortcuts().contains(QKeySequence("PgDown")));
    }

    void aKeyThatDoesSomethingElseNowSaysSoOnceAndTakesNoFocus() {
        press(Qt::Key_3, Qt::ControlModifier);
        QVERIFY(!toast()->isVisible()); // who is new has never known another key
        window_.reset();
        QSettings().clear();
        QSettings().setValue("models/recent", QStringList("a-model")); // of an earlier version
        open();
        press(Qt::Key_3, Qt::ControlModifier); // was Masks, is the workspace Decode
        QVERIFY(toast()->isVisible());
        QVERIFY2(toast()->words().contains("Ctrl+3") && toast()->words().contains("Masks") &&
                     toast()->words().contains("has M"),
                 qPrintable(toast()->words()));
        QVERIFY(!toast()->isAncestorOf(window_->focusWidget()) &&
                !qobject_cast<QLineEdit*>(window_->focusWidget()));
        const int right = window_->width() - toast()->geometry().right();
        QVERIFY(right > 0 && right < 40 && toast()->y() > window_->height() / 2);
        QTRY_VERIFY_WITH_TIMEOUT(!toast()->isVisible(), 6000);
        press(Qt::Key_3, Qt::ControlModifier);
        QVERIFY(!toast()->isVisible());
        press(Qt::Key_2, Qt::ControlModifier);
        QVERIFY(toast()->isVisible()); // another key
        QVERIFY(!window_->actions()[ActionId::CloseDrawer]->isEnabled());
        press(Qt::Key_W, Qt::ControlModifier); // does nothing now
        QVERIFY2(toast()->words().contains("Ctrl+W") && toast()->words().contains("Weights"),
                 qPrintable(toast()->words()));
    }

    void preferencesChangeWhatTheWindowKeeps() {
        inDialog(ActionId::Preferences, [](QDialog* dialog) {
            dialog->findChild<QDoubleSpinBox*>()->setValue(60);
            for (auto* box : dialog->findChildren<QCheckBox*>())
                box->toggle();
        });
        QVERIFY(!app::Settings().motion());
        QCOMPARE(app::Settings().unsureBelow(), 0.6);
        QVERIFY(app::Settings().spaceMarks());
        QVERIFY(!app::Settings().keepsLast());
        QCOMPARE(window_->actions()[ActionId::Preferences]->shortcut(), QKeySequence("Ctrl+,"));
    }

    void shortcutsAreSearched() {
        QCOMPARE(window_->actions()[ActionId::Keys]->shortcut(), QKeySequence("?"));
        window_->setFocus();
        window_->actions()[ActionId::Keys]->trigger();
        auto* learn = window_->findChild<app::LearnWindow*>();
        QTRY_VERIFY(learn->isVisible() && learn->keys()->isVisible());
        const auto* list = learn->keys()->findChild<QTreeWidget*>();
        learn->keys()->words()->setText("ctrl+2 heat");
        QStringList seen;
        for (int row = 0; row < list->topLevelItemCount(); ++row)
            if (!list->topLevelItem(row)->isHidden())
                seen += list->topLevelItem(row)->text(0);
        QCOMPARE(seen, QStringList("Heatmap")); // by its earlier key
    }
};

HEADSCOPE_WATCHED_TEST(KeysWindowTest)
#include "keys_window_test.moc"
