#include <QTest>

#include "model/trace/long_work.h"
#include "tests/registered_test.h"

#include <vector>

using namespace headscope::trace;

class LongWorkTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void partsTellSharesOfTheWhole() {
        std::vector<double> told;
        const LongWork work({}, [&](double share) { told.push_back(share); });
        work.between(0, 0.5).part(1, 2).goesOn(0.5);
        work.between(0.5, 1).goesOn(1, 4);
        work.goesOn(1);
        QCOMPARE(told, (std::vector<double>{0.375, 0.625, 1}));
    }

    void whatIsStoppedThrowsInEveryPart() {
        std::stop_source source;
        std::vector<double> told;
        const LongWork work(source.get_token(), [&](double share) { told.push_back(share); });
        const auto part = work.part(2, 3);
        part.goesOn(0);
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(work.goesOn(0.5), Cancelled);
        QVERIFY_EXCEPTION_THROWN(part.goesOn(0.5), Cancelled);
        QCOMPARE(told.size(), std::size_t(1));
    }

    void aStopTokenAloneHearsNothing() {
        const LongWork work = std::stop_token();
        work.part(1, 2).goesOn(0.5);
        QVERIFY(!work.stop().stop_possible());
    }
};

HEADSCOPE_TEST(LongWorkTest)
#include "long_work_test.moc"
