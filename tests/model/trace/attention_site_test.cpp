#include <QTest>

#include "model/trace/attention_site.h"
#include "tests/registered_test.h"

using namespace headscope::trace;

class AttentionSiteTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void anAddressPrintsAndParsesBack() {
        for (const auto kind : {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf, AttentionKind::Cross})
            for (const int layer : {0, 1, 11})
                for (const int head : {0, 7, 63}) {
                    const HeadAddress address{{kind, layer}, head};
                    const auto parsed = parseHeadAddress(toString(address));
                    QVERIFY(parsed.has_value());
                    QVERIFY(*parsed == address);
                }
        QCOMPARE(toString(HeadAddress{{AttentionKind::Cross, 2}, 5}), std::string("cross.2.5"));
        QCOMPARE(toString(AttentionSite{AttentionKind::DecoderSelf, 0}), std::string("decoder.0"));
    }

    void whatIsNoAddressIsNotGuessed_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"",
                                 ".",
                                 "..",
                                 "cross",
                                 "cross.1",
                                 "cross.1.",
                                 "cross..1",
                                 ".1.2",
                                 "cross.1.2.3",
                                 "cross.-1.2",
                                 "cross.1.-2",
                                 "cross.+1.2",
                                 "cross.1.2 ",
                                 " cross.1.2",
                                 "cross.1.2x",
                                 "cross.1,5.2",
                                 "Cross.1.2",
                                 "encoder-ff.1.2",
                                 "enc.1.2",
                                 "cross.99999999999.0",
                                 "cross.0.2147483648",
                                 "cross.0x1.0"})
            QTest::newRow(*text ? text : "nothing") << QString(text);
    }
    void whatIsNoAddressIsNotGuessed() {
        QFETCH(const QString, text);
        QVERIFY(!parseHeadAddress(text.toStdString()).has_value());
    }

    void sitesAreOrderedByKindThenLayer() {
        const AttentionSite first{AttentionKind::EncoderSelf, 3};
        const AttentionSite second{AttentionKind::Cross, 0};
        QVERIFY(first < second);
        QVERIFY((HeadAddress{first, 2} < HeadAddress{first, 3}));
    }
};

HEADSCOPE_TEST(AttentionSiteTest)
#include "attention_site_test.moc"
