#include "model/files/limited_json.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

using namespace foreign_files;
using namespace headscope::files;

namespace {

std::string jsonRefusal(const std::string& text, const JsonLimits& limits = {}) {
    return refusalOf([&] { parseJson(text, "config.json", limits); });
}

} // namespace

class LimitedJsonTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatNlohmannReadsIsReadTheSame() {
        const std::string text =
            R"( {"a": [1, -2, 3.5e2, true, false, null, "\u00e4\n"], "b": {"c": {}}, "d": []} )";
        QVERIFY(parseJson(text, "") == nlohmann::json::parse(text));
        QVERIFY(parseJson("12", "") == 12);
        QVERIFY(parseJson("\"x\"", "") == "x");
    }

    void aKeyGivenTwiceIsRefusedAtItsByte() {
        QVERIFY(contains(jsonRefusal(R"({"a": 1, "b": {"a": 1}, "a": 2})"),
                         {"config.json, byte 2", "the key \"a\" twice"}));
    }

    void tooDeepIsRefusedAndTheLimitItselfIsNot() {
        const JsonLimits three{.depth = 3};
        QCOMPARE(jsonRefusal("[[[1]]]", three), std::string());
        QVERIFY(contains(jsonRefusal("[[[[1]]]]", three), {"byte 4", "at most 3 levels"}));
        QVERIFY(contains(jsonRefusal(std::string(1'000'000, '[')), {"at most 64 levels"}));
    }

    void tooManyValuesAreRefusedAndTheLimitItselfIsNot() {
        const JsonLimits four{.values = 4};
        QCOMPARE(jsonRefusal("[1,2,3]", four), std::string());
        QVERIFY(contains(jsonRefusal("[1,2,3,4]", four), {"at most 4 values"}));
    }

    void tooLongATextIsRefused() {
        QVERIFY(contains(jsonRefusal("[1,2,3]", {.bytes = 6}), {"at most 6 bytes", "7 bytes"}));
    }

    void whatIsNoJsonIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray("");
        QTest::newRow("cut off") << QByteArray("{\"a\": [1");
        QTest::newRow("text after the end") << QByteArray("{} x");
        QTest::newRow("hidden after a zero byte") << QByteArray("{}\0{}", 5);
        QTest::newRow("not a number") << QByteArray("[NaN]");
        QTest::newRow("infinity") << QByteArray("[-Infinity]");
        QTest::newRow("a number beyond double") << QByteArray("[1e999]");
        QTest::newRow("a leading zero") << QByteArray("[012]");
        QTest::newRow("overlong UTF-8") << QByteArray("[\"\xC0\x80\"]");
        QTest::newRow("half a character") << QByteArray("[\"\xC3\"]");
        QTest::newRow("a lone surrogate") << QByteArray("[\"\\ud800\"]");
        QTest::newRow("a comment") << QByteArray("[1] // one");
        QTest::newRow("a trailing comma") << QByteArray("[1,]");
    }
    void whatIsNoJsonIsRefused() {
        QFETCH(QByteArray, text);
        QVERIFY(contains(jsonRefusal(text.toStdString()), {"config.json, byte "}));
    }

    void membersAreReadByTheirKind() {
        const auto config =
            parseJson(R"({"n": 6, "p": 0.1, "s": "relu", "b": true, "o": {"x": 1}, "l": [1, 2],
                                          "t": ["a", "b"], "none": null})",
                      "config.json");
        QCOMPARE(integerAt(config, "n", ""), std::int64_t{6});
        QCOMPARE(numberAt(config, "p", ""), 0.1);
        QCOMPARE(numberAt(config, "n", ""), 6.0);
        QCOMPARE(stringAt(config, "s", ""), std::string("relu"));
        QCOMPARE(booleanAt(config, "b", ""), true);
        QCOMPARE(objectAt(config, "o", "").size(), std::size_t{1});
        QCOMPARE(integersAt(config, "l", ""), (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(stringsAt(config, "t", ""), (std::vector<std::string>{"a", "b"}));
        QCOMPARE(integerAt(config, "missing", "", 8), std::int64_t{8});
        QCOMPARE(integerAt(config, "none", "", 8), std::int64_t{8});
        QCOMPARE(stringAt(config, "missing", "", "gelu"), std::string("gelu"));
        QCOMPARE(numberAt(config, "missing", "", 1e-5), 1e-5);
        QCOMPARE(booleanAt(config, "missing", "", false), false);
        QCOMPARE(integersAt(config, "missing", "", {3}), (std::vector<std::int64_t>{3}));
    }

    void aMemberOfAnotherKindIsRefusedByItsKey() {
        const auto config =
            parseJson(R"({"n": 6.0, "s": 1, "huge": 18446744073709551615, "l": [1, "x"]})", "");
        const auto refusal = [&](auto read) { return refusalOf([&] { read(); }); };
        QVERIFY(contains(refusal([&] { integerAt(config, "n", "config.json"); }),
                         {"\"n\"", "config.json", "a whole number", "6.0"}));
        QVERIFY(contains(refusal([&] { integerAt(config, "huge", ""); }), {"\"huge\""}));
        QVERIFY(contains(refusal([&] { integerAt(config, "n", "", 3); }), {"\"n\""}));
        QVERIFY(contains(refusal([&] { stringAt(config, "s", ""); }), {"\"s\"", "a text", "1"}));
        QVERIFY(contains(refusal([&] { booleanAt(config, "s", ""); }), {"\"s\"", "true or false"}));
        QVERIFY(contains(refusal([&] { integersAt(config, "l", ""); }), {"\"l\"", "\"x\""}));
        QVERIFY(contains(refusal([&] { stringsAt(config, "l", ""); }), {"\"l\""}));
        QVERIFY(
            contains(refusal([&] { numberAt(config, "l", ""); }), {"\"l\"", "a number", "an array of 2"}));
        QVERIFY(contains(refusal([&] { arrayAt(config, "s", ""); }), {"\"s\"", "an array"}));
        QVERIFY(contains(refusal([&] { objectAt(config, "l", ""); }), {"an array of 2"}));
        QVERIFY(
            contains(refusal([&] { memberAt(config, "gone", "config.json"); }), {"\"gone\"", "no such key"}));
        QVERIFY(contains(refusal([&] { memberAt(config["l"], "x", ""); }), {"an object"}));
    }
};

HEADSCOPE_TEST(LimitedJsonTest)
#include "limited_json_test.moc"
