#include <QDir>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/desktop/message_panel.h"
#include "app/window/main_window.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"

using namespace headscope;

class HubLinkWindowTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    QTemporaryDir cache_;
    std::unique_ptr<app::MainWindow> window_;

    QMessageBox* question() const { return window_->findChild<QMessageBox*>(); }
    app::MessagePanel* message() const { return window_->findChild<app::MessagePanel*>(); }
    std::vector<std::filesystem::path> opened() {
        const std::lock_guard lock(script_.mutex);
        return script_.opened;
    }
    void answer(QMessageBox::StandardButton button) {
        QTRY_VERIFY(question() && question()->isVisible());
        question()->button(button)->click();
        QTRY_VERIFY(!question());
    }

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(QDir(cache_.path()).mkpath("models--org--a-model/snapshots/0123"));
        qputenv("HF_HUB_CACHE", cache_.path().toUtf8());
    }
    void cleanupTestCase() { qunsetenv("HF_HUB_CACHE"); }

    void init() {
        QSettings().clear();
        script_.opened.clear();
    }

    void cleanup() { window_.reset(); }

    void nothingIsOpenedBeforeThePersonAgrees() {
        const QString link = "headscope://open_from_hf?model=org/a-model";
        window_ = std::make_unique<app::MainWindow>(
            [this] { return std::make_unique<test::FakeEngine>(script_); }, app::StartWith{.model = link});
        window_->show();
        QTRY_VERIFY(question() && question()->isVisible());
        QVERIFY(question()->text().contains("org/a-model"));
        answer(QMessageBox::Cancel);
        QTest::qWait(50);
        QVERIFY(opened().empty());
        QTRY_VERIFY(window_->isModelMissing());
        window_->openModel(link);
        answer(QMessageBox::Open);
        QTRY_COMPARE(opened().size(), 1u);
        QCOMPARE(QString::fromStdString(opened().front().string()),
                 cache_.filePath("models--org--a-model/snapshots/0123"));
    }

    void anotherLinkIsRefusedAndTheModelStays() {
        window_ = std::make_unique<app::MainWindow>(
            [this] { return std::make_unique<test::FakeEngine>(script_); }, app::StartWith{});
        window_->show();
        QTRY_COMPARE(opened().size(), 1u);
        window_->openModel("headscope://open_from_hf?model=" + cache_.path());
        QTRY_VERIFY(message()->isVisible());
        QVERIFY(!question());
        QCOMPARE(opened().size(), 1u);
    }
};

HEADSCOPE_WATCHED_TEST(HubLinkWindowTest)
#include "hub_link_window_test.moc"
