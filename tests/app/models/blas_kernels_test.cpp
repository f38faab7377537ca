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
        chooseBlasKernels(2);
        QCOMPARE(qgetenv("OPENBLAS_CORETYPE"), QByteArray("ZEN"));
        QCOMPARE(qgetenv("OPENBLAS_NUM_THREADS"), QByteArray("7"));
    }

    void aThreadIsTheLeast() {
        for (const auto& [threads, chosen] : {std::pair(3, "3"), std::pair(1, "1"), std::pair(0, "1")}) {
            qunsetenv("OPENBLAS_NUM_THREADS");
            chooseBlasKernels(threads);
            QCOMPARE(qgetenv("OPENBLAS_NUM_THREADS"), QByteArray(chosen));
        }
    }
};

HEADSCOPE_TEST(BlasKernelsTest)
#include "blas_kernels_test.moc"
