#include <QDockWidget>
#include <QMainWindow>
#include <QTest>

#include "app/desktop/panel_places.h"
#include "app/document/history.h"
#include "tests/watched_test.h"

using namespace headscope;
using app::PanelPlaces;

class PanelPlacesTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QMainWindow> window_;
    QDockWidget* dock_ = nullptr;

    /// As a hand on the edge between the panels does it.
    void drag(int width) {
        const QPointF at(dock_->geometry().right() + 2, 100);
        QVERIFY(!window_->childAt(at.toPoint()));
        for (const auto type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
            QMouseEvent button(type, at, window_->mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, {});
            QCoreApplication::sendEvent(window_.get(), &button);
        }
        window_->resizeDocks({dock_}, {width}, Qt::Horizontal);
    }

  private Q_SLOTS:
    void init() {
        window_ = std::make_unique<QMainWindow>();
        window_->resize(600, 300);
        window_->setCentralWidget(new QWidget);
        dock_ = new QDockWidget("panel", window_.get());
        dock_->setObjectName("panel");
        window_->addDockWidget(Qt::LeftDockWidgetArea, dock_);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    }

    void asManyDragsAreKeptAsUndoGoesBackTo() {
        const PanelPlaces places(window_.get());
        const int most = static_cast<int>(app::History::most);
        const auto width = [](int i) { return 100 + i % 2 * 60; };
        for (int i = 1; i <= most + 20; ++i) {
            drag(width(i));
            QCOMPARE(places.arrangement(), "resize " + std::to_string(i));
        }
        places.setArrangement("resize 3"); // and what is gone changes nothing
        QCOMPARE(places.arrangement(), "resize " + std::to_string(most + 20));
        QTRY_COMPARE(dock_->width(), width(most + 20));
        places.setArrangement("resize " + std::to_string(most + 19));
        QCOMPARE(places.arrangement(), "resize " + std::to_string(most + 19));
        QTRY_COMPARE(dock_->width(), width(most + 19));
        places.setArrangement("resize 22");
        QCOMPARE(places.arrangement(), std::string("resize 22"));
        QTRY_COMPARE(dock_->width(), width(22));
    }
};

HEADSCOPE_WATCHED_TEST(PanelPlacesTest)
#include "panel_places_test.moc"
