#include "model/files/shard_index.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

using namespace foreign_files;
using namespace headscope::files;

namespace {

std::string shardIndexRefusal(const std::string& text) {
    return refusalOf([&] { parseShardIndex(text, "model.safetensors.index.json"); });
}

} // namespace

class ShardIndexTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyShardListsItsTensors() {
        const auto index = parseShardIndex(
            R"({"metadata": {"total_size": 12}, "weight_map": {"a": "x-1", "b": "x-2", "c": "x-1"}})", "");
        QCOMPARE(index.tensorsOf.size(), std::size_t{2});
        QVERIFY((index.tensorsOf.at("x-1") == std::set<std::string>{"a", "c"}));
        QVERIFY((index.tensorsOf.at("x-2") == std::set<std::string>{"b"}));
    }

    void aShardLiesInTheIndexsOwnFolder_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {R"("../w")", R"("a/b")", R"("/etc/passwd")", R"("..")", R"(".")", R"("")",
                                 R"("a\\b")", R"("a\u0000b")", "3", "null", "[]"})
            QTest::newRow(name) << QByteArray(name);
        QTest::newRow("a long name") << "\"" + QByteArray(256, 'n') + "\"";
    }
    void aShardLiesInTheIndexsOwnFolder() {
        QFETCH(QByteArray, name);
        QVERIFY(
            contains(shardIndexRefusal(R"({"weight_map": {"good": "w", "bad": )" + name.toStdString() + "}}"),
                     {"model.safetensors.index.json", "plain names", "bad in ", "What to do: "}));
    }

    void allBadEntriesAreNamedAtOnce() {
        QVERIFY(contains(shardIndexRefusal(R"({"weight_map": {"a": "../x", "b": 7}})"),
                         {"a in ", "../x", "b in 7"}));
    }

    void anIndexOfNothingIsRefused() {
        QVERIFY(contains(shardIndexRefusal(R"({"weight_map": {}})"), {"1 to 100000 tensors", "Found: 0"}));
        for (const char* text : {R"({"metadata": {}})", R"({"weight_map": []})", "[]", "3"})
            QVERIFY(contains(shardIndexRefusal(text), {"an object \"weight_map\""}));
    }

    void brokenJsonIsRefusedWithItsPlace() {
        QVERIFY(
            contains(shardIndexRefusal(R"({"weight_map": {"a": "x", "a": "y"}})"), {"index.json", "byte"}));
        QVERIFY(contains(shardIndexRefusal(R"({"weight_map": )"), {"index.json", "byte"}));
        QVERIFY(contains(shardIndexRefusal(R"({"a":[[[[[[[[1]]]]]]]]})"), {"index.json"}));
    }
};

HEADSCOPE_TEST(ShardIndexTest)
#include "shard_index_test.moc"
