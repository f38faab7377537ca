#include <QTest>

#include "tests/registered_test.h"
#include "tests/widgets/example_masks.h"
#include "widgets/words/put_in.h"

using namespace headscope;
using namespace headscope::widgets;

class PutInTest : public QObject {
    Q_OBJECT

    static trace::Run read(const std::string& text, const std::string& before) {
        trace::Run run;
        run.request.source = text;
        run.source = {{.id = 1, .piece = before, .range = trace::ByteRange{0, 3}},
                      {.id = 2, .piece = "[MASK]", .range = trace::ByteRange{4, 10}}};
        return run;
    }
    static std::string put(const trace::Run& run, const std::string& piece) {
        const auto made = putIn(run, 1, {.id = 7, .piece = piece});
        return made ? made->text : "nothing";
    }

  private Q_SLOTS:
    void aWordIsWrittenAfterASpaceAndAContinuationBesideTheWord() {
        const std::string marked = std::string(trace::spaceMark) + "the";
        QCOMPARE(put(read("the [MASK] sat", marked), std::string(trace::spaceMark) + "cat"),
                 std::string("the cat sat"));
        QCOMPARE(put(read("the [MASK] sat", marked), "ory"), std::string("theory sat"));
        QCOMPARE(put(read("the [MASK] sat", "the"), "cat"), std::string("the cat sat"));
        QCOMPARE(put(read("the [MASK] sat", "the"), "##ory"), std::string("theory sat"));
    }

    void aMaskThatHoldsItsSpaceGivesItBack() {
        auto run = read("the<mask>", std::string(trace::spaceMark) + "the");
        run.source[1].range = trace::ByteRange{3, 9};
        QCOMPARE(put(run, std::string(trace::spaceMark) + "cat"), std::string("the cat"));
    }

    void theSecondTextOfAPairIsChangedAlone() {
        auto run = read("the cat", "the");
        run.request.second = "he [MASK]";
        run.source[1].range = trace::ByteRange{3, 9};
        run.secondText = trace::TokenIndex(1);
        const auto made = putIn(run, 1, {.id = 7, .piece = "sat"});
        QVERIFY(made);
        QCOMPARE(made->text, std::string("the cat"));
        QCOMPARE(made->second, std::optional<std::string>("he sat"));
        QCOMPARE(made->whole(false), QString("he [MASK]"));
        QCOMPARE(made->whole(true), QString("he sat"));
    }

    void idsAreReplacedByIds() {
        trace::Run run;
        run.request.source = trace::SourceIds{.ids = {5, 4, 6}, .segments = {}};
        run.source = {{.id = 5}, {.id = 4}, {.id = 6}};
        QCOMPARE(put(run, "x"), std::string("5 7 6"));
    }

    void aTokenThatIsNotOfTheTextIsNotReplaced() {
        auto run = read("the [MASK]", "the");
        run.source[1].range.reset();
        QVERIFY(!putIn(run, 1, {.id = 7, .piece = "cat"}));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, PutInTest)
#include "put_in_test.moc"
