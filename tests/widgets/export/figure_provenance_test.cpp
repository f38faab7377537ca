#include <QTest>

#include "tests/watched_test.h"
#include "widgets/drawing/token_label.h"
#include "widgets/export/figure_provenance.h"

using namespace headscope::widgets;

class FigureProvenanceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    /// Which are for a screen; what a token or a person has of them stays.
    void isolatingMarksAreNotExported() {
        const QString own = QString("a%1b%2c").arg(QChar(0x200F), QChar(0x2069));
        const FigureText text{.title = isolated("t"),
                              .caption = isolated(own.left(3)) + " | " + isolated(isolated("d")) + own,
                              .provenance = own};
        const QString plain = own.left(3) + " | d" + own;
        const auto metadata = figureMetadata(text, {});
        QCOMPARE(metadata.value(0).second, QString("t"));
        QCOMPARE(metadata.value(1).second, plain);
        QCOMPARE(metadata.value(2).second, own);
        const FigureBytes figure = figureBytes(
            {.format = FigureFormat::Svg, .size = {200, 100}}, [](QPainter&, QSize) {}, text);
        QVERIFY(figure.bytes.contains("<title>t</title>"));
        QVERIFY(!figure.bytes.contains(QString(QChar(0x2068)).toUtf8()));
    }

    void theLineBelowSaysInShortWhereAPictureComesFrom() {
        const QString hash = "sha256:" + QString(64, 'a');
        const FigureFacts facts{.weights = hash, .software = "Headscope 1.0"};
        QCOMPARE(
            provenanceLine({.provenance = "m; one\n two", .head = "cross.2.7", .quantity = "weights"}, facts),
            "m; one two; cross.2.7; quantity: weights; file: " + hash + "; Headscope 1.0");
        const QString sentence = QString("The old man gave his daughter a red book. ").repeated(90);
        const QString line = provenanceLine({.provenance = "m; " + sentence}, facts);
        QVERIFY(line.startsWith("m; The old man"));
        QVERIFY2(line.contains(QString("... (%1 characters); ").arg(sentence.size())), qPrintable(line));
        QVERIFY(line.size() < 350);
        QCOMPARE(figureMetadata({.provenance = "m; " + sentence}, facts).value(0).second, "m; " + sentence);
        // A pair of halves is cut nowhere.
        const QString emoji = QString::fromUtf8("\U0001F600").repeated(300);
        QVERIFY(provenanceLine({.provenance = "m;" + emoji}, {}).isValidUtf16());
    }
};

HEADSCOPE_WATCHED_TEST(FigureProvenanceTest)
#include "figure_provenance_test.moc"
