#include <QDockWidget>
#include <QMainWindow>
#include <QTest>
#include <QTimer>

#include "app/desktop/panel_places.h"
#include "app/document/kept_layout.h"
#include "tests/watched_test.h"

#include <functional>

using namespace headscope;
using app::KeptLayout;
using app::PanelPlaces;

class KeptLayoutTest : public QObject {
    Q_OBJECT

    static constexpr int version = 1;

    std::unique_ptr<QMainWindow> window_;
    QDockWidget* dock_ = nullptr;

    void resizePanel(int width) const { window_->resizeDocks({dock_}, {width}, Qt::Horizontal); }

  private Q_SLOTS:
    void init() {
        window_ = std::make_unique<QMainWindow>();
        window_->resize(600, 300);
        window_->setCentralWidget(new QWidget);
        dock_ = new QDockWidget("panel", window_.get());
        dock_->setObjectName("panel");
        dock_->setWidget(new QWidget);
        window_->addDockWidget(Qt::LeftDockWidgetArea, dock_);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    }

    void whatMovesPanelsByItselfIsPutRight() {
        const PanelPlaces places(window_.get());
        KeptLayout layout(window_.get(), &places, version);
        resizePanel(220);
        QTRY_COMPARE(dock_->width(), 220);
        layout.keep(layout.look());
        resizePanel(130);
        QTRY_COMPARE(dock_->width(), 220);
    }

    void whatMovesThemAgainEveryTimeIsLeftToIt() {
        const PanelPlaces places(window_.get());
        KeptLayout layout(window_.get(), &places, version);
        resizePanel(220);
        QTRY_COMPARE(dock_->width(), 220);
        struct Narrow : QObject {
            std::function<void()> narrow;
            int times = 0;
            bool eventFilter(QObject* watched, QEvent* event) override {
                if (event->type() == QEvent::Resize && static_cast<QWidget*>(watched)->width() > 150) {
                    ++times;
                    QTimer::singleShot(0, this, narrow);
                }
                return false;
            }
        } rule;
        rule.narrow = [this] {
            resizePanel(130);
            QCoreApplication::sendPostedEvents(window_.get(), QEvent::LayoutRequest);
        };
        dock_->installEventFilter(&rule);
        layout.keep(layout.look());
        resizePanel(130);
        const auto settle = [] {
            for (int turn = 0; turn < 50; ++turn)
                QCoreApplication::processEvents();
        };
        settle();
        const int times = rule.times;
        QVERIFY(times > 0);
        settle();
        QCOMPARE(rule.times, times);
        QCOMPARE(dock_->width(), 130);
    }
};

HEADSCOPE_WATCHED_TEST(KeptLayoutTest)
#include "kept_layout_test.moc"
