#include <QAction>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTest>

#include "app/desktop/message_panel.h"
#include "app/desktop/settings.h"
#include "app/document/autosave_controller.h"
#include "app/document/restore_offer.h"
#include "app/document/session_controller.h"
#include "app/document/undo_controller.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/window/main_window.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/busy_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/app/window/known_results.h"
#include "tests/watched_test.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/view_context.h"
#include "widgets/views/heatmap/heatmap_page.h"
#include "widgets/views/importance/importance_view.h"

using namespace headscope;
using namespace std::chrono_literals;
using app::ActionId;
using app::MainWindow;
using app::SessionState;
using test::FakeEngine;

class SessionWindowTest : public QObject {
    Q_OBJECT

    FakeEngine::Script script_;
    std::unique_ptr<QTemporaryDir> folder_;

    using Window = std::unique_ptr<MainWindow>;

    QString file(const QString& name) const { return folder_->filePath(name); }
    QString model() const { return file("a-model"); }

    static bool isReady(const MainWindow& window) {
        return window.controller()->run() && window.controller()->run()->complete &&
               !window.state()->isUnsettled() && !window.undo()->history().isEmpty();
    }
    Window open(const app::StartWith& startWith) {
        auto window =
            std::make_unique<MainWindow>([this] { return std::make_unique<FakeEngine>(script_); }, startWith);
        window->show();
        return window;
    }
    Window openReady(const QString& what, const QString& autosave = {}) {
        auto window = open({.model = what, .autosaveFolder = autosave});
        [&] { QTRY_VERIFY(isReady(*window)); }();
        return window;
    }
    static void save(MainWindow& window, const QString& path) {
        QSignalSpy done(window.sessions(), &app::SessionController::done);
        window.sessions()->saveTo(path);
        QTRY_COMPARE_WITH_TIMEOUT(done.size(), 1, 20000);
        QCOMPARE(done.front().front().toString(), "Saved " + path);
        // What takes a while with large weights comes after.
        QTRY_VERIFY(!app::readSession(path.toStdString()).model.weights.empty());
    }
    static void decode(MainWindow& window, const QString& sentence) {
        window.findChild<widgets::SentenceEdit*>()->setText(sentence);
        window.actions()[ActionId::Decode]->trigger();
        QTRY_VERIFY(isReady(window));
        window.undo()->settle();
    }
    static std::string sourceOf(const MainWindow& window) {
        return std::get<std::string>(window.controller()->run()->request.source);
    }
    static QMessageBox* question(const MainWindow& window, const char* name) {
        return window.findChild<QMessageBox*>(name);
    }
    std::string otherWeightsIn(const QString& session) const {
        return app::readSession(file(session).toStdString()).otherWeights;
    }
    /// "a.headscope", whose second model is "b-model".
    void saveWithSecondModel() {
        QFile other(file("b-model"));
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write("other weights") > 0);
        other.close();
        auto window = openReady(model());
        window->compareWith(file("b-model"));
        QTRY_VERIFY(window->findChild<app::Document*>()->state().second.model);
        save(*window, file("a.headscope"));
        QTRY_VERIFY(otherWeightsIn("a.headscope").starts_with("sha256:"));
    }
    /// As a program that was killed leaves it.
    void leaveBehind(const QString& path) const {
        QFile lock(path + ".lock");
        QVERIFY(lock.open(QIODevice::WriteOnly));
        lock.write("4194304\nheadscope\n" + QSysInfo::machineHostName().toUtf8() + "\n");
    }

    /// The view on top once it draws nothing new any more.
    static QImage pictureOf(MainWindow& window, const std::string& view) {
        auto* bench = tests::bench(window);
        bench->show(view);
        window.setFocus(); // where the keyboard is belongs to nobody's session
        QImage last;
        const QDeadlineTimer patience(30000);
        for (int same = 0; same < 2 && !patience.hasExpired();) {
            QTest::qWait(10);
            const QImage now = bench->view(view)->grab().toImage();
            const bool isStill = now == last && !window.findChild<app::WorkQueue*>()->isBusy();
            same = isStill ? same + 1 : 0;
            last = now;
        }
        return last;
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        script_.holdRuns = false;
        folder_ = std::make_unique<QTemporaryDir>();
        QFile weights(model());
        QVERIFY(weights.open(QIODevice::WriteOnly));
        weights.write("weights");
    }

    void aSessionWinsOverWhereItsModelOpens() {
        const QString opening = file("opens-at");
        QFile weights(opening);
        QVERIFY(weights.open(QIODevice::WriteOnly) && weights.write("weights") > 0);
        weights.close();
        auto window = openReady(opening);
        const auto shownHead = [&] {
            return QString::fromStdString(trace::toString(window->selection()->head()));
        };
        QCOMPARE(shownHead(), QString("encoder.0.1"));
        window->selection()->setHead({{trace::AttentionKind::Cross, 0}, 0});
        window->actions()["lines"]->trigger();
        window->undo()->settle();
        save(*window, file("a.headscope"));
        window = openReady(file("a.headscope"));
        QCOMPARE(shownHead(), QString("cross.0.0"));
        QCOMPARE(tests::bench(*window)->frontKey(), std::string("lines"));
    }

    void theOpenDrawerAndTheBaselineComeBack() {
        auto window = openReady(model());
        auto* bench = tests::bench(*window);
        bench->show(bench->headView());
        bench->open("logit-lens");
        window->findChild<app::Document*>()->choose("why", "baseline", std::string("uniform"));
        const auto before = window->state()->capture();
        save(*window, file("a.headscope"));
        window = openReady(file("a.headscope"));
        QVERIFY(tests::bench(*window)->isOpen("logit-lens"));
        QCOMPARE(widgets::baselineOf(window->findChild<app::Document*>()->state()),
                 widgets::Baseline::Uniform);
        QVERIFY(window->state()->capture() == before);
    }

    void theSamePixelsAndNumbersComeBack() {
        const auto makeEngine = [] {
            return app::loadEngine(
                {.familyFolders = app::familyFolders(), .samples = app::sampleSentences()});
        };
        const QString path = file("a.headscope");
        auto window = std::make_unique<MainWindow>(
            makeEngine, app::StartWith{.sentence = "The old man gave his daughter a red book."});
        window->resize(1300, 820);
        window->show();
        QTRY_VERIFY_WITH_TIMEOUT(isReady(*window), 30000);
        const trace::HeadAddress head{{trace::AttentionKind::Cross, 1}, 2};
        window->selection()->setHead(head);
        for (const auto id : {ActionId::ToggleHead, ActionId::ScaleLogarithmic, ActionId::MapNumbers,
                              ActionId::MapReceived, ActionId::SpaceMarks})
            window->actions()[id]->trigger();
        QTRY_VERIFY(isReady(*window));
        window->controller()->goTo(2);
        window->selection()->togglePinned({.sourceKey = 3, .targetQuery = 2});
        for (const auto key : {Qt::Key_Right, Qt::Key_Down}) // elsewhere than what was clicked
            QTest::keyClick(window->findChild<widgets::HeatmapPage*>()->single(), key);
        const auto lit = window->selection()->focus();
        QVERIFY(lit != window->selection()->pinned());
        window->undo()->settle();
        const auto run = window->controller()->run();
        const std::vector<std::string> views{"overview", "heatmap",      "masks", "positions",
                                             "lines",    "architecture", "scale", "compare"};
        std::vector<QImage> pictures;
        for (const auto& view : views)
            pictures.push_back(pictureOf(*window, view));
        tests::bench(*window)->show("heatmap");
        auto before = window->state()->capture();
        save(*window, path);
        const auto weights = run->cross;
        window->close();
        window.reset();

        window = std::make_unique<MainWindow>(makeEngine, app::StartWith{.model = path});
        window->show();
        QTRY_VERIFY_WITH_TIMEOUT(isReady(*window), 30000);
        const auto after = window->state()->capture();
        QVERIFY2(after == before,
                 (app::sessionText(after, "") + "\nbut\n" + app::sessionText(before, "")).c_str());
        QVERIFY(window->selection()->focus() == lit);
        QVERIFY(window->selection()->pinned() != lit);
        const auto again = window->controller()->run();
        QCOMPARE(again->output, run->output);
        for (std::size_t layer = 0; layer < weights.size(); ++layer)
            QVERIFY(again->cross[layer].weights == weights[layer].weights);
        for (std::size_t i = 0; i < views.size(); ++i)
            QVERIFY2(pictureOf(*window, views[i]) == pictures[i], views[i].c_str());
        QVERIFY(!question(*window, "other-weights"));
    }

    void theWeightsAreKnownByTheirHash() {
        auto window = openReady(model());
        save(*window, file("a.headscope"));
        const auto state = app::readSession(file("a.headscope").toStdString());
        QVERIFY2(state.model.weights.starts_with("sha256:"), state.model.weights.c_str());
        QVERIFY(state.layout);
        QVERIFY(!state.layout->geometry.empty());
    }

    void aSessionThatIsSavedAsAnotherModelOpensHasNotTheHashOfThat() {
        QFile other(file("b-model"));
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write("other weights") > 0);
        other.close();
        auto window = openReady(model());
        QSignalSpy done(window->sessions(), &app::SessionController::done);
        window->sessions()->saveTo(file("a.headscope"));
        window->openModel(file("b-model"));
        QTRY_COMPARE(done.size(), 1);
        QTRY_VERIFY(window->windowTitle().contains("b-model") && isReady(*window));
        save(*window, file("b.headscope")); // by then its hash is known
        const auto first = app::readSession(file("a.headscope").toStdString()).model;
        const auto second = app::readSession(file("b.headscope").toStdString()).model;
        QCOMPARE(QString::fromStdString(first.path), model());
        QVERIFY(first.weights != second.weights);
    }

    void openingASessionIsAStepThatCanBeUndone() {
        auto window = openReady(model());
        decode(*window, "of the session");
        save(*window, file("a.headscope"));
        decode(*window, "another one");
        window->openModel(file("a.headscope"));
        QTRY_COMPARE(window->actions()[ActionId::Undo]->text().remove('&'), QString("Undo Open Session"));
        QCOMPARE(sourceOf(*window), std::string("of the session"));
        window->actions()[ActionId::Undo]->trigger();
        QTRY_VERIFY(isReady(*window));
        QCOMPARE(sourceOf(*window), std::string("another one"));
    }

    void aMovedModelIsAskedFor() {
        auto window = openReady(model());
        decode(*window, "of the session");
        save(*window, file("a.headscope"));
        window.reset();
        QVERIFY(QFile::rename(model(), file("moved-model")));
        window = open({.model = file("a.headscope")});
        QTRY_VERIFY(question(*window, "missing-model"));
        const QString said = question(*window, "missing-model")->informativeText();
        QVERIFY2(said.contains(model()) && said.contains("sha256:"), qPrintable(said));
        window->sessions()->useModel(file("moved-model"));
        QTRY_VERIFY(isReady(*window));
        QCOMPARE(sourceOf(*window), std::string("of the session"));
        QVERIFY(window->windowTitle().contains("moved-model"));
        QVERIFY(tests::becomesIdle(*window->findChild<app::WorkQueue*>()));
        QVERIFY(!question(*window, "other-weights"));
    }

    void aChangedModelIsSaidAndUsed() {
        auto window = openReady(model());
        decode(*window, "of the session");
        save(*window, file("a.headscope"));
        window.reset();
        QFile weights(model());
        QVERIFY(weights.open(QIODevice::Append));
        weights.write("!");
        weights.close();
        window = open({.model = file("a.headscope")});
        QTRY_VERIFY(question(*window, "other-weights"));
        QCOMPARE(sourceOf(*window), std::string("of the session"));
        const QString said = question(*window, "other-weights")->informativeText();
        QCOMPARE(said.count("sha256:"), 2);
        question(*window, "other-weights")->defaultButton()->click();
        QTRY_VERIFY(!question(*window, "other-weights"));
        QVERIFY(isReady(*window));
    }

    void importanceThatWasMeasuredIsMeasuredAgain() {
        auto window = openReady(model());
        decode(*window, "of the session");
        save(*window, file("none.headscope"));
        window->actions()["importance"]->trigger();
        auto* view = window->findChild<widgets::ImportanceView*>();
        QTRY_VERIFY(!view->scores().empty() && !test::isMeasuring(*window));
        const auto scores = view->scores();
        save(*window, file("a.headscope"));
        window = openReady(file("none.headscope"));
        QVERIFY(tests::becomesIdle(*window->findChild<app::WorkQueue*>()));
        QVERIFY(window->findChild<widgets::ImportanceView*>()->scores().empty());
        window = openReady(file("a.headscope"));
        view = window->findChild<widgets::ImportanceView*>();
        QTRY_VERIFY(view->scores() == scores);
    }

    void aMovedSecondModelIsAskedForToo() {
        saveWithSecondModel();
        QVERIFY(QFile::rename(file("b-model"), file("moved-b")));
        auto window = open({.model = file("a.headscope")});
        QTRY_VERIFY(question(*window, "missing-other-model"));
        QVERIFY(isReady(*window)); // all else is there
        const QString said = question(*window, "missing-other-model")->informativeText();
        QVERIFY2(said.contains(file("b-model")) && said.contains("sha256:"), qPrintable(said));
        window->sessions()->useOther(file("moved-b"));
        QTRY_COMPARE(app::otherModelOf(window->state()->capture()), file("moved-b").toStdString());
        save(*window, file("b.headscope"));
        QTRY_COMPARE(otherWeightsIn("b.headscope"), otherWeightsIn("a.headscope"));
        QVERIFY(!question(*window, "other-model-weights"));
    }

    void aChangedSecondModelIsSaidAndUsed() {
        saveWithSecondModel();
        QFile weights(file("b-model"));
        QVERIFY(weights.open(QIODevice::Append));
        weights.write("!");
        weights.close();
        auto window = open({.model = file("a.headscope")});
        QTRY_VERIFY(question(*window, "other-model-weights"));
        const QString said = question(*window, "other-model-weights")->informativeText();
        QCOMPARE(said.count("sha256:"), 2);
        QCOMPARE(app::otherModelOf(window->state()->capture()), file("b-model").toStdString());
    }

    void whatIsNoSessionIsExplained() {
        auto window = openReady(model());
        QFile bad(file("bad.headscope"));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write("{}");
        bad.close();
        window->openModel(bad.fileName());
        auto* message = window->findChild<app::MessagePanel*>();
        QTRY_VERIFY(message->isVisible());
        QVERIFY2(message->words().contains("no session of Headscope"), qPrintable(message->words()));
        QVERIFY(isReady(*window));
        save(*window, file("good.headscope"));
        window->openModel(file("good.headscope"));
        QTRY_VERIFY(!message->isVisible()); // it is not of this one
    }

    void whatWasRefusedBeforeASessionOrUndoIsNotSaidOfIt() {
        auto window = openReady(model());
        save(*window, file("a.headscope"));
        auto* message = window->findChild<app::MessagePanel*>();
        const auto refuse = [&] {
            window->findChild<widgets::SentenceEdit*>()->setText("");
            window->actions()[ActionId::Decode]->trigger();
            return message->isVisible();
        };
        QVERIFY(refuse());
        window->sessions()->open(file("a.headscope")); // of the same model
        QTRY_VERIFY(!message->isVisible());
        window->findChild<widgets::SentenceEdit*>()->setText("a sentence");
        window->openModel("another-model");
        QTRY_VERIFY(window->windowTitle().contains("another-model") && isReady(*window));
        window->undo()->settle();
        QVERIFY(refuse());
        window->actions()[ActionId::Undo]->trigger();
        QTRY_VERIFY(window->windowTitle().contains("a-model") && isReady(*window));
        QVERIFY(!message->isVisible());
    }

    void aBranchThatIsLookedAtComesBack() {
        auto window = openReady(model());
        window->controller()->choose(1, 22);
        QTRY_VERIFY(isReady(*window));
        window->controller()->showPath(0);
        QTRY_VERIFY(isReady(*window));
        const auto before = window->state()->capture();
        QVERIFY(!before.shown.empty());
        save(*window, file("a.headscope"));
        window = openReady(file("a.headscope"));
        QVERIFY(window->state()->capture() == before);
        QCOMPARE(window->controller()->run()->paths.size(), std::size_t(2));
    }

    void whatAKilledProgramLeftIsOffered() {
        const QString folder = file("autosave");
        auto window = openReady(model(), folder);
        decode(*window, "before the crash");
        window->autosave()->save();
        QTRY_VERIFY(QFile::exists(window->autosave()->path()));
        const QString left = folder + "/left.headscope";
        QVERIFY(QFile::copy(window->autosave()->path(), left));
        leaveBehind(left);
        window->close();
        window.reset();
        QCOMPARE(QDir(folder).entryList({"*.headscope"}), QStringList{"left.headscope"});

        window = openReady(model(), folder);
        auto* offer = window->findChild<app::RestoreOffer*>();
        QTRY_VERIFY(offer->isVisible());
        QVERIFY(sourceOf(*window) != "before the crash"); // never forced
        offer->findChild<QPushButton*>("restore")->click();
        QTRY_COMPARE(sourceOf(*window), std::string("before the crash"));
        QTRY_VERIFY(!QFile::exists(left));
        QVERIFY(!offer->isVisible());
        QVERIFY(QFile::exists(window->autosave()->path()));
        QVERIFY(window->sessions()->path().isEmpty()); // it is no file of the person's own
    }

    void aTerminatedWindowLeavesWhatACrashWould() {
        const QString folder = file("terminated");
        auto window = openReady(model(), folder);
        window->autosave()->saveForNextStart();
        window.reset();
        QVERIFY(QDir(folder).entryList({"*.headscope"}).isEmpty()); // nothing was done
        window = openReady(model(), folder);
        decode(*window, "before the end");
        window->autosave()->saveForNextStart(); // sooner than it would have been saved
        const QString left = window->autosave()->path();
        window.reset();
        QVERIFY(QFile::exists(left));
        window = openReady(model(), folder);
        auto* offer = window->findChild<app::RestoreOffer*>();
        QTRY_VERIFY(offer->isVisible());
        offer->findChild<QPushButton*>("restore")->click();
        QTRY_COMPARE(sourceOf(*window), std::string("before the end"));
    }

    void whatIsDiscardedCanBeHadBackUntilTheWindowCloses() {
        const QString folder = file("autosave");
        auto window = openReady(model());
        QVERIFY(QDir().mkpath(folder));
        for (const char* name : {"/one.headscope", "/two.headscope"}) {
            save(*window, folder + name);
            leaveBehind(folder + name);
        }
        window = openReady(model(), folder);
        auto* offer = window->findChild<app::RestoreOffer*>();
        const auto click = [offer](const char* name) { offer->findChild<QPushButton*>(name)->click(); };
        QTRY_VERIFY(offer->isVisible());
        QVERIFY(!offer->findChild<QPushButton*>("undoDiscard")->isVisible());
        click("discard");
        QVERIFY(offer->findChild<QPushButton*>("restore")->isVisible()); // the other one
        click("discard");
        QVERIFY(!offer->findChild<QPushButton*>("restore")->isVisible());
        click("undoDiscard");
        QVERIFY(offer->findChild<QPushButton*>("restore")->isVisible());
        click("discard");
        click("closeOffer");
        QVERIFY(!offer->isVisible());
        QCOMPARE(QDir(folder).entryList({"*.headscope"}).size(), 2);
        window.reset();
        QVERIFY(QDir(folder).entryList({"*.headscope"}).isEmpty());
    }

    void whatAnotherWindowWorksOnIsNotOffered() {
        const QString folder = file("autosave");
        auto one = openReady(model(), folder);
        decode(*one, "still at work");
        one->autosave()->save();
        QTRY_VERIFY(QFile::exists(one->autosave()->path()));
        auto other = openReady(model(), folder);
        QVERIFY(tests::becomesIdle(*other->findChild<app::WorkQueue*>()));
        QVERIFY(!other->findChild<app::RestoreOffer*>()->isVisible());
        other.reset();
        QVERIFY(QFile::exists(one->autosave()->path()));
        const QString path = one->autosave()->path();
        one.reset();
        QVERIFY(!QFile::exists(path));
        QVERIFY(!QFile::exists(path + ".lock"));
    }

    void thatNothingCanBeSavedIsSaidOnce() {
        auto window = openReady(model(), file("autosave"));
        QVERIFY(QDir().mkpath(window->autosave()->path())); // a folder is in the way
        window->autosave()->save();
        QTRY_VERIFY(window->statusBar()->currentMessage().contains("Autosave failed"));
        window->statusBar()->clearMessage();
        QSignalSpy failed(window->autosave(), &app::AutosaveController::failed);
        window->autosave()->save();
        QVERIFY(tests::becomesIdle(*window->findChild<app::WorkQueue*>()));
        QCOMPARE(failed.size(), 0);
        QVERIFY(QDir().rmdir(window->autosave()->path()));
    }

    void theAnswersOfASessionAreUsedAndNotRemembered() {
        const QString bare = file("bare-model");
        QVERIFY(QFile::copy(model(), bare));
        SessionState state;
        state.model.path = bare.toStdString();
        state.model.settings = {{"heads", "4"}, {"norm", "pre"}, {"start_id", "2"}};
        app::saveSession(state, file("a.headscope").toStdString());
        auto window = openReady(model());
        window->openModel(file("a.headscope"));
        QTRY_VERIFY(window->windowTitle().contains("bare-model"));
        QTRY_VERIFY(!window->state()->isUnsettled());
        QVERIFY(window->state()->capture().model.settings == state.model.settings);
        QVERIFY(app::Settings().answers(bare).empty());
    }

    void aFolderNamedLikeASessionIsAModel() {
        const QString folder = file("a-folder.headscope");
        QVERIFY(QDir().mkpath(folder));
        auto window = openReady(model());
        window->openModel(folder);
        QTRY_VERIFY(window->windowTitle().contains("a-folder"));
    }

    void nothingIsSavedBeforeSomethingIsDone() {
        const QString folder = file("autosave");
        auto window = open({.model = model(), .autosaveFolder = folder, .autosaveDelay = 0ms});
        QTRY_VERIFY(isReady(*window));
        QVERIFY(tests::becomesIdle(*window->findChild<app::WorkQueue*>()));
        QVERIFY(!QFile::exists(window->autosave()->path()));
        decode(*window, "another one");
        QTRY_VERIFY(QFile::exists(window->autosave()->path()));
    }
};

HEADSCOPE_WATCHED_TEST(SessionWindowTest)
#include "session_window_test.moc"
