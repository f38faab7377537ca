#include <QImage>
#include <QPainter>
#include <QTest>
#include <QTextDocument>

#include "tests/widgets/example_run.h"
#include "widgets/plain_text.h"
#include "widgets/theme.h"
#include "widgets/token_label.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::TokenRole;

class TokenLabelTest : public QObject {
    Q_OBJECT

    static TokenLabel labelOf(const std::string& piece, TokenRole role = TokenRole::Text) {
        return tokenLabel(example::token(1, piece, role));
    }

  private Q_SLOTS:
    void theSpaceMarkStandsApartFromTheText() {
        QCOMPARE(labelOf("▁Haus"), (TokenLabel{QString(QChar(0x2581)), "Haus", false}));
        QCOMPARE(labelOf("Haus").mark, QString());
        QCOMPARE(labelOf("▁").full(), QString(QChar(0x2581)));
    }

    void anEmptyPieceIsVisible() { QCOMPARE(labelOf("").full(), QString(QChar(0x2205))); }

    void controlCharactersAreVisible() {
        QCOMPARE(labelOf("\n").text, QString(QChar(0x240A)));
        QCOMPARE(labelOf("a\tb").text, QString("a") + QChar(0x2409) + "b");
        QCOMPARE(labelOf(std::string("\0", 1)).text, QString(QChar(0x2400)));
        QCOMPARE(labelOf("\x7f").text, QString(QChar(0x2421)));
        QCOMPARE(labelOf(" ").text, QString(QChar(0x2423)));
    }

    void directionChangingCharactersAreNamedInsteadOfObeyed() {
        QCOMPARE(labelOf("\u202Eabc").text, "[U+202E]abc");
        QCOMPARE(labelOf("\u2066").text, "[U+2066]");
        QCOMPARE(labelOf("\u200B").text, "[U+200B]");
    }

    void joinersWithinAPieceShapeItAsTheyShould() {
        const std::string family = "\U0001F468\u200D\U0001F469";
        QCOMPARE(labelOf(family).text, QString::fromStdString(family));
        QCOMPARE(labelOf("\u200D").text, "[U+200D]");
    }

    void invalidBytesBecomeReplacementCharacters() {
        QCOMPARE(labelOf("\xff\xfe").text, QString(2, QChar::ReplacementCharacter));
    }

    void specialTokensAreToldApart() {
        for (const auto role : {TokenRole::Start, TokenRole::End, TokenRole::Padding, TokenRole::Unknown})
            QVERIFY(labelOf("x", role).special);
        QVERIFY(!labelOf("x").special);
    }

    void aMegabyteOfPieceIsCut() { QVERIFY(labelOf(std::string(1000000, 'a')).text.size() < 1000); }

    void markupStaysPlainTextInTooltips() {
        QCOMPARE(plainToolTip("<b>&"), "<p style='white-space:pre-wrap'>&lt;b&gt;&amp;</p>");
        QVERIFY(Qt::mightBeRichText(plainToolTip("<b>")));
        QCOMPARE(plainToolTip(QString()), QString());
    }

    void aHiddenSpaceMarkTakesNoRoom() {
        const TokenLabelStyle shown{.spaceMarks = true};
        const TokenLabelStyle hidden{.spaceMarks = false};
        QVERIFY(hidden.width(labelOf("▁Haus")) < shown.width(labelOf("▁Haus")));
        QCOMPARE(hidden.width(labelOf("▁Haus")), hidden.width(labelOf("Haus")));
        QCOMPARE(hidden.width(labelOf("▁")), shown.width(labelOf("▁")));
    }

    void inSentencesPiecesAreQuotedWithoutTheirMark() {
        const auto plain = [](QString text) { return text.mid(1, text.size() - 2); };
        QCOMPARE(plain(quoted(labelOf("▁Haus"))), "“Haus”");
        QCOMPARE(plain(quoted(labelOf("es"))), "“es”");
        QCOMPARE(plain(quoted(labelOf("▁"))), "“␣”");
        QCOMPARE(quoted(labelOf("x")), isolated("“x”"));
        QCOMPARE(exactly(labelOf("▁Haus")), isolated("“Haus”") + " after a space");
        QCOMPARE(exactly(labelOf("es")), isolated("“es”"));
        QCOMPARE(exactly(labelOf("▁")), isolated("“␣”"));
    }

    void theSpaceMarkIsFainterThanTheTextUnlessItStandsAlone() {
        const auto darkest = [](const std::string& piece) {
            QImage image(40, 40, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            TokenLabelStyle().draw(painter, QRectF(10, 10, 30, 20), Qt::AlignLeft, labelOf(piece),
                                   TokenInk{.text = Qt::black, .special = Qt::black, .mark = Qt::lightGray});
            painter.end();
            int least = 255;
            for (int y = 0; y < 40; ++y)
                for (int x = 0; x < 13; ++x)
                    least = std::min(least, qGray(image.pixel(x, y)));
            return least;
        };
        QVERIFY(darkest("▁l") >= qGray(QColor(Qt::lightGray).rgb()));
        QVERIFY(darkest("▁l") < 255);
        QVERIFY(darkest("▁") < 100);
    }

    void aLabelIsElidedWithinItsArea() {
        const TokenLabelStyle style;
        const TokenLabel label = labelOf("▁Donaudampfschifffahrtsgesellschaft");
        QVERIFY(style.isElided(label, 60));
        QVERIFY(!style.isElided(label, style.width(label)));
        QImage image(200, 40, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        style.draw(painter, QRectF(20, 10, 60, 20), Qt::AlignRight, label,
                   TokenInk::onBackground(lightTheme()));
        painter.end();
        for (int y = 0; y < 40; ++y)
            for (int x = 84; x < 200; ++x)
                QCOMPARE(image.pixel(x, y), qRgb(255, 255, 255));
    }
};

QTEST_MAIN(TokenLabelTest)
#include "token_label_test.moc"
