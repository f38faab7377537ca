#include <QAbstractItemView>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPointer>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QtGui/QDropEvent>

#include "app/desktop/message_panel.h"
#include "app/document/window_state.h"
#include "app/version.h"
#include "app/window/main_window.h"
#include "app/window/top/language_box.h"
#include "app/window/top/sentence_panel.h"
#include "app/window/window_search.h"
#include "model/analysis/output/hesitation.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/controls/run_to_editor.h"
#include "widgets/controls/self_check_badge.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/controls/token_strip.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/heatmap/heatmap_page.h"

#include <algorithm>

using headscope::app::ActionId;
using headscope::app::ActionKey;
using headscope::app::MainWindow;
using headscope::test::FakeEngine;

namespace {

QString mnemonicOf(const QString& text) {
    return QKeySequence::mnemonic(text).toString();
}

} // namespace

class MainWindowTest : public QObject {
    Q_OBJECT

    FakeEngine::Script script_;
    std::unique_ptr<MainWindow> window_;

    void openWindow(headscope::app::StartWith startWith = {.model = "a-model",
                                                           .sentence = QString("a sentence")}) {
        window_ =
            std::make_unique<MainWindow>([this] { return std::make_unique<FakeEngine>(script_); }, startWith);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    }

    void openAndDecode() {
        openWindow();
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete);
    }

    template <class Widget>
    Widget* part() const {
        return window_->findChild<Widget*>();
    }

    void trigger(const ActionKey& id) { window_->actions()[id]->trigger(); }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        script_.requests.clear();
        script_.opened.clear();
        script_.tamper = nullptr;
        script_.holdRuns = false;
    }

    void cleanup() { window_.reset(); }

    void itOpensOnADecodedSentence() {
        openAndDecode();
        QCOMPARE(window_->controller()->steps(), 5);
        QVERIFY(window_->windowTitle().contains("a-model"));
        QVERIFY(part<headscope::widgets::SelfCheckBadge>()->words().contains("Numbers verified"));
    }

    void whatIsAskedOfOneModelIsNotAskedOfTheNext() {
        openAndDecode();
        auto* edit = part<headscope::widgets::SentenceEdit>();
        const auto offers = [edit](const QString& sentence) {
            const auto entries = edit->findChild<QMenu*>()->actions();
            return std::ranges::any_of(entries,
                                       [&](const QAction* entry) { return entry->text() == sentence; });
        };
        edit->setText("typed before");
        trigger(ActionId::Decode);
        QVERIFY(offers("typed before"));
        const auto searches = window_->findChildren<QLineEdit*>("search"); // head table and overview
        QVERIFY(searches.size() >= 2);
        for (auto* search : searches)
            search->setText("cross");
        auto* compared = part<headscope::widgets::CompareView>()->bar();
        compared->setSentence("the other one");
        window_->openModel("another-model");
        QTRY_VERIFY(window_->windowTitle().contains("another-model"));
        QVERIFY(!offers("typed before"));
        QCOMPARE(compared->sentence(), QString());
        for (const auto* search : searches)
            QCOMPARE(search->text(), QString());
        window_->openModel("a-model");
        QTRY_VERIFY(window_->windowTitle().contains("a-model"));
        QVERIFY(offers("typed before"));
    }

    void whatIsComputedAsTheProgramEndsIsNotWaitedFor() {
        openAndDecode();
        QPointer<headscope::app::WorkQueue> queue = part<headscope::app::WorkQueue>();
        window_->leaveComputing();
        window_.reset();
        QVERIFY(queue); // its threads end with the process; here they have to before
        delete queue;
    }

    void aBadModelLeavesTheOpenOneUntouchedAndExplainsItself() {
        openAndDecode();
        const auto shown = window_->controller()->run();
        window_->openModel("bad-model");
        auto* message = part<headscope::app::MessagePanel>();
        QTRY_VERIFY(message->isVisible());
        QVERIFY(message->words().contains("bad-model"));
        QVERIFY(message->words().contains("What to do"));
        QVERIFY(window_->windowTitle().contains("a-model"));
        QVERIFY(shown != nullptr);
        window_->openModel("another-model");
        QTRY_VERIFY(window_->windowTitle().contains("another-model"));
        QVERIFY(!message->isVisible());
    }

    void aCorruptedRunTurnsTheBadge() {
        openAndDecode();
        auto* badge = part<headscope::widgets::SelfCheckBadge>();
        const QString good = badge->words();
        script_.tamper = [](headscope::trace::Run& run) { run.cross.front().weights.at(0, 1, 1) += 0.01f; };
        trigger(ActionId::Decode);
        QTRY_VERIFY(badge->words() != good);
        QVERIFY2(badge->words().contains("failed"), qPrintable(badge->words()));
        script_.tamper = nullptr;
        trigger(ActionId::Decode);
        QTRY_COMPARE(badge->words(), good);
    }

    void keysStepOnlyWhileNothingElseHasTheFocus() {
        openAndDecode();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        window_->setFocus();
        QTest::keyClick(window_.get(), Qt::Key_Right);
        QCOMPARE(window_->selection()->step(), 1);
        auto* line = part<QLineEdit>();
        trigger(ActionId::EditSentence);
        QVERIFY(line->hasFocus());
        QTest::keyClick(line, Qt::Key_Home);
        QTest::keyClick(line, Qt::Key_Right);
        QCOMPARE(window_->selection()->step(), 1);
        QTest::keyClicks(line, "123 ");
        QVERIFY(line->text().contains("123 "));
        QCOMPARE(window_->selection()->head().site.kind, headscope::trace::AttentionKind::Cross);
        QTest::keyClick(line, Qt::Key_Escape);
        QVERIFY(!line->hasFocus());
        QTest::keyClick(window_.get(), Qt::Key_1);
        QCOMPARE(window_->selection()->head().site.kind, headscope::trace::AttentionKind::EncoderSelf);
    }

    void kindsAreChosenByKeysAlsoWhereAMapHasTheFocus() {
        openAndDecode();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        auto* map = part<headscope::widgets::HeatmapView>();
        map->setFocus();
        QTest::keyClick(map, Qt::Key_1);
        QCOMPARE(window_->selection()->head().site.kind, headscope::trace::AttentionKind::EncoderSelf);
        const int step = window_->selection()->step();
        QTest::keyClick(map, Qt::Key_Right); // moves the cell cursor
        QCOMPARE(window_->selection()->step(), step);
    }

    void plusAndMinusZoomTheMapInSightFromEveryPanelButNotFromAField() {
        openAndDecode();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        const auto* map = part<headscope::widgets::HeatmapPage>()->single();
        trigger("heatmap");
        auto* heads = part<headscope::widgets::HeadGridView>();
        heads->setFocus();
        const QSignalSpy zoomed(map, &headscope::widgets::HeatmapView::zoomedByHand);
        QTest::keyClick(heads, Qt::Key_Plus);
        QVERIFY(!map->zoom().isEmpty());
        QTest::keyClick(heads, Qt::Key_Minus);
        QTest::keyClick(heads, Qt::Key_0);
        QVERIFY(map->zoom().isEmpty());
        QCOMPARE(zoomed.size(), 3);
        auto* line = part<QLineEdit>();
        line->setFocus();
        QTest::keyClicks(line, "+-=0");
        QVERIFY(line->text().contains("+-=0"));
        QCOMPARE(zoomed.size(), 3);
    }

    void anEmptySentenceSaysSo() {
        openAndDecode();
        part<QLineEdit>()->clear();
        trigger(ActionId::Decode);
        QVERIFY(part<headscope::app::MessagePanel>()->isVisible());
    }

    void enterInTheFieldDecodesAndIsRemembered() {
        openAndDecode();
        auto* line = part<QLineEdit>();
        line->setText("another one");
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(std::get<std::string>(window_->controller()->run()->request.source),
                     std::string("another one"));
        const headscope::app::Settings settings;
        QVERIFY(settings.history(settings.recentModels().front()).contains("another one"));
    }

    /// One step on by one key, and back to the field by another.
    void afterEnterKeysStep() {
        openAndDecode();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        auto* line = part<QLineEdit>();
        trigger(ActionId::EditSentence);
        QTest::keyClicks(line, "another one");
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(window_->controller()->run()->request.source,
                     headscope::trace::Source(std::string("another one")));
        QTRY_VERIFY(!window_->controller()->isDecoding());
        QVERIFY(!line->hasFocus());
        trigger(ActionId::ToStart);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
        QCOMPARE(window_->selection()->step(), 1);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_1);
        QCOMPARE(window_->selection()->head().site.kind, headscope::trace::AttentionKind::EncoderSelf);
        QCOMPARE(window_->actions()[ActionId::EditSentence]->shortcut(), QKeySequence("Ctrl+L"));
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        trigger(ActionId::EditSentence);
        QVERIFY(line->hasFocus());
        QCOMPARE(line->selectedText(), QString("another one"));
    }

    void theNextUnsureTokenIsGoneToAndNamed() {
        openAndDecode();
        const auto known = headscope::analysis::hesitations(*window_->controller()->run());
        QVERIFY(known.at(2).probability && known.at(2).second);
        auto* below = part<headscope::widgets::RunToEditor>()->findChild<QDoubleSpinBox*>();
        QCOMPARE(below->value(), 0.8);
        trigger(ActionId::ToStart);
        trigger(ActionId::NextUnsure); // all of them are: the most probable one has exp(-0.5)
        QCOMPARE(window_->selection()->step(), 1);
        QVERIFY2(window_->statusBar()->currentMessage().contains("60.7 %"),
                 qPrintable(window_->statusBar()->currentMessage()));
        trigger(ActionId::ToEnd);
        trigger(ActionId::NextUnsure);
        QCOMPARE(window_->selection()->step(), 0); // behind the end comes the first
        const auto* target = window_->findChild<headscope::app::SentencePanel*>()->target();
        QVERIFY(target->choices().at(1).isUnsure);
        QVERIFY(target->choices().at(1).words.contains("60.7 %"));
        below->setValue(0.5);
        QVERIFY(!target->choices().at(1).isUnsure);
        QCOMPARE(headscope::app::Settings().unsureBelow(), 0.5);
        trigger(ActionId::NextUnsure);
        QCOMPARE(window_->selection()->step(), 0);
        QVERIFY2(window_->statusBar()->currentMessage().contains("below 50.0 %"),
                 qPrintable(window_->statusBar()->currentMessage()));
    }

    void whereTheOutputHasColumnsTheStripDoesNotRepeatIt() {
        openAndDecode();
        auto* bench = headscope::tests::bench(*window_);
        const auto* target = window_->findChild<headscope::app::SentencePanel*>()->target();
        QVERIFY(target->isVisible());
        bench->setWorkspace("decode");
        QVERIFY(!target->isVisible());
        trigger(ActionId::ToggleHead); // it is compared with what was said before
        QTRY_VERIFY(target->isVisible());
        trigger(ActionId::ClearChanges);
        QTRY_VERIFY(!target->isVisible());
        bench->setWorkspace("explain");
        QVERIFY(target->isVisible());
    }

    void theMenuOfATokenExplainsItsStep() {
        openAndDecode();
        auto* panel = window_->findChild<headscope::app::SentencePanel*>();
        auto* target = const_cast<headscope::widgets::TokenStrip*>(panel->target());
        trigger(ActionId::ToStart);
        QString text;
        QTimer::singleShot(0, this, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu && menu->actions().size() == 1);
            text = menu->actions().front()->text();
            menu->actions().front()->trigger();
            menu->close();
        });
        Q_EMIT target->customContextMenuRequested(target->chipRect(2).center());
        QCOMPARE(text, QString("Why This Token Rather Than...\tW"));
        QCOMPARE(window_->selection()->step(), 2);
        QCOMPARE(headscope::tests::bench(*window_)->workspace(), std::string("explain"));
    }

    void aChangedModelIsMarkedAtTheTargetAndInTheTitle() {
        openAndDecode();
        auto* mark = window_->findChild<QToolButton*>("changes");
        QVERIFY(!mark->isVisible() && !window_->windowTitle().contains("change"));
        trigger(ActionId::ToggleHead);
        QTRY_VERIFY(mark->isVisible());
        QCOMPARE(mark->text(), QString("1 change, Undo"));
        QVERIFY2(mark->toolTip().contains("switched off"), qPrintable(mark->toolTip()));
        QVERIFY2(window_->windowTitle().startsWith("1 change - "), qPrintable(window_->windowTitle()));
        trigger(ActionId::NextHead);
        trigger(ActionId::ToggleHead);
        QTRY_COMPARE(mark->text(), QString("2 changes, Undo All"));
        mark->click();
        QTRY_VERIFY(!mark->isVisible());
        QVERIFY(!window_->windowTitle().contains("change"));
    }

    void aForcedTokenIsMarked() {
        openAndDecode();
        const auto* target = window_->findChild<headscope::app::SentencePanel*>()->target();
        QVERIFY(std::ranges::none_of(target->choices(), &headscope::widgets::TokenChoice::isForced));
        window_->controller()->choose(1, 21);
        QTRY_VERIFY(target->choices().size() > 1 && target->choices()[1].isForced);
        QVERIFY(target->choices()[1].words.startsWith("Forced"));
        QVERIFY(!target->choices().back().isForced);
    }

    void aModelIsOpenedByDroppingIt() {
        openAndDecode();
        QTemporaryDir folder;
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(folder.path())});
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window_.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window_.get(), &drop);
        QTRY_VERIFY(window_->windowTitle().contains(QFileInfo(folder.path()).fileName()));
        QVERIFY(headscope::app::Settings().recentModels().contains(folder.path()));
    }

    void whatWasInFrontIsThereAgain() {
        openAndDecode();
        const auto bench = [this] { return headscope::tests::bench(*window_); };
        bench()->close("candidates");
        bench()->show("paths");
        bench()->show("lines");
        window_->close();
        window_.reset();
        openAndDecode();
        const auto front = [&] { return bench()->frontKey(); };
        QCOMPARE(front(), std::string("lines"));
        QVERIFY(!bench()->isOpen("candidates") && bench()->isOpen("paths"));
        trigger(ActionId::ResetLayout);
        QVERIFY(bench()->isOpen("candidates") && !bench()->isOpen("paths"));
        QCOMPARE(front(), std::string("heatmap"));
    }

    /// Written when these views had places of their own.
    void anOlderLayoutOpensTheViewThatTookThePlace() {
        openAndDecode();
        const auto bench = headscope::tests::bench(*window_);
        bench->set({"at heads", "heads canvas lines", "heads drawer beam-tree"});
        QVERIFY(bench->isOpen("paths") && bench->frontKey() == "lines");
        bench->set({"at decode", "decode canvas branches"});
        QCOMPARE(bench->frontKey(), std::string("paths"));
    }

    void everyActionIsInAMenuAndTheSearchAndExplainsItself() {
        openAndDecode();
        const auto actions = window_->actions().all();
        const auto entries = part<headscope::app::WindowSearch>()->entries();
        const auto isSearched = [&](const QAction* action) {
            return std::ranges::any_of(entries, [&](const auto& entry) {
                return entry.name == action->text().remove('&').remove("...");
            });
        };
        QSet<QKeySequence> keys;
        for (QAction* action : actions) {
            QVERIFY2(!action->associatedObjects().isEmpty(), qPrintable(action->text()));
            QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->text()));
            QVERIFY2(isSearched(action), qPrintable(action->text()));
            if (!action->shortcut().isEmpty()) {
                QVERIFY2(!keys.contains(action->shortcut()), qPrintable(action->shortcut().toString()));
                keys.insert(action->shortcut());
            }
        }
    }

    void aboutNamesTheVersionAndWhoseModelsThereAre() {
        openAndDecode();
        QString words;
        QTimer::singleShot(0, window_.get(), [&words] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            words = dialog->findChild<QPlainTextEdit*>()->toPlainText();
            dialog->reject();
        });
        window_->actions()[ActionId::About]->trigger();
        QVERIFY2(words.contains(headscope::app::version()) && words.contains("License"), qPrintable(words));
    }

    void spaceMarksAreOffAtFirst() {
        openAndDecode();
        QVERIFY(!window_->actions()[ActionId::SpaceMarks]->isChecked());
    }

    void aLetterOpensOneMenuAndOneEntry() {
        openAndDecode();
        const auto checkLetters = [](const QList<QAction*>& entries, const QString& where) {
            QMap<QString, QString> taken;
            for (const QAction* entry : entries) {
                const QString letter = mnemonicOf(entry->text());
                if (letter.isEmpty())
                    continue;
                QVERIFY2(!taken.contains(letter),
                         qPrintable(where + ": " + taken.value(letter) + ", " + entry->text()));
                taken[letter] = entry->text();
            }
        };
        const auto* bar = part<QMenuBar>();
        QVERIFY(bar->actions().size() > 5);
        checkLetters(bar->actions(), "menu bar");
        for (const auto* menu : bar->findChildren<QMenu*>()) {
            checkLetters(menu->actions(), menu->title());
        }
    }

    void changesInTheModelAreInTheMenuAndTheSearch() {
        openAndDecode();
        QMenu* menu = nullptr;
        for (QAction* action : window_->actions().menu("&Run")->actions())
            menu = action->menu() ? action->menu() : menu;
        QVERIFY(menu);
        Q_EMIT menu->aboutToShow();
        QVERIFY(!menu->actions().isEmpty());
        const auto entries = part<headscope::app::WindowSearch>()->entries();
        for (const QAction* change : menu->actions())
            QVERIFY2(change->isSeparator() || std::ranges::any_of(entries,
                                                                  [&](const auto& entry) {
                                                                      return entry.summary ==
                                                                             change->toolTip().section('\n',
                                                                                                       0, 0);
                                                                  }),
                     qPrintable(change->text()));
        menu->actions().back()->trigger(); // asks nothing
        QTRY_COMPARE(window_->controller()->run()->request.interventions.size(), std::size_t(1));
    }

    void everyFocusableWidgetHasAName() {
        openAndDecode();
        QStringList nameless;
        for (const QWidget* widget : window_->findChildren<QWidget*>())
            if ((widget->focusPolicy() & Qt::TabFocus) && widget->isVisibleTo(window_.get()) &&
                !widget->objectName().startsWith("qt_")) {
                const auto* interface = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
                if (!interface || interface->text(QAccessible::Name).isEmpty())
                    nameless += widget->metaObject()->className();
            }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(", ")));
    }

    void addingPaddingAsksForARunWithIt() {
        openAndDecode();
        trigger("masks");
        auto* spin = headscope::tests::bench(*window_)->front()->findChild<QSpinBox*>();
        QVERIFY(spin);
        spin->setValue(2);
        QTRY_COMPARE(window_->controller()->run()->request.padding.source, 2);
    }

    void anotherCandidateIsDecodedInstead() {
        openAndDecode();
        Q_EMIT part<headscope::widgets::CandidatesView>()->intended(
            headscope::widgets::intents::ChooseToken{1, 21});
        QTRY_COMPARE(window_->controller()->run()->next[1].id, 21);
    }

    void longWorkCanBeStopped() {
        openAndDecode();
        script_.holdRuns = true;
        trigger(ActionId::Decode);
        QTRY_VERIFY(window_->actions()[ActionId::Stop]->isEnabled());
        trigger(ActionId::Stop);
        QTRY_VERIFY(!window_->actions()[ActionId::Stop]->isEnabled());
        script_.holdRuns = false;
    }

    void aModelWithoutATokenizerTakesIds() {
        openAndDecode();
        window_->openModel("takes-ids");
        QTRY_VERIFY(window_->windowTitle().contains("takes-ids"));
        const auto ids = [this] {
            const auto& run = window_->controller()->run();
            const auto* source =
                run ? std::get_if<headscope::trace::SourceIds>(&run->request.source) : nullptr;
            return source ? source->ids : std::vector<std::int64_t>();
        };
        QTRY_COMPARE(ids().size(), 8u);
        part<QLineEdit>()->setText("5, 6 7");
        trigger(ActionId::Decode);
        QTRY_COMPARE(ids(), (std::vector<std::int64_t>{5, 6, 7}));
        part<QLineEdit>()->setText("no ids");
        trigger(ActionId::Decode);
        QVERIFY(part<headscope::app::MessagePanel>()->isVisible());
    }

    void aMultilingualModelIsAskedForALanguageWhichIsKept() {
        openAndDecode();
        auto* languages = part<headscope::app::SentencePanel>()->language();
        QVERIFY(!languages->isVisible());
        window_->openModel("multilingual");
        QTRY_VERIFY(languages->isVisible());
        QCOMPARE(languages->itemText(1), "French (fra)");
        QCOMPARE(languages->itemText(2), "xyz");
        const auto sent = [this] {
            const auto& run = window_->controller()->run();
            return run ? std::get<std::string>(run->request.source) : "";
        };
        QTRY_COMPARE(sent(), std::string(">>de<< a sentence"));
        languages->setFocus();
        window_->openModel("bad-model");          // on its way: the language is of the model that is open
        QTest::keyClick(languages, Qt::Key_Down); // shows the list and chooses nothing in passing
        QTRY_VERIFY(languages->view()->isVisible());
        QTest::keyClick(languages->view(), Qt::Key_Down);
        QCOMPARE(sent(), std::string(">>de<< a sentence"));
        QTest::keyClick(languages->view(), Qt::Key_Return);
        QTRY_COMPARE(sent(), std::string(">>fra<< a sentence"));
        QCOMPARE(part<QLineEdit>()->text(), "a sentence");
        window_->openModel("another");
        QTRY_VERIFY(!languages->isVisible());
        window_->openModel("multilingual");
        QTRY_COMPARE(sent(), std::string(">>fra<< a sentence"));
    }

    void aModelWithTokensForLanguagesIsOpenedAgainInOthers() {
        openAndDecode();
        const auto* panel = part<headscope::app::SentencePanel>();
        auto* target = panel->language();
        auto* source = panel->sourceLanguage();
        QVERIFY(!source->isVisible() && !target->isVisible());
        window_->openModel("many-to-many");
        QTRY_VERIFY(source->isVisible() && target->isVisible());
        QCOMPARE(source->currentText(), "English (eng_Latn)");
        QCOMPARE(target->currentText(), "German (deu_Latn)");
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete);
        const auto language = [this] {
            const auto& run = window_->controller()->run();
            return run && run->complete && !window_->state()->isUnsettled() ? run->model->targetLanguage : "";
        };
        const auto type = [target](const QString& words) {
            target->setFocus();
            target->lineEdit()->selectAll();
            QTest::keyClicks(target, words);
            QTest::keyClick(target, Qt::Key_Return);
        };
        window_->selection()->setHead({{headscope::trace::AttentionKind::DecoderSelf, 0}, 1});
        QTest::qWait(0);
        type("fren"); // part of a name
        QTRY_COMPARE(language(), std::string("fra_Latn"));
        QCOMPARE(target->currentText(), "French (fra_Latn)");
        QCOMPARE(source->currentText(), "English (eng_Latn)");
        QCOMPARE(std::get<std::string>(window_->controller()->run()->request.source),
                 std::string("a sentence"));
        QCOMPARE(window_->selection()->head().head, 1);
        trigger(ActionId::CopyCommand);
        QVERIFY2(QApplication::clipboard()->text().contains("--target-language=fra_Latn"),
                 qPrintable(QApplication::clipboard()->text()));
        const auto saved = window_->state()->toSave();
        type("eng_l"); // part of a code
        QTRY_COMPARE(language(), std::string("eng_Latn"));
        window_->state()->apply(saved, this);
        QTRY_COMPARE(language(), std::string("fra_Latn"));
        QCOMPARE(target->currentText(), "French (fra_Latn)");
        type("no language");
        QCOMPARE(target->currentText(), "French (fra_Latn)");
        window_->openModel("another");
        QTRY_VERIFY(!source->isVisible() && !target->isVisible());
    }

    void theCommandIsOfThePathThatIsLookedAt() {
        openAndDecode();
        window_->controller()->choose(1, 21);
        QTRY_VERIFY(window_->controller()->run()->paths.size() == 2);
        trigger(ActionId::CopyCommand);
        QVERIFY(QApplication::clipboard()->text().contains("--target-ids=2,10,21"));
        window_->controller()->showPath(0);
        QTRY_VERIFY(!window_->controller()->isDecoding());
        trigger(ActionId::CopyCommand);
        QVERIFY(QApplication::clipboard()->text().startsWith("headscope-cli "));
        QVERIFY(!QApplication::clipboard()->text().contains("--target-ids"));
    }

    void themesCanBeForced() {
        openAndDecode();
        trigger(ActionId::ThemeDark);
        QVERIFY(QApplication::palette().window().color().lightnessF() < 0.5);
        trigger(ActionId::ThemeLight);
        QVERIFY(QApplication::palette().window().color().lightnessF() > 0.5);
    }
};

HEADSCOPE_WATCHED_TEST(MainWindowTest)
#include "main_window_test.moc"
