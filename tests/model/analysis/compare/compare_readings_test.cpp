#include <QTest>

#include "model/analysis/compare/compare_readings.h"
#include "tests/registered_test.h"
#include "tests/widgets/example_run.h"

using namespace headscope;

class CompareReadingsTest : public QObject {
    Q_OBJECT

    static std::shared_ptr<trace::Run> runWithChosen(double logProbability) {
        auto run = example::run();
        for (auto node : run->path)
            run->tree.setLogProbability(node, logProbability, 0);
        return run;
    }

  private Q_SLOTS:
    void everyTokenIsReadTwice() {
        const auto run = runWithChosen(-0.5);
        const auto found = analysis::compareReadings(*run, *runWithChosen(-9));
        QCOMPARE(found.size(), run->path.size() - 1);
        for (std::size_t t = 0; t < found.size(); ++t) {
            QCOMPARE(found[t].token, run->tree.node(run->path[t + 1]).token);
            QCOMPARE(found[t].first, -0.5);
            QCOMPARE(found[t].second, -9.0);
        }
        const auto mean = analysis::meanReading(found);
        QCOMPARE(mean.first, -0.5);
        QCOMPARE(mean.second, -9.0);
        QCOMPARE(analysis::meanReading({}).first, 0.0);
    }

    void whatPartsIsNotComparedAnyMore() {
        const auto run = runWithChosen(-0.5);
        auto reading = std::make_shared<trace::Run>(*run);
        reading->path.resize(4);
        QCOMPARE(analysis::compareReadings(*run, *reading).size(), 3u);
        const auto other = reading->tree.add({.parent = reading->path[1], .token = example::token(77, "x")});
        reading->path = {reading->path[0], reading->path[1], other};
        QCOMPARE(analysis::compareReadings(*run, *reading).size(), 1u);
    }

    void classesAreComparedOneByOne() {
        trace::Run run, reading;
        run.classLogProbabilities = {-0.1F, -2.5F};
        reading.classLogProbabilities = {-0.7F, -0.75F};
        const auto found = analysis::compareReadings(run, reading);
        QCOMPARE(found.size(), 2u);
        QCOMPARE(found[1].token.piece, std::string("#1"));
        QCOMPARE(found[1].first, -2.5);
        QCOMPARE(found[1].second, -0.75);
    }
};

HEADSCOPE_TEST(CompareReadingsTest)
#include "compare_readings_test.moc"
