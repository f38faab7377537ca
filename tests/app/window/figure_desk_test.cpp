#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/figure_desk.h"
#include "app/window/main_window.h"
#include "app/window/message_panel.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_main.h"
#include "widgets/figure_source.h"

using namespace headscope;
using app::ActionId;
using app::FigureDesk;
using app::MainWindow;

/// What the window says of what is copied and saved.
class FigureDeskTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    QTemporaryDir settingsFolder_;
    std::unique_ptr<MainWindow> window_;

    struct Endless : QWidget, widgets::FigureSource {
        mutable int drawn = 0;
        void drawFigure(QPainter&, QSize, const widgets::Theme&) const override { ++drawn; }
        widgets::FigureText figureText() const override { return {.title = "endless"}; }
        QSize figureSize() const override { return {400000, 300000}; }
        bool hasFigure() const override { return true; }
    };

    FigureDesk* desk() const { return window_->findChild<FigureDesk*>(); }
    app::MessagePanel* message() const { return window_->findChild<app::MessagePanel*>(); }

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(settingsFolder_.isValid());
        QCoreApplication::setOrganizationName("headscope-test");
        QCoreApplication::setApplicationName("figures");
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settingsFolder_.path());
        window_ = std::make_unique<MainWindow>(
            [this] { return std::make_unique<test::FakeEngine>(script_); },
            app::StartWith{.model = "a-model", .sentence = QString("a sentence")});
        window_->show();
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete &&
                    !window_->controller()->isDecoding());
    }

    void cleanupTestCase() { window_.reset(); }

    void aPictureThatIsTooLargeIsNotCopiedAndThatIsSaid() {
        QApplication::clipboard()->setText("before");
        const Endless view;
        desk()->copyPicture(const_cast<Endless*>(&view));
        QCOMPARE(QApplication::clipboard()->text(), QString("before"));
        QCOMPARE(view.drawn, 0);
        QVERIFY(message()->isVisible());
        QVERIFY2(message()->words().contains("The picture was not copied"), qPrintable(message()->words()));
        QVERIFY2(message()->words().contains("800000 x 600000 pixels"), qPrintable(message()->words()));
    }

    void whatIsRefusedIsTakenBackOnceSomethingIsSaved() {
        Endless view;
        desk()->copyPicture(&view);
        QVERIFY(message()->isVisible());
        window_->actions()[ActionId::CopyTable]->trigger();
        QVERIFY(!message()->isVisible());
    }

    void whatElseIsSaidStays() {
        Endless view;
        desk()->copyPicture(&view);
        message()->showRefusal({.what = "Something else"});
        window_->actions()[ActionId::CopyTable]->trigger();
        QVERIFY(message()->isVisible());
        QVERIFY(message()->words().contains("Something else"));
    }
};

HEADSCOPE_WATCHED_MAIN(FigureDeskTest)
#include "figure_desk_test.moc"
