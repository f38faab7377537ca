#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include "model/trace/missing_settings.h"

using namespace foreign_files;
using namespace headscope::trace;

class MissingSettingsTest : public QObject {
    Q_OBJECT

    static MissingSetting heads() { return {.key = "heads", .known = "of 4", .possible = {"1", "2", "4"}}; }
    static MissingSetting norm() { return {.key = "norm", .possible = {"pre", "post"}}; }
    static MissingSetting start() { return {.key = "start_id", .ids = 9, .need = Need::ToDecode}; }
    static MissingSetting padding() { return {.key = "pad_id", .ids = 7, .need = Need::Optional}; }

  private Q_SLOTS:
    void asARefusalItNamesEveryOptionAtOnce() {
        const MissingSettings missing({heads(), norm(), start(), padding()}, "there/model.pt");
        QVERIFY(contains(missing.what(), {"does not say its \"heads\" and \"norm\".", "there/model.pt",
                                          "heads: 1, 2 or 4 (of 4); norm: pre or post", "an id from 0 to 8",
                                          "give --heads and --norm (to decode also --start-id and --pad-id)",
                                          "headscope.json"}));
    }

    void aModelThatOnlyCannotDecodeIsAskedForThat() {
        const MissingSettings missing({start(), padding()}, "model.pt");
        QVERIFY(contains(missing.what(), {"its \"start_id\".", "give --start-id and --pad-id, or"}));
    }

    void itIsCaughtAsARefusalAndKeepsItsQuestions() {
        try {
            throw MissingSettings({heads(), start()}, "model.pt");
        } catch (const Refusal& refusal) {
            const auto* missing = dynamic_cast<const MissingSettings*>(&refusal);
            QVERIFY(missing);
            QVERIFY(missing->settings() == (std::vector{heads(), start()}));
        }
    }
};

HEADSCOPE_TEST(MissingSettingsTest)
#include "missing_settings_test.moc"
