#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QFileSystemModel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "app/desktop/file_dialogs.h"
#include "tests/watched_test.h"

#include <functional>

using namespace headscope::app;

class FileDialogsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString file(const QString& name) const { return folder_.filePath(name); }

    /// Does what a person would in the dialog that is about to open.
    static void then(const std::function<void(QFileDialog&)>& act) {
        QTimer::singleShot(100, qApp, [act] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            act(*dialog);
        });
    }
    static void type(QFileDialog& dialog, const QString& path) {
        dialog.findChild<QLineEdit*>("fileNameEdit")->setText(path);
        static_cast<QDialog&>(dialog).accept();
    }
    QString saved(const QString& start, const QString& typed, const QString& filter = {}) const {
        then([=](QFileDialog& dialog) {
            if (!filter.isEmpty())
                dialog.selectNameFilter(filter);
            type(dialog, typed);
        });
        return askFileToSave(
            {.title = "Save", .start = start, .filters = "CSV (*.csv);;NPZ (*.npz);;All files (*)"},
            Replacing::AskedLater);
    }

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }

    void aNameWithoutAnEndingGetsThatOfTheFilter() {
        QCOMPARE(saved(file("start.csv"), file("plain")), file("plain.csv"));
        QCOMPARE(saved(file("start.npz"), file("plain")), file("plain.npz"));
        QCOMPARE(saved(file("start.csv"), file("plain"), "NPZ (*.npz)"), file("plain.npz"));
        QCOMPARE(saved(file("start.csv"), file("masks-cross.1")), file("masks-cross.1.csv"));
        QCOMPARE(saved(file("start.csv"), file("own.json")), file("own.json"));
        QCOMPARE(saved(file("start.csv"), file("any"), "All files (*)"), file("any"));
    }

    void whoDecidesOtherwiseNamesNothing() {
        then([](QFileDialog& dialog) { dialog.reject(); });
        QVERIFY(askFileToOpen({.title = "Open", .start = folder_.path()}).isEmpty());
        then([](QFileDialog& dialog) { dialog.reject(); });
        QVERIFY(askFolder({.title = "Open", .start = folder_.path()}).isEmpty());
    }

    void aWindowThatGoesMeanwhileTakesTheDialogAlong() {
        auto* window = new QWidget;
        window->show();
        then([window](QFileDialog&) { delete window; });
        QVERIFY(askFileToOpen({.window = window, .title = "Open", .start = folder_.path()}).isEmpty());
    }

    /// A file is what its name says: this one's beginning is another's.
    void filesAreNotLookedInto() {
        QFile page(file("page.csv"));
        QVERIFY(page.open(QIODevice::WriteOnly) && page.write("%PDF-1.4\n") > 0);
        page.close();
        QString type;
        then([&](QFileDialog& dialog) {
            auto* model = dialog.findChild<QFileSystemModel*>();
            QTRY_VERIFY(!(type = model->type(model->index(file("page.csv")))).isEmpty());
            dialog.reject();
        });
        askFileToOpen({.title = "Open", .start = folder_.path()});
        QCOMPARE(type, QString("csv file"));
    }
};

HEADSCOPE_WATCHED_TEST(FileDialogsTest)
#include "file_dialogs_test.moc"
