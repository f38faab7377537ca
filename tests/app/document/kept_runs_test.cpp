#include <QTest>

#include "app/document/kept_runs.h"
#include "model/analysis/architecture/architecture_memory.h"
#include "tests/registered_test.h"

using namespace headscope;
using app::KeptRuns;

class KeptRunsTest : public QObject {
    Q_OBJECT

    static trace::Request request(int number) { return {.source = std::to_string(number)}; }

    static std::shared_ptr<const trace::Run> run(int number) {
        auto made = std::make_shared<trace::Run>();
        made->request = request(number);
        made->encoder.push_back({.weights = {1, 16, 16}}); // 1 KiB
        return made;
    }

  private Q_SLOTS:
    void aRunIsFoundByItsRequest() {
        KeptRuns kept;
        const auto one = run(1);
        kept.keep(one);
        kept.keep(run(2));
        QCOMPARE(kept.find(request(1)), one);
        QVERIFY(!kept.find(request(3)));
    }

    void theNewestRunOfARequestTakesThePlaceOfTheOlder() {
        KeptRuns kept;
        kept.keep(run(1));
        const auto newer = run(1);
        kept.keep(newer);
        QCOMPARE(kept.find(request(1)), newer);
        QCOMPARE(kept.size(), 1u);
    }

    void theOldestAreLetGoWhereAllTakeTooMuch() {
        QCOMPARE(analysis::runBytes(*run(1)), std::int64_t(1024));
        KeptRuns kept(6 * 1024);
        for (int i = 0; i < 10; ++i)
            kept.keep(run(i));
        QCOMPARE(kept.size(), 6u);
        QVERIFY(!kept.find(request(3)) && kept.find(request(4)));
    }

    void whatIsRecordedBesidesMapsCountsToo() {
        trace::Run run;
        run.encoder.push_back({.outputs = {1, 2, 4}});
        run.encoderResidual = {3, 2, 4};
        run.encoderOutput = {2, 4};
        auto row = std::make_shared<trace::DecodeRow>();
        row->residual = {4, 4};
        run.tree.setRow(run.tree.add({}), row);
        QCOMPARE(analysis::runBytes(run), std::int64_t((8 + 24 + 8 + 16) * sizeof(float)));
    }

    void whatIsComparedIsKeptHoweverLargeItIs() {
        KeptRuns kept(1);
        for (int i = 0; i < 10; ++i)
            kept.keep(run(i));
        QCOMPARE(kept.size(), KeptRuns::fewest);
    }
};

HEADSCOPE_TEST(KeptRunsTest)
#include "kept_runs_test.moc"
