#include <QAction>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/desktop/message_panel.h"
#include "app/document/session_controller.h"
#include "app/document/undo_controller.h"
#include "app/window/home/home_page.h"
#include "app/window/main_window.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/controls/sentence_edit.h"

#include <algorithm>

using namespace headscope;
using app::ActionId;
using app::MainWindow;

/// A window whose model could not be opened.
class NoModelTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    QString file(const QString& name) const { return folder_.filePath(name); }
    widgets::SentenceEdit* edit() const { return window_->findChild<widgets::SentenceEdit*>(); }
    app::MessagePanel* message() const { return window_->findChild<app::MessagePanel*>(); }
    bool isReady() const {
        const auto& run = window_->controller()->run();
        return run && run->complete && !window_->state()->isUnsettled();
    }
    void open(const QString& what) {
        window_ = std::make_unique<MainWindow>([this] { return std::make_unique<test::FakeEngine>(script_); },
                                               app::StartWith{.model = what});
        window_->show();
    }
    /// What screen readers are told, labels and tooltips, of every view and panel.
    QStringList said() const {
        auto* bench = tests::bench(*window_);
        for (const auto* view : bench->views()) {
            bench->show(bench->keyOf(view));
            QTest::qWait(20);
        }
        QStringList words;
        for (const auto* widget : window_->findChildren<QWidget*>()) {
            words << widget->accessibleDescription() << widget->toolTip();
            if (const auto* label = qobject_cast<const QLabel*>(widget))
                words << label->text();
        }
        for (const auto* action : window_->actions().all())
            words << action->toolTip();
        return words.filter(QRegularExpression("press Enter|Decode a sentence|No model is open"));
    }
    void save(const QString& path) const {
        QSignalSpy done(window_->sessions(), &app::SessionController::done);
        window_->sessions()->saveTo(path);
        QTRY_COMPARE(done.size(), 1);
    }

  private Q_SLOTS:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void init() {
        QSettings().clear();
        open(file("bad-model"));
        QTRY_VERIFY(message()->isVisible());
    }

    void cleanup() {
        script_.holdRuns = script_.holdOpening = false;
        window_.reset();
    }

    void viewsSayHowAModelIsOpened() {
        const auto words = said();
        QVERIFY(words.size() > 10);
        for (const QString& each : words)
            QVERIFY2(each.contains("No model is open") || each.startsWith("Open a model"), qPrintable(each));
    }

    void homeIsShownAndTheWorkspacesSayWhyNotUntilAModelIsOpen() {
        const auto* home = window_->findChild<app::HomePage*>();
        QTRY_VERIFY(home->isVisible());
        const auto* heads = window_->actions()["workspace.heads"];
        QVERIFY(!heads->isEnabled());
        QVERIFY2(heads->toolTip().contains("No model is open"), qPrintable(heads->toolTip()));
        window_->openModel(file("a-model"));
        QTRY_VERIFY(isReady());
        QVERIFY(heads->isEnabled() && !home->isVisible());
        window_->openModel(file("bad-model"));
        QTRY_VERIFY(message()->isVisible());
        QVERIFY(heads->isEnabled() && !home->isVisible()); // the open model stays
    }

    void viewsSayHowASentenceIsDecodedOnceAModelIsOpen() {
        script_.holdRuns = true;
        window_->openModel(file("a-model"));
        QTRY_VERIFY(window_->windowTitle().contains("a-model"));
        QTRY_VERIFY(!said().filter("press Enter").isEmpty());
        for (const QString& each : said())
            QVERIFY2(!each.contains("No model is open"), qPrintable(each));
    }

    void aModelThatIsOnItsWayIsNotMissing() {
        script_.holdOpening = true;
        open(file("a-model"));
        const auto isOpening = [this] {
            return std::ranges::any_of(window_->findChildren<QLabel*>(),
                                       [](const auto* label) { return label->text().startsWith("Opening"); });
        };
        QTRY_VERIFY(isOpening());
        QVERIFY(!window_->isModelMissing());
        window_->actions()[ActionId::Stop]->trigger();
        QVERIFY(window_->isModelMissing());
    }

    void enterSaysWhyNothingIsDecoded() {
        message()->hide();
        edit()->setText("I see.");
        QTest::keyClick(edit()->lineEdit(), Qt::Key_Return);
        QVERIFY(message()->isVisible());
        QVERIFY2(message()->words().contains("No model") && message()->words().contains("Ctrl+O"),
                 qPrintable(message()->words()));
    }

    void aSessionWithoutAModelOpensAsItWasSaved() {
        edit()->setText("I see.");
        save(file("none.headscope"));
        open(file("none.headscope"));
        QTRY_COMPARE(edit()->text(), QString("I see."));
        QVERIFY(!window_->state()->hasModel());
        QVERIFY(window_->windowTitle().contains("none.headscope"));
    }

    void aSessionWithoutAModelTakesNoOther() {
        edit()->setText("I see.");
        save(file("none.headscope"));
        window_->openModel(file("a-model"));
        QTRY_VERIFY(isReady());
        edit()->setText("of the model");
        const auto before = window_->state()->capture();
        window_->openModel(file("none.headscope"));
        QTRY_VERIFY(message()->isVisible());
        QVERIFY2(message()->words().contains("names no model"), qPrintable(message()->words()));
        QVERIFY(window_->state()->capture() == before);
    }
};

HEADSCOPE_WATCHED_TEST(NoModelTest)
#include "no_model_test.moc"
