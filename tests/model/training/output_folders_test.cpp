#include "tests/model/training/small_training.h"
#include "tests/registered_test.h"

#include <QTest>

using namespace small_training;

class OutputFoldersTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    TrainingConfig config(const char* name) const {
        auto config = copying(folder_, name);
        config.steps = 2;
        return config;
    }
    static void write(const std::filesystem::path& path) {
        std::filesystem::create_directories(path.parent_path());
        headscope::files::saveAtomically(path, "words");
    }

  private Q_SLOTS:
    void whatAKilledProgramLeftIsRemovedAndIsNoForeignFile() {
        auto config = this->config("killed");
        config.snapshots = {.folder = config.model.string() + ".snapshots", .every = 1};
        const std::string name = ".headscope-999999999-1"; // no process has so large a number
        const std::vector left{config.model / name, config.state / name,
                               *config.snapshots.folder / "step-1" / name};
        for (const auto& path : left)
            write(path);
        QCOMPARE(run(config).step, std::int64_t{2});
        for (const auto& path : left)
            QVERIFY2(!std::filesystem::exists(path), path.c_str());
    }

    void whatStandsInTheWayIsRefusedBeforeTraining() {
        auto foreign = config("foreign");
        write(foreign.model / "other.txt");
        QVERIFY(refusalOf(foreign).found.find("other.txt") != std::string::npos);

        auto snapshots = config("snapped");
        snapshots.snapshots = {.folder = snapshots.model / "snapshots", .every = 1};
        QVERIFY(refusalOf(snapshots).found.find("snapshots") != std::string::npos);

        auto file = config("file");
        write(file.model);
        QVERIFY(refusalOf(file).where == file.model.string());
    }

    void twoTrainingsDoNotWriteToOneState() {
        const auto shared = config("shared");
        std::string found;
        run(shared, 1, {}, [&](const TrainingProgress& progress) {
            if (progress.step == 2)
                found = refusalOf(shared).found;
        });
        QVERIFY2(found.find("held by another") != std::string::npos, found.c_str());
        QVERIFY(refusalOf(shared).what.empty()); // its process has ended
    }

    void pathsThatCannotBeAreNamedAtOnce() {
        auto wrong = config("wrong");
        wrong.state = wrong.model;
        wrong.snapshots = {.folder = wrong.model, .every = 1};
        wrong.attribution = wrong.model / "nothing.txt";
        wrong.where = (wrong.model / "config.json").string();
        const auto found = refusalOf(wrong).found;
        for (const char* key : {"state", "snapshots.folder", "attribution", "config.json"})
            QVERIFY2(found.find(key) != std::string::npos, found.c_str());
        QVERIFY(!std::filesystem::exists(wrong.model));
    }
};

HEADSCOPE_TEST(OutputFoldersTest)
#include "output_folders_test.moc"
