#include <QTest>

#include "app/models/choose_kernels.h"
#include "model/trace/kernels.h"
#include "tests/registered_test.h"

using namespace headscope;
using app::chooseKernels;

class ChooseKernelsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatAPersonSetStays() {
        qunsetenv("HEADSCOPE_KERNELS");
        qputenv("OPENBLAS_CORETYPE", "ZEN");
        qputenv("OPENBLAS_NUM_THREADS", "7");
        chooseKernels();
        QCOMPARE(qgetenv("OPENBLAS_CORETYPE"), QByteArray("ZEN"));
        QCOMPARE(qgetenv("OPENBLAS_NUM_THREADS"), QByteArray("7"));
    }

    void theVariableWinsOverWhatAPersonSet() {
        const char* const kernels = trace::nameOf(trace::kernelsInUse());
        qputenv("HEADSCOPE_KERNELS", kernels);
        qputenv("ATEN_CPU_CAPABILITY", "other");
        chooseKernels();
        QCOMPARE(qgetenv("ATEN_CPU_CAPABILITY"), QByteArray(kernels));
        QVERIFY(qgetenv("OPENBLAS_CORETYPE") != "ZEN");
    }

    void thereIsOneThread() {
        qunsetenv("OPENBLAS_NUM_THREADS");
        chooseKernels();
        QCOMPARE(qgetenv("OPENBLAS_NUM_THREADS"), QByteArray("1"));
    }
};

HEADSCOPE_TEST(ChooseKernelsTest)
#include "choose_kernels_test.moc"
