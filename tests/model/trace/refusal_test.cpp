#include <QTest>

#include "model/trace/refusal.h"
#include "tests/registered_test.h"

using namespace headscope::trace;

class RefusalTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theParagraphHasEveryPart() {
        const Refusal refusal({.what = "The bridge is closed",
                               .where = "the river",
                               .expected = "a bridge",
                               .found = "water",
                               .wayOut = "swim",
                               .details = "depth 3"});
        QCOMPARE(std::string(refusal.what()), std::string("The bridge is closed.\n"
                                                          "  Where: the river\n"
                                                          "  Expected: a bridge\n"
                                                          "  Found: water\n"
                                                          "  What to do: swim"));
        QCOMPARE(refusal.text().details, std::string("depth 3"));
    }

    void emptyPartsAreLeftOut() {
        QCOMPARE(paragraph({.what = "No"}), std::string("No."));
        QCOMPARE(paragraph({.what = "No", .found = "two"}), std::string("No.\n  Found: two"));
    }
};

HEADSCOPE_TEST(RefusalTest)
#include "refusal_test.moc"
