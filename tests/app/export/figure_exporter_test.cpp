#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "app/desktop/message_panel.h"
#include "app/export/figure_exporter.h"
#include "app/window/main_window.h"
#include "tests/app/window/busy_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/figure_source.h"

using namespace headscope;
using app::ActionId;
using app::FigureExporter;
using app::MainWindow;

/// What the window says of what is copied and saved.
class FigureExporterTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<MainWindow> window_;

    struct Endless : QWidget, widgets::FigureSource {
        mutable int drawn = 0;
        void drawFigure(QPainter&, QSize, const widgets::Theme&) const override { ++drawn; }
        widgets::FigureText figureText() const override { return {.title = "endless"}; }
        QSize figureSize() const override { return {400000, 300000}; }
        bool hasFigure() const override { return true; }
    };

    /// Two parts, and so two files of CSV; or one.
    struct Numbers : QWidget, widgets::FigureSource {
        bool single = false;
        void drawFigure(QPainter&, QSize, const widgets::Theme&) const override {}
        widgets::FigureText figureText() const override { return {.title = "numbers"}; }
        QSize figureSize() const override { return {40, 30}; }
        bool hasFigure() const override { return true; }
        bool isOfRun() const override { return false; }
        trace::FigureData figureData() const override {
            const auto part = [](const char* name) {
                return trace::DataTable{.name = name,
                                        .columns = {{"number", std::vector<double>{0.5, 0.25}}}};
            };
            return single ? trace::FigureData{.tables = {part("weights")}}
                          : trace::FigureData{.tables = {part("weights"), part("received")}};
        }
    };

    /// There at first, and gone once it is prepared.
    struct Vanishing : Endless {
        bool isThere = true;
        QSize figureSize() const override { return {40, 30}; }
        bool hasFigure() const override { return isThere; }
        void prepareFigure(const widgets::Theme&, const std::function<void()>& ready) override {
            isThere = false;
            ready();
        }
    };

    /// What the question about files said, and what is chosen by default; empty where none was asked.
    struct Asked {
        QString words;
        QString usual;
    };

    /// Saves data under a name, and answers the question that may come.
    Asked savedData(QWidget& view, const QString& path, bool replace) {
        Asked asked;
        QTimer look;
        connect(&look, &QTimer::timeout, this, [&] {
            if (auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                files->findChild<QLineEdit*>("fileNameEdit")->setText(path);
                static_cast<QDialog*>(files)->accept();
            } else if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                asked = {box->text() + '\n' + box->informativeText(), box->defaultButton()->text()};
                for (auto* button : box->buttons())
                    if (box->buttonRole(button) ==
                        (replace ? QMessageBox::DestructiveRole : QMessageBox::RejectRole))
                        return button->click();
            }
        });
        look.start(20);
        const QSignalSpy done(exporter(), &FigureExporter::done),
            refused(exporter(), &FigureExporter::refused);
        exporter()->saveData(&view);
        [&] { QTRY_VERIFY(!asked.words.isEmpty() || !done.isEmpty() || !refused.isEmpty()); }();
        return asked;
    }

    static QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    static void write(const QString& path) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("kept") == 4);
    }

    FigureExporter* exporter() const { return window_->findChild<FigureExporter*>(); }
    app::MessagePanel* message() const { return window_->findChild<app::MessagePanel*>(); }

  private Q_SLOTS:
    void initTestCase() {
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
        exporter()->copyPicture(const_cast<Endless*>(&view));
        QCOMPARE(QApplication::clipboard()->text(), QString("before"));
        QCOMPARE(view.drawn, 0);
        QVERIFY(message()->isVisible());
        QVERIFY2(message()->words().contains("The picture was not copied"), qPrintable(message()->words()));
        QVERIFY2(message()->words().contains("800000 x 600000 pixels"), qPrintable(message()->words()));
    }

    void aPictureThatIsGoneIsRefusedWithTheReason() {
        Vanishing view;
        exporter()->copyPicture(&view);
        QVERIFY2(message()->words().contains("The picture was not copied") &&
                     message()->words().contains("there is no picture to copy yet"),
                 qPrintable(message()->words()));
    }

    void filesOfSeveralPartsAreReplacedOnlyIfThatIsWanted() {
        QTemporaryDir folder;
        const QString weights = folder.filePath("map-weights.csv");
        Numbers view;
        QSignalSpy done(exporter(), &FigureExporter::done);
        write(weights);
        const auto asked = savedData(view, folder.filePath("map.csv"), false);
        QVERIFY2(asked.words.contains("map-weights.csv") && !asked.words.contains("received"),
                 qPrintable(asked.words));
        QVERIFY2(QString(asked.usual).remove('&') == "Cancel", qPrintable(asked.usual));
        QVERIFY(tests::becomesIdle(*window_->findChild<app::WorkQueue*>()));
        QCOMPARE(contentOf(weights), QByteArray("kept"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
        QVERIFY(done.isEmpty());
        QVERIFY(!savedData(view, folder.filePath("map.csv"), true).words.isEmpty());
        QTRY_COMPARE(done.size(), 1);
        QVERIFY(done.front().front().toString().startsWith("Saved " + folder.path()));
        QVERIFY(contentOf(weights).contains("0.25"));
        const auto both = savedData(view, folder.filePath("map.csv"), false); // both are there by now
        QVERIFY(both.words.contains("map-weights.csv") && both.words.contains("map-received.csv"));
        QVERIFY(savedData(view, folder.filePath("other.csv"), false).words.isEmpty()); // nothing is
        QTRY_COMPARE(done.size(), 2);
        QVERIFY(QFile::exists(folder.filePath("other-received.csv")));
    }

    void aNameThatGetsItsEndingReplacesNothingUnasked() {
        QTemporaryDir folder;
        Numbers view;
        view.single = true;
        write(folder.filePath("map.csv"));
        QVERIFY(savedData(view, folder.filePath("map"), false).words.contains("map.csv"));
        QVERIFY(tests::becomesIdle(*window_->findChild<app::WorkQueue*>()));
        QCOMPARE(contentOf(folder.filePath("map.csv")), QByteArray("kept"));
    }

    /// It may lie on a slow disk: the window goes on, and asks once it is known what is there.
    void whatIsThereIsLookedAtBesideTheWindow() {
        QTemporaryDir folder;
        Numbers view;
        write(folder.filePath("map-weights.csv"));
        QTimer accept;
        connect(&accept, &QTimer::timeout, this, [&] {
            if (auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                files->findChild<QLineEdit*>("fileNameEdit")->setText(folder.filePath("map.csv"));
                static_cast<QDialog*>(files)->accept();
            }
        });
        accept.start(20);
        exporter()->saveData(&view);
        QVERIFY(!window_->findChild<QMessageBox*>("replace-files"));
        QTRY_VERIFY(window_->findChild<QMessageBox*>("replace-files"));
        QCOMPARE(window_->findChild<QMessageBox*>("replace-files")->windowTitle(), QString("Replace Files"));
        window_->findChild<QMessageBox*>("replace-files")->reject();
        QTRY_VERIFY(!window_->findChild<QMessageBox*>("replace-files"));
        QCOMPARE(contentOf(folder.filePath("map-weights.csv")), QByteArray("kept"));
    }

    void anotherFormatIsRefusedBeforeAnythingIsAsked() {
        QTemporaryDir folder;
        Numbers view;
        QVERIFY(savedData(view, folder.filePath("map.npy"), true).words.isEmpty());
        QVERIFY2(message()->words().contains(".csv, .json or .npz"), qPrintable(message()->words()));
    }

    void whatIsRefusedIsTakenBackOnceSomethingIsSaved() {
        Endless view;
        exporter()->copyPicture(&view);
        QVERIFY(message()->isVisible());
        window_->actions()[ActionId::CopyTable]->trigger();
        QVERIFY(!message()->isVisible());
    }

    void whatElseIsSaidStays() {
        Endless view;
        exporter()->copyPicture(&view);
        message()->showRefusal({.what = "Something else"});
        window_->actions()[ActionId::CopyTable]->trigger();
        QVERIFY(message()->isVisible());
        QVERIFY(message()->words().contains("Something else"));
    }
};

HEADSCOPE_WATCHED_TEST(FigureExporterTest)
#include "figure_exporter_test.moc"
