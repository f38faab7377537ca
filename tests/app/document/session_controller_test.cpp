#include <QAction>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include "app/desktop/message_panel.h"
#include "app/document/session_controller.h"
#include "app/document/undo_controller.h"
#include "app/window/main_window.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/controls/sentence_edit.h"

using namespace headscope;
using app::ActionId;
using app::ActionKey;
using app::MainWindow;
using app::SessionState;
using test::FakeEngine;

/// What opening and saving sessions does to a window that shows something already.
class SessionControllerTest : public QObject {
    Q_OBJECT

    FakeEngine::Script script_;
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<MainWindow> window_;

    QString file(const QString& name) const { return folder_->filePath(name); }
    QString write(const QString& name, const QByteArray& bytes, QIODevice::OpenMode mode) const {
        QFile weights(file(name));
        return weights.open(mode) && weights.write(bytes) > 0 ? weights.fileName() : QString();
    }
    QAction* action(const ActionKey& id) const { return window_->actions()[id]; }
    const app::History& history() const { return window_->undo()->history(); }
    bool isReady() const {
        const auto& run = window_->controller()->run();
        return run && run->complete && !window_->state()->isUnsettled() && !history().isEmpty();
    }
    void open(const QString& what) {
        window_ = std::make_unique<MainWindow>([this] { return std::make_unique<FakeEngine>(script_); },
                                               app::StartWith{.model = what});
        window_->show();
    }
    void openReady(const QString& what) {
        open(what);
        QTRY_VERIFY(isReady());
    }
    void save(const QString& path) const {
        QSignalSpy done(window_->sessions(), &app::SessionController::done);
        window_->sessions()->saveTo(path);
        QTRY_COMPARE(done.size(), 1);
        QTRY_VERIFY(!app::readSession(path.toStdString()).model.weights.empty());
    }
    void decode(const QString& sentence) const {
        window_->findChild<widgets::SentenceEdit*>()->setText(sentence);
        action(ActionId::Decode)->trigger();
        QTRY_VERIFY(isReady());
        window_->undo()->settle();
    }
    std::string source() const {
        const auto& run = window_->controller()->run();
        return run ? std::get<std::string>(run->request.source) : std::string();
    }
    QMessageBox* question(const char* name) const { return window_->findChild<QMessageBox*>(name); }
    void answerChanged(QMessageBox::StandardButton button) const {
        QTRY_VERIFY(question("changed-session"));
        question("changed-session")->button(button)->click();
        QTRY_VERIFY(!question("changed-session"));
    }
    std::string sourceIn(const QString& session) const {
        const auto state = app::readSession(file(session).toStdString());
        return std::get<std::string>(state.request->source);
    }
    /// "own.headscope", where "changed" is not saved.
    void changeOwn() {
        openReady(file("a-model"));
        decode("kept");
        save(file("own.headscope"));
        decode("changed");
        QVERIFY(window_->isWindowModified());
    }
    QString historyInWords() const {
        return QString("%1 of %2, %3, %4")
            .arg(history().place())
            .arg(history().size())
            .arg(history().undoName(), history().redoName());
    }

    /// A window with a session, a step to undo and one to do again.
    void workOn(const QString& model) {
        openReady(model);
        save(file("own.headscope"));
        decode("mine");
        decode("taken back");
        action(ActionId::Undo)->trigger();
        QTRY_VERIFY(isReady() && source() == "mine");
        tests::bench(*window_)->close("candidates");
        QTest::qWait(50);
        window_->undo()->settle();
    }
    /// `cancel` answers the question; then all is as before.
    void comesBack(const char* name, const std::function<void(QMessageBox&)>& cancel) {
        const auto before = window_->state()->capture();
        const auto steps = historyInWords();
        const auto size = window_->size();
        window_->openModel(file("theirs.headscope"));
        QTRY_VERIFY(question(name));
        QVERIFY(question(name)->informativeText().contains("Cancel"));
        QCOMPARE(source(), std::string("of the session"));
        QSignalSpy notShown(window_->sessions(), &app::SessionController::notShown);
        cancel(*question(name));
        QTRY_COMPARE(notShown.size(), 1);
        QVERIFY(isReady());
        const auto after = window_->state()->capture();
        QVERIFY2(after == before, app::sessionText(after, "").c_str());
        QCOMPARE(historyInWords(), steps);
        QCOMPARE(window_->sessions()->path(), file("own.headscope"));
        QVERIFY(window_->windowTitle().contains("a-model"));
        QVERIFY(!tests::bench(*window_)->isOpen("candidates"));
        QCOMPARE(window_->size(), size);
        QTRY_VERIFY(!question(name));
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        folder_ = std::make_unique<QTemporaryDir>();
        for (const char* name : {"a-model", "b-model", "c-model"})
            QVERIFY(!write(name, name, QIODevice::WriteOnly).isEmpty());
    }

    void cleanup() { window_.reset(); }

    void whoDoesNotWantOtherWeightsKeepsWhatWasShown() {
        openReady(file("b-model"));
        decode("of the session");
        save(file("theirs.headscope"));
        QVERIFY(!write("b-model", "!", QIODevice::Append).isEmpty());
        workOn(file("a-model"));
        comesBack("other-weights", [](QMessageBox& box) { box.button(QMessageBox::Cancel)->click(); });
        comesBack("other-weights", [](QMessageBox& box) { QTest::keyClick(&box, Qt::Key_Escape); });
        comesBack("other-weights", [](QMessageBox& box) { box.close(); });
    }

