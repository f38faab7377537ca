#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include "model/checkpoint/settings.h"

using namespace foreign_files;
using headscope::checkpoint::Settings;

class SettingsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whateverIsSetLaterWins() {
        Settings settings;
        settings.set("heads", "4", "config.json");
        settings.set("heads", "8", "--heads");
        QCOMPARE(*settings.integer("heads"), std::int64_t{8});
        QCOMPARE(settings.find("heads")->origin, std::string("--heads"));
        settings.erase("heads");
        QVERIFY(!settings.find("heads").has_value());
    }

    void everyKindOfValueIsRead() {
        Settings settings;
        settings.set("norm_eps", "1e-6", "");
        settings.set("final_norm", "yes", "");
        settings.set("embedding_norm", "false", "");
        settings.set("source_suffix", "3,0,12", "");
        settings.set("source_prefix", std::string(Settings::noItems), "");
        QCOMPARE(*settings.number("norm_eps"), 1e-6);
        QCOMPARE(settings.yesOrNo("final_norm"), std::optional(true));
        QCOMPARE(settings.yesOrNo("embedding_norm"), std::optional(false));
        QCOMPARE(settings.integers("source_suffix"), (std::vector<std::int64_t>{3, 0, 12}));
        QVERIFY(settings.integers("source_prefix").empty());
        QVERIFY(!settings.integer("heads") && !settings.number("heads") && !settings.yesOrNo("heads"));
        QVERIFY(settings.integers("heads").empty());
        QCOMPARE(settings.textOr("name", "other"), std::string("other"));
    }

    void aValueThatCannotBeIsRefusedWithItsPlace_data() {
        QTest::addColumn<QString>("getter");
        QTest::addColumn<QString>("value");
        for (const char* value : {"", "x", "-1", "1.5", "8 ", "99999999999999999999", "0x8"})
            QTest::addRow("integer %s", value) << "integer" << value;
        for (const char* value : {"", "x", "nan", "inf", "1e999", "1,5"})
            QTest::addRow("number %s", value) << "number" << value;
        for (const char* value : {"", "YES", "1", "maybe"})
            QTest::addRow("yes or no %s", value) << "yesOrNo" << value;
        for (const char* value : {",", "1,", ",1", "1,,2", "1, 2", "-1", "1;2"})
            QTest::addRow("integers %s", value) << "integers" << value;
    }
    void aValueThatCannotBeIsRefusedWithItsPlace() {
        QFETCH(const QString, getter);
        QFETCH(const QString, value);
        Settings settings;
        settings.set("start_id", value.toStdString(), "there/config.json");
        const std::string refusal = refusalOf([&] {
            if (getter == "integer")
                settings.integer("start_id");
            else if (getter == "number")
                settings.number("start_id");
            else if (getter == "yesOrNo")
                settings.yesOrNo("start_id");
            else
                settings.integers("start_id");
        });
        QVERIFY(contains(refusal, {"start_id", "there/config.json", "--start-id", "headscope.json"}));
        QVERIFY(contains(refusal, {("\"" + value.toStdString() + "\"").c_str()}));
    }

    void whatIsNotSaidIsAskedFor() {
        const std::string refusal = refusalOf([] { Settings().text("score_scale"); });
        QVERIFY(contains(refusal, {"does not say", "score_scale", "headscope.json", "Found: nothing"}));
        QVERIFY(!contains(refusal, {"--score-scale"})); // there is no such option
    }

    void onlyKnownKeysAreKnown() {
        QVERIFY(Settings::isKnown("heads") && Settings::isKnown("source_suffix"));
        QVERIFY(!Settings::isKnown("Heads") && !Settings::isKnown(""));
    }
};

HEADSCOPE_TEST(SettingsTest)
#include "settings_test.moc"
