#include "model/files/csv.h"
#include "tests/registered_test.h"

#include <QTest>

#include <cmath>
#include <cstdlib>

using namespace headscope;
using namespace headscope::files;

class CsvTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void textsAreQuotedWhereTheyMustBe() {
        QCOMPARE(csvField("plain"), std::string("plain"));
        QCOMPARE(csvField("a,b"), std::string("\"a,b\""));
        QCOMPARE(csvField("say \"so\""), std::string("\"say \"\"so\"\"\""));
        QCOMPARE(csvField("two\nlines"), std::string("\"two\nlines\""));
        QCOMPARE(csvField(" space"), std::string("\" space\""));
        QCOMPARE(csvField(""), std::string());
    }

    void noTextIsTakenForAFormula() {
        for (const std::string start : {"=", "+", "-", "@", "\t", "\r", "\n"})
            QVERIFY(csvField(start + "1+1").find('\'') != std::string::npos);
        QCOMPARE(csvField("=SUM(A1:A9)"), std::string("'=SUM(A1:A9)"));
        QCOMPARE(csvField("=HYPERLINK(\"x\",\"y\")"), std::string("\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""));
        QCOMPARE(csvField("a=b"), std::string("a=b"));
    }

    void numbersAreReadBackAsTheSameInAnyLanguage() {
        for (const double number : {0.1, -1e-300, 1.0 / 3, 123456789.125, -0.0, 5e-324})
            QCOMPARE(std::strtod(csvField(number).c_str(), nullptr), number);
        QCOMPARE(csvField(-1.5), std::string("-1.5"));
        QCOMPARE(csvField(std::nan("")), std::string());
    }

    void aMapHasItsTokensOnBothSides() {
        const trace::DataArray map{.name = "weights",
                                   .axes = {{"query", {"a", "b"}}, {"key", {"x", "=y"}}},
                                   .shape = {2, 2},
                                   .values = {0.25, 0.75, 1, std::nan("")}};
        QCOMPARE(csvText(map), std::string("query/key,x,'=y\r\na,0.25,0.75\r\nb,1,\r\n"));
    }

    void anArrayOfMoreSidesHasAValueALine() {
        const trace::DataArray heads{.name = "weights",
                                     .axes = {{"head", {}}, {"query", {"a"}}, {"key", {"x", "y"}}},
                                     .shape = {2, 1, 2},
                                     .values = {1, 2, 3, 4}};
        QCOMPARE(csvText(heads), std::string("head,query,key,weights\r\n0,a,x,1\r\n0,a,y,2\r\n1,a,x,3\r\n"
                                             "1,a,y,4\r\n"));
    }

    void aTableHasItsTitles() {
        const trace::DataTable table{.name = "t",
                                     .columns = {{"head", std::vector<std::string>{"cross.0.1", "-"}},
                                                 {"value", std::vector<double>{-2, 0.5}}}};
        QCOMPARE(csvText(table), std::string("head,value\r\ncross.0.1,-2\r\n'-,0.5\r\n"));
    }
};

HEADSCOPE_TEST(CsvTest)
#include "csv_test.moc"
