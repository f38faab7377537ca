#include <QSignalSpy>
#include <QTest>

#include "app/models/choose_kernels.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/training/snapshot_reader.h"
#include "app/training/training_snapshots.h"
#include "model/analysis/runs_beside.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"

#include <QListWidget>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>
#include <map>

using namespace headscope;

class SnapshotReaderTest : public QObject {
    Q_OBJECT

    static QString series() {
        return QString::fromStdString((app::resourceFolder() / "models" / "tatoeba-en-de-learning").string());
    }

    static app::WorkQueue::MakeEngine realEngine() {
        app::chooseKernels();
        return [] { return app::loadEngine({.familyFolders = app::familyFolders()}); };
    }

    static bool isDone(const app::SnapshotReader& reader) {
        return !reader.readings().empty() && !reader.isReading() &&
               std::ranges::all_of(reader.readings(),
                                   [](const auto& each) { return each.common != nullptr; });
    }

  private Q_SLOTS:
    void allSnapshotsReadTheOutputOfTheNewest() {
        app::SnapshotReader reader(realEngine(), nullptr);
        reader.setQuestion(series(), "My brother lives in a small house.");
        QTRY_VERIFY_WITH_TIMEOUT(isDone(reader), 120'000);
        const auto& all = reader.readings();
        QVERIFY(all.size() >= 10);
        const auto& newest = all.back();
        QCOMPARE(newest.own->output, std::string("Mein Bruder lebt in einem kleinen Haus."));
        for (const auto& reading : all) {
            QCOMPARE(analysis::decodedIds(*reading.common), analysis::decodedIds(*newest.own));
            QCOMPARE(reading.common->cross.front().queries(), newest.own->cross.front().queries());
        }
        // From traces of the same snapshots with this output forced.
        const std::map<std::int64_t, double> means{{0, -7.60},   {100, -5.85}, {200, -5.01},  {400, -2.98},
                                                   {600, -1.05}, {800, -0.82}, {1200, -0.70}, {4000, -0.25}};
        for (const auto& [step, mean] : means) {
            const auto reading = std::ranges::find(all, step, &app::SnapshotReading::step);
            QVERIFY(reading != all.end());
            QVERIFY2(std::abs(*reading->score(newest) - mean) < 0.005,
                     qPrintable(QString("%1: %2").arg(step).arg(*reading->score(newest))));
        }
    }

    void anotherSentenceStartsAnew() {
        test::FakeEngine::Script script;
        app::SnapshotReader reader([&script] { return std::make_unique<test::FakeEngine>(script); }, nullptr);
        reader.setQuestion(series(), "one");
        QTRY_VERIFY(isDone(reader));
        reader.setQuestion(series(), "another");
        QVERIFY(!reader.readings().front().common);
        QTRY_VERIFY(isDone(reader));
        for (const auto& reading : reader.readings())
            QCOMPARE(std::get<std::string>(reading.common->request.source), std::string("another"));
        reader.setQuestion(series(), {});
        QVERIFY(reader.readings().empty());
    }

    void anOpenSeriesIsShownAtItsStepAndHead() {
        app::TrainingSnapshots shown(realEngine(), nullptr);
        app::OpenSeries open{.folder = series(),
                             .sentence = "My brother lives in a small house.",
                             .head = {{trace::AttentionKind::Cross, 1}, 2},
                             .step = 800};
        shown.setSeries(open);
        QTRY_VERIFY_WITH_TIMEOUT(isDone(shown.reader()), 120'000);
        QCOMPARE(shown.shownStep(), std::optional<std::int64_t>(800));
        QCOMPARE(shown.shownHead(), std::optional(open.head));
        const auto* gallery = shown.findChild<QListWidget*>();
        QStringList said;
        for (int row = 0; row < gallery->count(); ++row)
            said += gallery->item(row)->text().simplified();
        for (const QString mean : {"0 −7.60", "800 −0.82", "4,000 −0.25"}) // of traces, as above
            QVERIFY2(said.contains(mean), qPrintable(said.join("; ")));
        QSignalSpy steps(&shown, &app::TrainingSnapshots::stepChosen);
        open.step = 200;
        open.head.head = 1;
        shown.setSeries(open);
        QCOMPARE(shown.shownStep(), std::optional<std::int64_t>(200));
        QCOMPARE(shown.shownHead(), std::optional(open.head));
        QVERIFY(steps.empty()); // was chosen elsewhere
        shown.findChild<QListWidget*>()->setCurrentRow(gallery->count() - 1);
        QCOMPARE(steps.size(), 1);
        QCOMPARE(steps[0][0].toLongLong(), 8000);
        QCOMPARE(shown.shownStep(), std::optional<std::int64_t>(8000));
    }

    void aChosenSnapshotIsShownUntilTheNewestIs() {
        test::FakeEngine::Script script;
        app::TrainingSnapshots shown([&script] { return std::make_unique<test::FakeEngine>(script); },
                                     nullptr);
        app::TrainingFolders folders;
        folders.snapshots = series();
        folders.snapshotSteps = {0, 1'000'000};
        shown.setFolders(folders);
        QVERIFY(!shown.shownStep());
        shown.proposeSentence("a sentence");
        QTRY_VERIFY(isDone(shown.reader()));
        const auto& all = shown.reader().readings();
        auto* gallery = shown.findChild<QListWidget*>();
        QCOMPARE(gallery->count(), static_cast<int>(all.size()) + 1);
        QVERIFY(!(gallery->item(gallery->count() - 1)->flags() & Qt::ItemIsEnabled)); // not there yet
        QCOMPARE(shown.shownStep(), std::optional(all.back().step));
        gallery->setCurrentRow(1);
        QCOMPARE(shown.shownStep(), std::optional(all[1].step));
        QCOMPARE(shown.findChild<QTreeWidget*>()->currentItem()->text(0).remove(','),
                 QString::number(all[1].step));
        shown.proposeSentence("of a later report"); // the first one is read on
        QCOMPARE(shown.shownStep(), std::optional(all[1].step));
        shown.findChild<QTreeWidget*>()->setCurrentItem(shown.findChild<QTreeWidget*>()->topLevelItem(2));
        QCOMPARE(shown.shownStep(), std::optional(all[2].step));
        QVERIFY(!gallery->isHidden() && gallery->isVisibleTo(&shown));

        shown.setFolders({}); // of a training without snapshots
        QVERIFY(!shown.shownStep() && !gallery->isVisibleTo(&shown));
        shown.setFolders(folders);
        shown.proposeSentence("of another training");
        QTRY_VERIFY(isDone(shown.reader()));
        QCOMPARE(std::get<std::string>(shown.reader().readings().front().common->request.source),
                 std::string("of another training"));
    }
};

HEADSCOPE_WATCHED_TEST(SnapshotReaderTest)
#include "snapshot_reader_test.moc"
