#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "app/desktop/settings.h"
#include "app/desktop/toast.h"
#include "app/document/session_controller.h"
#include "app/document/undo_controller.h"
#include "app/document/window_state.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/window/main_window.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/known_results.h"
#include "tests/watched_test.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/head_table/head_columns.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/heatmap/heatmap_page.h"

using namespace headscope;
using app::ActionId;
using app::ActionKey;
using app::MainWindow;

/// A session that is opened again is the same window, pixel by pixel.
class SessionPixelsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    using Window = std::unique_ptr<MainWindow>;
    using Arrange = void (*)(MainWindow&);

    static bool isReady(const MainWindow& window) {
        return window.controller()->run() && window.controller()->run()->complete &&
               !window.state()->isUnsettled() && !window.undo()->history().isEmpty();
    }
    static Window open(const app::StartWith& startWith, QSize size) {
        auto window = std::make_unique<MainWindow>(
            [] {
                return app::loadEngine(
                    {.familyFolders = app::familyFolders(), .samples = app::sampleSentences()});
            },
            startWith);
        window->resize(size);
        window->show();
        [&] {
            QVERIFY(QTest::qWaitForWindowActive(window.get()));
            QTRY_VERIFY_WITH_TIMEOUT(isReady(*window), 30000);
        }();
        return window;
    }
    /// Of everything that is seen, once nothing moves any more.
    static std::vector<QImage> pictures(MainWindow& window) {
        window.statusBar()->clearMessage();
        window.activateWindow(); // which of the windows is active is the window manager's
        [&] { QVERIFY(QTest::qWaitForWindowActive(&window)); }();
        const auto now = [&] { return std::vector<QImage>{window.grab().toImage()}; };
        std::vector<QImage> last;
        for (int same = 0, looked = 0; same < 4 && looked < 200; ++looked) {
            QTest::qWait(30);
            auto next = now();
            same = next == last && !window.findChild<app::WorkQueue*>()->isBusy() ? same + 1 : 0;
            last = std::move(next);
        }
        return last;
    }
    static int differing(const QImage& a, const QImage& b) {
        if (a.size() != b.size())
            return a.width() * a.height();
        int count = 0;
        for (int y = 0; y < a.height(); ++y)
            for (int x = 0; x < a.width(); ++x)
                count += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
        return count;
    }
    static void trigger(MainWindow& window, const ActionKey& id) {
        window.actions()[id]->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(isReady(window), 20000);
        QTest::qWait(10);
    }
    static void scroll(QAbstractScrollArea* area, int by) {
        area->verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepAdd);
        area->verticalScrollBar()->setSliderPosition(area->verticalScrollBar()->value() + by);
    }

    static void analysesAndAChange(MainWindow& window) {
        const trace::HeadAddress head{{trace::AttentionKind::Cross, 1}, 2};
        window.selection()->setHead(head);
        trigger(window, ActionId::ToggleHead);
        trigger(window, ActionId::PinHead);
        window.selection()->setHead({{trace::AttentionKind::Cross, 0}, 3});
        for (const auto id : {"source-share", "logit-lens", "head-table"})
            trigger(window, id);
        auto* table = window.findChild<widgets::HeadTable*>();
        table->findChild<QLineEdit*>("search")->setText("cross");
        auto* rows = table->findChild<widgets::ColumnTable*>();
        QTRY_VERIFY(rows->model()->rowCount() == 24);
        rows->sortByColumn(2, Qt::DescendingOrder);
        window.controller()->goTo(4);
        auto* compared = window.findChild<widgets::HeatmapPage*>();
        compared->maps().front()->setZoom(QRectF(1, 1, 6, 5));
        pictures(window); // whatever comes late has come
        rows->setColumnWidth(1, rows->columnWidth(1) + 30);
        rows->setFocus();
        rows->setCurrentIndex(rows->currentIndex().siblingAtColumn(3)); // the cell that the keys are at
        rows->horizontalScrollBar()->setSliderPosition(2);
        scroll(rows, 2);
        for (auto* area : compared->findChildren<QScrollArea*>())
            if (area->isVisible())
                area->verticalScrollBar()->setSliderPosition(40);
        auto* halves = qobject_cast<QSplitter*>(table->parentWidget()->parentWidget());
        halves->setSizes({halves->sizes()[0] - 40, halves->sizes()[1] + 40});
    }
    static void aDrawerInTheDark(MainWindow& window) {
        trigger(window, ActionId::ThemeDark);
        trigger(window, "arithmetic");
        trigger(window, "random-twin");
        trigger(window, "lines");
        window.findChild<widgets::CandidatesView*>()->findChild<QTableView*>()->selectRow(3);
    }
    static void aFoldedCard(MainWindow& window) {
        trigger(window, "logit-lens");
        tests::bench(window)->close("candidates");
        trigger(window, "masks");
        trigger(window, ActionId::SpaceMarks);
    }
    static void measuredHeads(MainWindow& window) {
        trigger(window, "importance");
        QTRY_VERIFY_WITH_TIMEOUT(test::known<trace::ImportanceWhat>(window) && !test::isMeasuring(window),
                                 60000);
        trigger(window, "paths");
        trigger(window, "overview/toggle");
    }
    static void aMaximisedWindow(MainWindow& window) {
        window.showMaximized();
        trigger(window, "source-share");
        trigger(window, ActionId::ToggleHead);
        trigger(window, "head-table");
    }

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        QApplication::setCursorFlashTime(0);
    }

    void init() { QSettings().clear(); }

    void theSameWindowComesBack_data() {
        QTest::addColumn<Arrange>("arrange");
        QTest::newRow("analyses and a change") << &analysesAndAChange;
        QTest::newRow("a drawer, dark") << &aDrawerInTheDark;
        QTest::newRow("a folded card") << &aFoldedCard;
        QTest::newRow("measured heads") << &measuredHeads;
        QTest::newRow("a maximised window") << &aMaximisedWindow;
    }
    void theSameWindowComesBack() {
        QFETCH(Arrange, arrange);
        const QString path = folder_.filePath("a.headscope");
        auto window = open({.sentence = "The old man gave his daughter a red book."}, QSize(1280, 860));
        arrange(*window);
        window->undo()->settle();
        pictures(*window); // whatever comes late has come
        QSignalSpy done(window->sessions(), &app::SessionController::done);
        window->sessions()->saveTo(path);
        QTRY_COMPARE_WITH_TIMEOUT(done.size(), 1, 20000);
        window->findChild<app::Toast*>()->hide(); // which says so
        const auto before = pictures(*window);
        const QString theme = app::Settings().theme();
        window.reset();
        QSettings().clear();
        app::Settings().setTheme(theme); // colours of the theme are the person's own
        window = open({.model = path}, QSize(1440, 900));
        const auto after = pictures(*window);
        QCOMPARE(after.size(), before.size());
        for (std::size_t i = 0; i < before.size(); ++i) {
            const int pixels = differing(before[i], after[i]);
            if (pixels > 0 && qEnvironmentVariableIsSet("HEADSCOPE_TEST_PICTURES")) {
                const QString name = qEnvironmentVariable("HEADSCOPE_TEST_PICTURES") + '/' +
                                     QString(QTest::currentDataTag()).replace(' ', '-') + QString::number(i);
                before[i].save(name + "-before.png");
                after[i].save(name + "-after.png");
            }
            QVERIFY2(pixels == 0, qPrintable(QString("%1 pixels of picture %2").arg(pixels).arg(i)));
        }
    }
};

HEADSCOPE_WATCHED_TEST(SessionPixelsTest)
#include "session_pixels_test.moc"
