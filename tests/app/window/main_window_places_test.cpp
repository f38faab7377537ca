#include <QAction>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QTest>

#include "app/desktop/message_panel.h"
#include "app/document/session_controller.h"
#include "app/document/undo_controller.h"
#include "app/window/main_window.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"

#include <algorithm>
#include <functional>
#include <utility>

using namespace headscope;
using app::ActionId;
using app::MainWindow;

/// The split between small maps and canvas, once a session is opened.
class MainWindowPlacesTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<MainWindow> window_;

    std::string path(const QString& name) const { return folder_->filePath(name).toStdString(); }
    /// Between the small maps and the canvas.
    QSplitter* split() const {
        QWidget* around = tests::bench(*window_)->view("contact-sheet");
        while (!qobject_cast<QSplitter*>(around))
            around = around->parentWidget();
        return static_cast<QSplitter*>(around);
    }
    int width() const { return split()->sizes().front(); }
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
        auto sizes = split()->sizes();
        sizes[1] += sizes[0] - width;
        sizes[0] = width;
        split()->setSizes(sizes);
        QTRY_COMPARE(this->width(), width);
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
        QTRY_COMPARE(this->width(), 360);
        widen(240);
        openWhole("plain.headscope");
        QCOMPARE(this->width(), 240);
    }

    void whatIsNotSeenAtTheStartIsMadeAfterTheFirstPicture() {
        make("a-model");
        auto* bench = tests::bench(*window_);
        const auto isMade = [bench](const std::string& view) {
            return std::ranges::count(bench->views(), view, [&](auto* each) { return bench->keyOf(each); });
        };
        QVERIFY(isMade("heatmap") == 1 && isMade("compare") == 0);
        bench->setLayout("at heads\nmodel canvas scale");
        QCOMPARE(isMade("scale"), 0);
        bench->setWorkspace("model");
        QCOMPARE(isMade("scale"), 1);
        QCOMPARE(bench->frontKey(), std::string("scale"));
        QCOMPARE(isMade("compare"), 0);
        window_->show();
        QTRY_COMPARE(isMade("compare"), 1);
        QTRY_VERIFY(isReady());
    }

    void panelsOfASessionThatIsStillOpenedAreNotThoseOfTheNext() {
        save("plain.headscope", "b-model", false);
        widen(360);
        save("other.headscope", "c-model");
        widen(240);
        beginToOpen("other.headscope");
        QTRY_COMPARE(this->width(), 360);
        widen(240);
        open("plain.headscope");
        letOpen();
        QVERIFY(window_->windowTitle().contains("b-model"));
        QCOMPARE(this->width(), 240);
    }
};

HEADSCOPE_WATCHED_TEST(MainWindowPlacesTest)
#include "main_window_places_test.moc"
