#include <QTest>

#include "model/trace/task.h"
#include "tests/registered_test.h"

#include <vector>

using namespace headscope::trace;

class TaskTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void partsTellSharesOfTheWhole() {
        std::vector<double> told;
        const Task work({}, [&](double share) { told.push_back(share); });
        work.between(0, 0.5).part(1, 2).report(0.5);
        work.between(0.5, 1).report(1, 4);
        work.report(1);
        QCOMPARE(told, (std::vector<double>{0.375, 0.625, 1}));
    }

    void whatIsStoppedThrowsInEveryPart() {
        std::stop_source source;
        std::vector<double> told;
        const Task work(source.get_token(), [&](double share) { told.push_back(share); });
        const auto part = work.part(2, 3);
        part.report(0);
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(work.report(0.5), Cancelled);
        QVERIFY_EXCEPTION_THROWN(part.report(0.5), Cancelled);
        QCOMPARE(told.size(), std::size_t(1));
    }

    void aStopTokenAloneHearsNothing() {
        const Task work = std::stop_token();
        work.part(1, 2).report(0.5);
        QVERIFY(!work.stop().stop_possible());
    }
};

HEADSCOPE_TEST(TaskTest)
#include "task_test.moc"
