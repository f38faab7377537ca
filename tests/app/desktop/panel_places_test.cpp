#include <QDockWidget>
#include <QMainWindow>
#include <QTest>

#include "app/desktop/panel_places.h"
#include "tests/watched_test.h"

using namespace headscope;
using app::PanelPlaces;

class PanelPlacesTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QMainWindow> window_;
    QDockWidget* dock_ = nullptr;

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

    void panelsAreWhereTheWordsSay() {
        const PanelPlaces places(window_.get());
        const std::vector<std::string> open{"panel left"}, closed{"panel left closed"};
        QCOMPARE(places.words(), open);
        places.set(closed);
        QVERIFY(dock_->isHidden());
        QCOMPARE(places.words(), closed);
        places.set(open);
        QVERIFY(dock_->isVisible());
        places.set({"panel right floating"});
        QVERIFY(dock_->isFloating());
        places.set({"panel right"});
        QVERIFY(!dock_->isFloating());
        QCOMPARE(window_->dockWidgetArea(dock_), Qt::RightDockWidgetArea);
        places.set({"another left closed"}); // of another window
        QCOMPARE(places.words(), std::vector<std::string>{"panel right"});
    }
};

HEADSCOPE_WATCHED_TEST(PanelPlacesTest)
#include "panel_places_test.moc"
