#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include "app/models/sidecar.h"

using namespace foreign_files;
using namespace headscope::app;

class SidecarTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void itStandsBesideTheWeights() {
        const Folder folder;
        QCOMPARE(sidecarOf(folder.path()), folder / "headscope.json");
        QCOMPARE(sidecarOf(folder / "model.pt"), folder / "headscope.json");
    }

    void numbersAreWrittenAsNumbersAndNamesAsNames() {
        const Folder folder;
        writeSidecar(folder / "model.pt", {{"heads", "8"}, {"norm", "post"}});
        QCOMPARE(contentOf(folder / "headscope.json"),
                 std::string("{\n    \"heads\": 8,\n    \"norm\": \"post\"\n}\n"));
    }

    void whatElseItSaysStaysInItsOrder() {
        const Folder folder;
        writeFile(folder / "headscope.json", R"({"zeta": [1, 2], "alpha": "x", "heads": null})");
        writeSidecar(folder.path(), {{"heads", "4"}});
        const auto written = contentOf(folder / "headscope.json");
        QVERIFY(written.find("zeta") < written.find("alpha"));
        QVERIFY(contains(written, {"\"heads\": 4"}));
    }

    void aFileThatIsNoObjectIsLeftAlone() {
        const Folder folder;
        for (const char* text : {"[]", "{", ""}) {
            writeFile(folder / "headscope.json", text);
            QVERIFY(contains(refusalOf([&] {
                                 writeSidecar(folder.path(), {{"heads", "4"}});
                             }),
                             {"headscope.json"}));
            QCOMPARE(contentOf(folder / "headscope.json"), std::string(text));
        }
    }
};

HEADSCOPE_TEST(SidecarTest)
#include "sidecar_test.moc"
