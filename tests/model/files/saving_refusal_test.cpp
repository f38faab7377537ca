#include <QTest>

#include "model/files/saving_refusal.h"
#include "tests/registered_test.h"

using namespace headscope;

class SavingRefusalTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void eachFailureHasAWayOutOfItsOwn_data() {
        QTest::addColumn<int>("error");
        QTest::addColumn<QString>("expected");
        QTest::addColumn<QString>("wayOut");
        QTest::newRow("full disk") << ENOSPC << "room on the disk"
                                   << "Free some space";
        QTest::newRow("quota") << EDQUOT << "room on the disk"
                               << "Free some space";
        QTest::newRow("no folder") << ENOENT << "a folder that is there: /a"
                                   << "Make the folder";
        QTest::newRow("a folder") << EISDIR << "the name of a file"
                                  << "a file in it";
        QTest::newRow("no permission") << EACCES << "may be written to: /a"
                                       << "permissions";
        QTest::newRow("read-only") << EROFS << "a disk that may be written to"
                                   << "another disk";
        QTest::newRow("long name") << ENAMETOOLONG << "a name"
                                   << "shorter";
        QTest::newRow("anything else") << EIO << "a disk"
                                       << "Try again";
    }

    void eachFailureHasAWayOutOfItsOwn() {
        QFETCH(int, error);
        QFETCH(QString, expected);
        QFETCH(QString, wayOut);
        const auto text = files::savingRefusal("It could not be saved", "/a/no-such-file", error).text();
        QCOMPARE(text.what, std::string("It could not be saved"));
        QCOMPARE(text.where, std::string("/a/no-such-file"));
        QVERIFY2(QString::fromStdString(text.expected).contains(expected), text.expected.c_str());
        QVERIFY(!text.found.empty());
        QVERIFY2(QString::fromStdString(text.wayOut).contains(wayOut), text.wayOut.c_str());
    }

    void aFileWithoutAFolderIsInTheCurrentOne() {
        const auto text = files::savingRefusal("It could not be saved", "file", ENOENT).text();
        QCOMPARE(text.expected, std::string("a folder that is there: the current one"));
    }
};

HEADSCOPE_TEST(SavingRefusalTest)
#include "saving_refusal_test.moc"
