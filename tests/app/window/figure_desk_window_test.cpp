#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include "app/plain/engine_loader.h"
#include "app/plain/resource_folders.h"
#include "app/window/figure_dialog.h"
#include "app/window/main_window.h"
#include "app/window/run_queue.h"
#include "widgets/compared_heads.h"
#include "widgets/heatmap_view.h"
#include "widgets/lines_view.h"
#include "widgets/mask_view.h"
#include "widgets/positional_encoding_view.h"

#include <algorithm>

using namespace headscope;
using app::ActionId;
using app::FigureDialog;
using app::MainWindow;

/// What leaves the window, with the bundled model and the real engine, beside what `render` makes.
class FigureDeskWindowTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    QString file(const QString& name) const { return folder_.filePath(name); }
    void trigger(ActionId id) { window_->actions()[id]->trigger(); }

    static QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    void settle() {
        auto* queue = window_->findChild<app::RunQueue*>();
        const auto isBusy = [&] {
            for (int slot = 0; slot <= static_cast<int>(app::RunQueue::Slot::Trial); ++slot)
                if (queue->isBusy(static_cast<app::RunQueue::Slot>(slot)))
                    return true;
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(!isBusy(), 30000);
    }

    /// Saves the view on top through the dialog.
    QByteArray saved(const QString& path) {
        trigger(ActionId::SavePicture);
        auto* dialog = window_->findChild<FigureDialog*>();
        [&] { QVERIFY(dialog); }();
        auto* field = dialog->findChild<QLineEdit*>("path");
        field->clear();
        QTest::keyClicks(field, path);
        QTest::keyClick(field, Qt::Key_Return);
        [&] { QTRY_VERIFY_WITH_TIMEOUT(!window_->findChild<FigureDialog*>(), 20000); }();
        if (auto* open = window_->findChild<FigureDialog*>())
            delete open; // the next test opens its own
        return contentOf(path);
    }

    QString copiedCommand() {
        trigger(ActionId::CopyCommand);
        return QApplication::clipboard()->text();
    }

    /// Says where two files begin to differ.
    static bool same(const QByteArray& one, const QByteArray& other) {
        const auto [a, b] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
        if (a == one.end() && b == other.end())
            return true;
        const qsizetype from = std::max<qsizetype>(0, a - one.begin() - 100);
        qWarning() << one.mid(from, 300) << "beside" << other.mid(from, 300);
        return false;
    }

    /// Runs a copied command, its file another one.
    QByteArray rendered(QString command, const QString& path) {
        command =
            command.section(" --out=", 0, 0).replace("headscope-cli", HEADSCOPE_BUILD "/bin/headscope-cli");
        QProcess shell;
        shell.start("sh", {"-c", command + " --out " + path});
        [&] { QVERIFY(shell.waitForFinished(60000)); }();
        [&] { QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError()); }();
        return contentOf(path);
    }

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        QApplication::setStyle("Fusion");
        QCoreApplication::setOrganizationName("headscope-test");
        QCoreApplication::setApplicationName("figures");
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
        const auto makeEngine = [] {
            return app::loadEngine(
                {.familyFolders = app::familyFolders(), .samples = app::sampleSentences()});
        };
        window_ =
            std::make_unique<MainWindow>(makeEngine, app::StartWith{.sentence = "The old man reads a book."});
        window_->show();
        QTRY_VERIFY_WITH_TIMEOUT(window_->controller()->run() && window_->controller()->run()->complete,
                                 30000);
        settle();
    }

    void cleanupTestCase() { window_.reset(); }

    void theWindowAndTheCommandWriteTheSameBytes_data() {
        QTest::addColumn<int>("view");
        QTest::addColumn<QString>("ending");
        const std::initializer_list<std::pair<const char*, ActionId>> views{
            {"heatmap", ActionId::ViewHeatmap},
            {"lines", ActionId::ViewLines},
            {"masks", ActionId::ViewMasks},
            {"positions", ActionId::ViewPositions},
            {"architecture", ActionId::ViewArchitecture},
            {"scale", ActionId::ViewScale}};
        for (const auto& [name, id] : views)
            for (const char* ending : {"png", "svg"})
                QTest::addRow("%s, %s", name, ending) << static_cast<int>(id) << ending;
    }

    void theWindowAndTheCommandWriteTheSameBytes() {
        QFETCH(int, view);
        QFETCH(QString, ending);
        trigger(static_cast<ActionId>(view));
        window_->selection()->setStep(3);
        settle();
        const QByteArray ours = saved(file("window." + ending));
        QVERIFY(!ours.isEmpty());
        QVERIFY(same(rendered(copiedCommand(), file("command." + ending)), ours));
    }

    void aMapThatIsComputedIsTheSame() {
        trigger(ActionId::ViewHeatmap);
        trigger(ActionId::ShowNormWeighted);
        trigger(ActionId::ScaleLogarithmic);
        settle();
        const QByteArray ours = saved(file("norms.png"));
        const QString command = copiedCommand();
        QVERIFY2(command.contains("--quantity=norm-weighted") && command.contains("--scale=log"),
                 qPrintable(command));
        QVERIFY(same(rendered(command, file("norms-command.png")), ours));
        trigger(ActionId::ShowWeights);
        trigger(ActionId::ScaleLinear);
    }

    void numbersAreCopiedAsATable() {
        trigger(ActionId::ViewHeatmap);
        trigger(ActionId::ShowWeights);
        settle();
        trigger(ActionId::CopyTable);
        const QString table = QApplication::clipboard()->text();
        QVERIFY2(table.startsWith("weights\nquery/key\t"), qPrintable(table));
        QVERIFY(table.contains("book"));
        const auto* map = window_->findChild<widgets::ComparedHeads*>()->single();
        const QString first = table.split('\n')[2].split('\t')[1];
        QCOMPARE(static_cast<float>(first.toDouble()), map->shownMap().values(0, 0));
    }

    void theDialogSaysWhatItWillWriteAndRefusesWhatItCannot() {
        trigger(ActionId::ViewHeatmap);
        trigger(ActionId::SavePicture);
        auto* dialog = window_->findChild<FigureDialog*>();
        QVERIFY(dialog);
        const auto says = [&](const QString& words) {
            for (const auto* label : dialog->findChildren<QLabel*>())
                if (label->text().contains(words))
                    return true;
            return false;
        };
        QTRY_VERIFY(says("1600 x 1280 pixels, "));
        QTRY_VERIFY(says("iB"));
        QTRY_VERIFY(!dialog->findChildren<QLabel*>().front()->pixmap().isNull());
        QTest::keyClicks(dialog->findChild<QLineEdit*>("path"), "/no/such/folder/x.png");
        dialog->findChild<QLineEdit*>("path")->setText("/no/such/folder/x.png");
        QTest::keyClick(dialog->findChild<QLineEdit*>("path"), Qt::Key_Return);
        QTRY_VERIFY(says("/no/such/folder"));
        QTRY_VERIFY(says("Way out"));
        dialog->reject();
        QTRY_VERIFY(!window_->findChild<FigureDialog*>());
    }
};

QTEST_MAIN(FigureDeskWindowTest)
#include "figure_desk_window_test.moc"
