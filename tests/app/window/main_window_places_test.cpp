#include <QAbstractButton>
#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include "app/desktop/message_panel.h"
#include "app/document/session_controller.h"
#include "app/document/undo_controller.h"
#include "app/window/main_window.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"

#include <functional>
#include <utility>

using namespace headscope;
using app::ActionId;
using app::MainWindow;

/// Tells of every event of a kind that comes to a widget.
class Watch : public QObject {
  public:
    Watch(QObject& watched, QEvent::Type type, std::function<void()> then)
        : type_(type), then_(std::move(then)) {
        watched.installEventFilter(this);
    }
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == type_)
            then_();
        return false;
    }

  private:
    QEvent::Type type_;
    std::function<void()> then_;
};

/// Where panels stand once a session is opened.
class MainWindowPlacesTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<MainWindow> window_;

    std::string path(const QString& name) const { return folder_->filePath(name).toStdString(); }
    QDockWidget* heads() const { return window_->findChild<QDockWidget*>("heads"); }
    bool isReady() const {
        return window_->controller()->run() && window_->controller()->run()->complete &&
               !window_->state()->isUnsettled() && !window_->undo()->history().isEmpty();
    }
    void make(const QString& model) {
        window_ =
            std::make_unique<MainWindow>([this] { return std::make_unique<test::FakeEngine>(script_); },
                                         app::StartWith{.model = model, .sentence = QString("a sentence")});
    }
    void widen(int width) const {
        window_->resizeDocks({heads()}, {width}, Qt::Horizontal);
        QTRY_COMPARE(heads()->width(), width);
    }
    /// As the window is by now, of that model.
    void save(const QString& session, const QString& model, bool withLayout = true) {
        QFile weights(folder_->filePath(model));
        QVERIFY(weights.open(QIODevice::WriteOnly) && weights.write("weights") > 0);
        auto state = window_->sessions()->state();
        state.model.path = path(model);
        state.model.weights.clear();
        QVERIFY(state.layout);
        if (!withLayout)
            state.layout.reset();
        app::saveSession(state, path(session));
    }
    void open(const QString& session) { window_->openModel(folder_->filePath(session)); }
    void openWhole(const QString& session) {
        QSignalSpy shown(window_->sessions(), &app::SessionController::shown);
        open(session);
        QTRY_COMPARE(shown.size(), 1);
        QTRY_VERIFY(isReady());
        QTest::qWait(100); // until what comes late has come
    }
    /// Its model is not there yet, and its panels are.
    void beginToOpen(const QString& session) {
        script_.holdOpening = true;
        open(session);
        QTRY_VERIFY(window_->state()->isApplying());
    }
    void letOpen() {
        QSignalSpy shown(window_->sessions(), &app::SessionController::shown);
        script_.holdOpening = false;
        QTRY_COMPARE(shown.size(), 1);
        QTRY_VERIFY(isReady());
        QTest::qWait(100);
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        script_.holdOpening = false;
        folder_ = std::make_unique<QTemporaryDir>();
        make("a-model");
        window_->resize(1280, 860);
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QTRY_VERIFY(isReady());
    }

    void cleanup() {
        script_.holdOpening = false;
        window_.reset();
    }

    void panelsOfASessionThatFailsAreNotThoseOfTheNext() {
        save("plain.headscope", "b-model", false);
        widen(360);
        save("fails.headscope", "bad-model");
        widen(240);
        open("fails.headscope");
        auto* message = window_->findChild<app::MessagePanel*>();
        QTRY_VERIFY(message->isVisible());
        QVERIFY(!window_->state()->isApplying());
        QTRY_COMPARE(heads()->width(), 360);
        widen(240);
        openWhole("plain.headscope");
        QCOMPARE(heads()->width(), 240);
    }

    void panelsOfASessionThatIsStillOpenedAreNotThoseOfTheNext() {
        save("plain.headscope", "b-model", false);
        widen(360);
        save("other.headscope", "c-model");
        widen(240);
        beginToOpen("other.headscope");
        QTRY_COMPARE(heads()->width(), 360);
        widen(240);
        open("plain.headscope");
        letOpen();
        QVERIFY(window_->windowTitle().contains("b-model"));
        QCOMPARE(heads()->width(), 240);
    }

    void aPanelThatIsClosedWhileASessionsModelIsOpenedStaysClosed() {
        save("whole.headscope", "b-model");
        beginToOpen("whole.headscope");
        auto* close = heads()->findChild<QAbstractButton*>("qt_dockwidget_closebutton");
        QVERIFY(close && close->isVisible());
        QTest::mouseClick(close, Qt::LeftButton);
        QVERIFY(heads()->isHidden());
        QCoreApplication::processEvents();
        letOpen();
        QVERIFY(heads()->isHidden());
        openWhole("whole.headscope"); // and the next time it is there
        QVERIFY(!heads()->isHidden());
    }

    void panelsThatAreResetWhileASessionsModelIsOpenedStaySo() {
        heads()->hide();
        save("whole.headscope", "b-model");
        heads()->show();
        beginToOpen("whole.headscope");
        QVERIFY(heads()->isHidden());
        window_->actions()[ActionId::ResetLayout]->trigger();
        QVERIFY(!heads()->isHidden());
        letOpen();
        QVERIFY(!heads()->isHidden());
    }

    /// The desktop has just put the window above them.
    void aFloatingPanelOfASessionIsRaisedAtOpening() {
        heads()->setFloating(true);
        save("floating.headscope", "b-model");
        heads()->setFloating(false);
        window_.reset();
        make(folder_->filePath("floating.headscope"));
        int raised = 0;
        const Watch watch(*heads(), QEvent::ZOrderChange, [&] { raised += heads()->isFloating(); });
        window_->show();
        QTRY_VERIFY(isReady());
        QVERIFY(heads()->isFloating() && heads()->isVisible());
        QTRY_VERIFY(raised > 0);
    }
};

HEADSCOPE_WATCHED_TEST(MainWindowPlacesTest)
#include "main_window_places_test.moc"