    void whoDoesNotWantAnotherSecondModelKeepsWhatWasShown() {
        openReady(file("b-model"));
        decode("of the session");
        window_->compareWith(file("c-model"));
        QTRY_VERIFY(window_->findChild<app::Document*>()->state().second.model);
        save(file("theirs.headscope"));
        QTRY_VERIFY(!app::readSession(file("theirs.headscope").toStdString()).otherWeights.empty());
        QVERIFY(!write("c-model", "!", QIODevice::Append).isEmpty());
        workOn(file("a-model"));
        comesBack("other-model-weights", [](QMessageBox& box) { QTest::keyClick(&box, Qt::Key_Escape); });
    }

    void theTitleNamesTheFileAndWhetherItIsModified() {
        openReady(file("a-model"));
        QCOMPARE(window_->windowTitle(), QString("a-model - Headscope"));
        save(file("own.headscope"));
        QCOMPARE(window_->windowTitle(), QString("own.headscope[*] - a-model - Headscope"));
        QCOMPARE(window_->windowFilePath(), file("own.headscope"));
        QVERIFY(!window_->isWindowModified());
        decode("another one");
        QVERIFY(window_->isWindowModified());
        action(ActionId::Undo)->trigger();
        QTRY_VERIFY(isReady() && !window_->isWindowModified());
        action(ActionId::Redo)->trigger();
        QTRY_VERIFY(isReady() && window_->isWindowModified());
        save(file("own.headscope"));
        QVERIFY(!window_->isWindowModified());
        openReady(file("own.headscope"));
        QCOMPARE(window_->windowTitle(), QString("own.headscope[*] - a-model - Headscope"));
        QVERIFY(!window_->isWindowModified());
    }

    void choicesAndPanelsMakeTheFileDiffer() {
        openReady(file("a-model"));
        save(file("own.headscope"));
        for (QAction* change : {action(ActionId::MapNumbers), action("source-share"), action("random-twin")})
            for (const bool isModified : {true, false}) { // and back
                change->trigger();
                window_->undo()->settle();
                QCOMPARE(window_->isWindowModified(), isModified);
            }
        QVERIFY(!history().canUndo());
        for (const auto theme : {ActionId::ThemeDark, ActionId::ThemeSystem}) {
            action(theme)->trigger();
            window_->undo()->settle();
            QVERIFY(!window_->isWindowModified());
        }
    }

    void beforeTheWindowClosesItAsksAboutWhatWasChanged() {
        openReady(file("a-model"));
        decode("of no file");
        QVERIFY(window_->close() && !question("changed-session"));
        for (const bool saves : {false, true}) {
            changeOwn();
            QVERIFY(!window_->close());
            answerChanged(QMessageBox::Cancel);
            QVERIFY(window_->isVisible() && window_->isWindowModified());
            QVERIFY(!window_->close());
            QVERIFY(question("changed-session")->text().contains("own.headscope"));
            for (const auto* button : question("changed-session")->buttons())
                QVERIFY2(button->text().contains('&'), qPrintable(button->text()));
            answerChanged(saves ? QMessageBox::Save : QMessageBox::Discard);
            QVERIFY(!window_->isVisible());
            QCOMPARE(sourceIn("own.headscope"), std::string(saves ? "changed" : "kept"));
        }
    }

    void whatWasDoneJustBeforeIsAskedAboutToo() {
        openReady(file("a-model"));
        save(file("own.headscope"));
        window_->selection()->setHead({{trace::AttentionKind::Cross, 0}, 1});
        QVERIFY(!window_->close());
        answerChanged(QMessageBox::Discard);
        QVERIFY(!window_->isVisible());
    }

    void aWindowWhoseSessionCannotBeSavedStaysOpen() {
        changeOwn();
        folder_->remove();
        QVERIFY(!window_->close());
        answerChanged(QMessageBox::Save);
        QVERIFY(window_->isVisible() && window_->isWindowModified());
        QVERIFY(!window_->findChild<app::MessagePanel*>()->isHidden());
        QVERIFY(!window_->close());
        answerChanged(QMessageBox::Discard);
        QVERIFY(!window_->isVisible());
    }

    void whatIsRestoredIsNoFile() {
        openReady(file("a-model"));
        save(file("own.headscope"));
        decode("before the crash");
        save(file("left.headscope"));
        window_->openModel(file("own.headscope"));
        QTRY_VERIFY(isReady() && window_->windowTitle().startsWith("own"));
        window_->sessions()->restore(file("left.headscope"));
        QTRY_COMPARE(source(), std::string("before the crash"));
        QTRY_COMPARE(window_->windowTitle(), QString("Restored[*] - a-model - Headscope"));
        QVERIFY(window_->windowFilePath().isEmpty() && window_->isWindowModified());
        QVERIFY(!window_->close()); // as no file holds it
        answerChanged(QMessageBox::Cancel);
        save(file("new.headscope"));
        QCOMPARE(window_->windowTitle(), QString("new.headscope[*] - a-model - Headscope"));
        QVERIFY(window_->close());
    }

    void whatWasTypedComesBackAsItWasTyped() {
        openReady(file("a-model"));
        decode("  I see. ");
        save(file("own.headscope"));
        openReady(file("own.headscope"));
        QCOMPARE(window_->findChild<widgets::SentenceEdit*>()->text(), QString("  I see. "));
        QCOMPARE(source(), std::string("I see."));
    }

    /// There is nothing to go back to.
    void aWindowThatShowsNothingYetGoesOnWithOtherWeights() {
        openReady(file("b-model"));
        save(file("theirs.headscope"));
        QVERIFY(!write("b-model", "!", QIODevice::Append).isEmpty());
        open(file("theirs.headscope"));
        QTRY_VERIFY(question("other-weights"));
        QVERIFY(!question("other-weights")->button(QMessageBox::Cancel));
    }
};

HEADSCOPE_WATCHED_TEST(SessionControllerTest)
#include "session_controller_test.moc"
