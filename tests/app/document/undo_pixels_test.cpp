#include <QAction>
#include <QApplication>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>

#include "app/document/undo_controller.h"
#include "app/document/window_state.h"
#include "app/window/main_window.h"
#include "tests/app/window/busy_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/heatmap/heatmap_page.h"

#include <algorithm>

using namespace headscope;
using app::ActionId;
using app::MainWindow;

/// What is undone is as it was before it was done, and what is redone as it was after, pixel by pixel.
class UndoPixelsTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    QTemporaryDir settingsFolder_;
    std::unique_ptr<MainWindow> window_;
    QImage before_; ///< as the step that was tried last has left it

    void settle() {
        QTRY_VERIFY(!window_->state()->isUnsettled());
        window_->undo()->settle();
    }
    /// Once nothing moves any more.
    QImage picture() {
        QImage last;
        for (int same = 0, looked = 0; same < 3 && looked < 120; ++looked) {
            QTest::qWait(5);
            window_->statusBar()->clearMessage();
            const QImage now = window_->grab().toImage();
            const bool isStill = now == last && !tests::isBusy(*window_->findChild<app::WorkQueue*>());
            same = isStill ? same + 1 : 0;
            last = now;
        }
        settle();
        return last;
    }
    void trigger(ActionId id) {
        window_->actions()[id]->trigger();
        settle();
    }
    static QByteArray difference(const QImage& a, const QImage& b) {
        QRect where;
        for (int y = 0; y < a.height(); ++y)
            for (int x = 0; x < a.width(); ++x)
                if (!b.rect().contains(x, y) || a.pixel(x, y) != b.pixel(x, y))
                    where |= QRect(x, y, 1, 1);
        return QString("%1,%2 %3x%4")
            .arg(where.x())
            .arg(where.y())
            .arg(where.width())
            .arg(where.height())
            .toLatin1();
    }

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(settingsFolder_.isValid());
        QCoreApplication::setOrganizationName("headscope-test");
        QCoreApplication::setApplicationName("undo-pixels");
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settingsFolder_.path());
        QApplication::setCursorFlashTime(0);
        window_ = std::make_unique<MainWindow>(
            [this] { return std::make_unique<test::FakeEngine>(script_); },
            app::StartWith{.model = "a-model", .sentence = QString("a sentence")});
        window_->resize(1440, 640);
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QTRY_VERIFY(!window_->undo()->history().isEmpty());
        for (const auto kind : {trace::AttentionKind::Cross, trace::AttentionKind::EncoderSelf,
                                trace::AttentionKind::DecoderSelf})
            window_->selection()->togglePinnedHead({{kind, 0}, 1});
        auto* compared = window_->findChild<widgets::HeatmapPage*>();
        compared->maps().front()->setFocus();
        const auto areas = compared->findChildren<QScrollArea*>();
        const auto cards = std::ranges::find_if(areas, [](const auto* area) { return area->isVisible(); });
        QVERIFY(cards != areas.end());
        QTRY_VERIFY((*cards)->verticalScrollBar()->maximum() > 60);
        (*cards)->verticalScrollBar()->setSliderPosition(60);
        picture();
    }
    void cleanupTestCase() { window_.reset(); }

    void whatIsUndoneLooksAsBeforeAndRedoneAsAfter_data() {
        QTest::addColumn<ActionId>("id");
        const std::vector<ActionId> all{
            ActionId::SourceShare,      ActionId::ViewMasks,   ActionId::ToggleOverview,
            ActionId::ViewLines,        ActionId::ToggleHead,  ActionId::PinHead,
            ActionId::UnpinHeads,       ActionId::MapNumbers,  ActionId::MapReceived,
            ActionId::MapTransposed,    ActionId::SpaceMarks,  ActionId::ThemeDark,
            ActionId::HeadTable,        ActionId::ShowLens,    ActionId::ShowArithmetic,
            ActionId::ShowBeamTree,     ActionId::ForceTarget, ActionId::RandomTwin,
            ActionId::MeasureHeads,     ActionId::Forward,     ActionId::KindDecoder,
            ActionId::ScaleLogarithmic, ActionId::OneLayer};
        for (const auto id : all)
            QTest::newRow(qPrintable(window_->actions()[id]->text().remove('&'))) << id;
    }
    void whatIsUndoneLooksAsBeforeAndRedoneAsAfter() {
        QFETCH(ActionId, id);
        const auto place = window_->undo()->history().place();
        const QImage before = before_.isNull() ? picture() : before_;
        const auto* keysBefore = window_->focusWidget();
        trigger(id);
        const QImage after = picture();
        const auto* keysAfter = window_->focusWidget();
        QCOMPARE(window_->undo()->history().place(), place + 1);
        trigger(ActionId::Undo);
        const QImage undone = picture();
        if (undone != before && qEnvironmentVariableIsSet("HEADSCOPE_TEST_PICTURES")) {
            before.save(qEnvironmentVariable("HEADSCOPE_TEST_PICTURES") + "/before.png");
            undone.save(qEnvironmentVariable("HEADSCOPE_TEST_PICTURES") + "/undone.png");
        }
        QVERIFY2(undone == before, difference(undone, before));
        QCOMPARE(window_->focusWidget(), keysBefore);
        trigger(ActionId::Redo);
        const QImage redone = picture();
        QVERIFY2(redone == after, difference(redone, after));
        QCOMPARE(window_->focusWidget(), keysAfter);
        trigger(ActionId::Undo);
        before_ = picture();
        QVERIFY(before_ == before);
    }
};

HEADSCOPE_WATCHED_TEST(UndoPixelsTest)
#include "undo_pixels_test.moc"
