#include <QTest>

#include "app/models/blas_kernels.h"
#include "tests/registered_test.h"

using headscope::app::chooseBlasKernels;

class BlasKernelsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatAPersonSetStays() {
        qputenv("OPENBLAS_CORETYPE", "ZEN");
        qputenv("OPENBLAS_NUM_THREADS", "7");
        chooseBlasKernels();
        QCOMPARE(qgetenv("OPENBLAS_CORETYPE"), QByteArray("ZEN"));
        QCOMPARE(qgetenv("OPENBLAS_NUM_THREADS"), QByteArray("7"));
    }

    void thereIsOneThread() {
        qunsetenv("OPENBLAS_NUM_THREADS");
        chooseBlasKernels();
        QCOMPARE(qgetenv("OPENBLAS_NUM_THREADS"), QByteArray("1"));
    }
};

HEADSCOPE_TEST(BlasKernelsTest)
#include "blas_kernels_test.moc"
