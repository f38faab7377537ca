#include <QApplication>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QTest>
#include <QTextDocument>

#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/plain_text.h"

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

    void widthsOfManyAreThoseOfEachInEveryStyle() {
        const std::vector<TokenLabel> labels{labelOf("▁Haus"), labelOf("Haus"), labelOf("▁Haus"),
                                             labelOf("▁"), labelOf("a")};
        QFont large;
        large.setPointSize(30);
        for (const QFont& font : {QFont(), large, QFont()})
            for (const bool marks : {true, false}) {
                const TokenLabelStyle style{.font = font, .spaceMarks = marks};
                const auto widths = style.widths(labels);
                QCOMPARE(widths.size(), labels.size());
                for (std::size_t i = 0; i < labels.size(); ++i)
                    QCOMPARE(widths[i], style.width(labels[i]));
            }
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

    void aCombiningMarkStandsOnADottedCircle() {
        QCOMPARE(labelOf("\u0301").text, QString::fromUtf8("\u25CC\u0301"));
        QCOMPARE(labelOf("▁\u0301n").text, QString::fromUtf8("\u25CC\u0301n"));
        QCOMPARE(labelOf("\u093Fन").text, QString::fromUtf8("\u25CC\u093Fन"));
        QCOMPARE(labelOf("e\u0301").text, QString::fromUtf8("e\u0301"));
        QCOMPARE(labelOf("\uFE0F").text, "[U+FE0F]");
        QCOMPARE(labelOf("\u2764\uFE0F").text, QString::fromUtf8("\u2764\uFE0F"));
    }

    void privateCharactersAreNamedAndFlagsStayWhole() {
        QCOMPARE(labelOf("\uE000").text, "[U+E000]");
        const std::string flag = "\U0001F3F4\U000E0067\U000E0062\U000E007F";
        QCOMPARE(labelOf(flag).text, QString::fromStdString(flag));
    }

    void aByteShowsItsDigitsAndKnowsTheCharacterItIsPartOf() {
        const auto labels = tokenLabels(example::tokens(
            {"a", "<0xE2>", "<0x82>", "<0xAC>", "<0x41>", "<0xE2>", "<0x82>", "b", "<0x0A>"}, 1));
        QCOMPARE(labels[0].byte, false);
        for (const int i : {1, 2, 3})
            QCOMPARE(labels[static_cast<std::size_t>(i)].character, QString("€"));
        QCOMPARE(labels[1].text, "E2");
        QCOMPARE(labels[1].full(), "0xE2");
        QCOMPARE(labels[4].character, "A");
        QCOMPARE(labels[5].character, QString()); // the third byte is missing
        QCOMPARE(labels[8].character, QString(QChar(0x240A)));
        QCOMPARE(quoted(labels[2]), isolated("byte 82 of “€”"));
        QCOMPARE(quoted(labels[6]), isolated("byte 82"));
    }

    void oneByteIsNamedAsAllAreNamed() {
        const auto tokens = example::tokens(
            {"x", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>", "<0xC3>", "<0xC3>", "<0xA9>", "<0x80>", "y"}, 1);
        const auto all = tokenLabels(tokens);
        for (std::size_t i = 0; i < tokens.size(); ++i)
            QCOMPARE(tokenLabel(tokens, i), all[i]);
        QCOMPARE(all[4].character, QString("😀"));
    }

    void whatOnlyLooksLikeAByteIsText() {
        for (const char* piece : {"<0xE2", "0xE2", "<0xG1>", "<0xE22>", "▁<0xE2>", "<0x-1>"})
            QVERIFY(!labelOf(piece).byte);
        QVERIFY(!labelOf("<0xE2>", TokenRole::End).byte);
    }

    void invalidBytesBecomeReplacementCharacters() {
        QCOMPARE(labelOf("\xff\xfe").text, QString(2, QChar::ReplacementCharacter));
    }

    void aSlantedFaceWithoutTheLettersIsNotTaken() {
        const QString arabic = QString::fromUtf8("\u0645\u0631\u062d\u0628\u0627");
        QFont slanted = QApplication::font();
        slanted.setItalic(true);
        if (QFontMetricsF(slanted).inFontUcs4(0x645) ||
            !QFontMetricsF(QApplication::font()).inFontUcs4(0x645))
            QSKIP("the fonts that are there have all letters, or none, in both faces");
        const TokenLabelStyle style{.font = QApplication::font()};
        const auto drawn = [&](bool special) {
            QImage image(80, 24, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            style.draw(painter, QRectF(0, 0, 80, 24), Qt::AlignLeft, {.text = arabic, .special = special},
                       TokenInk{.text = Qt::black, .special = Qt::black, .mark = Qt::lightGray});
            return image;
        };
        QCOMPARE(drawn(true), drawn(false));
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

    void theSpaceMarkStandsWhereTheWordBegins() {
        const auto inkAt = [](const std::string& piece, int left, int right) {
            QImage image(120, 40, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            const TokenLabelStyle style;
            const TokenLabel label = labelOf(piece);
            style.draw(painter, QRectF(20, 10, style.width(label), 20), Qt::AlignLeft, label,
                       TokenInk{.text = Qt::white, .special = Qt::white, .mark = Qt::black});
            painter.end();
            const int width = static_cast<int>(style.width(label));
            for (int y = 0; y < 40; ++y)
                for (int x = 20 + width * left / 2; x < 20 + width * right / 2; ++x)
                    if (image.pixel(x, y) != qRgb(255, 255, 255))
                        return true;
            return false;
        };
        QVERIFY(inkAt("▁Haus", 0, 1) && !inkAt("▁Haus", 1, 2));
        QVERIFY(!inkAt("▁שלום", 0, 1) && inkAt("▁שלום", 1, 2));
    }
};

HEADSCOPE_WATCHED_TEST(TokenLabelTest)
#include "token_label_test.moc"
