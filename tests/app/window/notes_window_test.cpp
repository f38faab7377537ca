#include <QPushButton>
#include <QSettings>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>

#include "app/desktop/toast.h"
#include "app/document/document.h"
#include "app/window/main_window.h"
#include "app/window/top/state_pills.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"

using namespace headscope;

class NotesWindowTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatWasLeftOutOfAModelsFilesIsSeen() {
        QSettings().clear();
        test::FakeEngine::Script script;
        const QTemporaryDir folder;
        app::MainWindow window([&] { return std::make_unique<test::FakeEngine>(script); },
                               app::StartWith{.model = folder.filePath("noted")});
        window.show();
        const auto* pills = window.findChild<app::StatePills*>();
        QTRY_COMPARE(pills->words(), QStringList{"1 note"});
        QTRY_VERIFY(window.statusBar()->currentMessage().contains("an id is left out"));
        window.openModel(folder.filePath("another"));
        QTRY_VERIFY(pills->words().isEmpty());
    }

    void anAdapterIsOfferedItsComparisonWithTheBase() {
        QSettings().clear();
        test::FakeEngine::Script script;
        const QTemporaryDir folder;
        app::MainWindow window([&] { return std::make_unique<test::FakeEngine>(script); },
                               app::StartWith{.model = folder.filePath("plain")});
        window.show();
        const auto* toast = window.findChild<app::Toast*>();
        const auto* document = window.findChild<app::Document*>();
        QTRY_VERIFY(document->state().run);
        QVERIFY(toast->words().isEmpty());
        window.openModel(folder.filePath("adapter"));
        QTRY_VERIFY(toast->isVisible());
        toast->findChild<QPushButton*>()->click();
        QTRY_COMPARE(document->state().second.name, folder.filePath("base").toStdString());
    }
};

HEADSCOPE_WATCHED_TEST(NotesWindowTest)
#include "notes_window_test.moc"
