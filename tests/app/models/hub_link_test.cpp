#include <QTest>

#include "app/models/hub_link.h"
#include "model/trace/refusal.h"
#include "tests/registered_test.h"

using namespace headscope;

/// Links that any web page may have written.
class HubLinkTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aLinkNamesAModelOfTheHub() {
        QCOMPARE(app::modelOfLink("headscope://open_from_hf?model=org/a-model"), std::string("org/a-model"));
    }

    void everythingElseIsRefused_data() {
        QTest::addColumn<QString>("link");
        for (const char* link : {"headscope:",
                                 "headscope://",
                                 "headscope://open_from_hf",
                                 "headscope://open_from_hf?model=",
                                 "headscope://open_from_hf?model=name",
                                 "headscope://open_from_hf?model=../x",
                                 "headscope://open_from_hf?model=%2e%2e/x",
                                 "headscope://open_from_hf?model=org%2Fname",
                                 "headscope://open_from_hf?model=/etc/passwd",
                                 "headscope://open_from_hf?model=/org/name",
                                 "headscope://open_from_hf?model=org/name/../../x",
                                 "headscope://open_from_hf?model=org/name&file=x",
                                 "headscope://open_from_hf?model=org/name#x",
                                 "headscope://open_from_hf?file=x&model=org/name",
                                 "headscope://open_from_hf?model=org/name ",
                                 "headscope://open_from_hf?model=org/name\n",
                                 "headscope://open_from_hf?model=file:///x",
                                 "headscope://open_from_hf?model=--source/x",
                                 "headscope://open_from_hf/x?model=org/name",
                                 "headscope://user@open_from_hf?model=org/name",
                                 "headscope://open_from_hf:80?model=org/name",
                                 "headscope://other?model=org/name",
                                 "headscope:open_from_hf?model=org/name",
                                 "HEADSCOPE://open_from_hf?model=org/name",
                                 "headscope://open_from_hf?MODEL=org/name"})
            QTest::newRow(link) << link;
    }
    void everythingElseIsRefused() {
        QFETCH(const QString, link);
        QVERIFY(app::isHubLink(link.toStdString())); // and so is never taken for a path
        QVERIFY_EXCEPTION_THROWN(app::modelOfLink(link.toStdString()), trace::Refusal);
    }

    void pathsAndNamesAreNoLinks() {
        for (const char* text : {"", "headscope", "org/name", "/home/headscope:/x", "./headscope:x"})
            QVERIFY(!app::isHubLink(text));
    }
};

HEADSCOPE_TEST(HubLinkTest)
#include "hub_link_test.moc"
