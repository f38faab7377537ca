#include <QSettings>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>

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
};

HEADSCOPE_WATCHED_TEST(NotesWindowTest)
#include "notes_window_test.moc"
