#include <QDirIterator>
#include <QRegularExpression>
#include <QTest>

#include "tests/registered_test.h"

/// Reads every text of the window and every literal of the command line, as they are written in the code, and
/// refuses words that are retired. The manual is held to the same list
/// (app/window/home/learn_window_test.cpp).
class WordsTest : public QObject {
    Q_OBJECT

    static inline const QString source_ = HEADSCOPE_SOURCE;

    static QString contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

    /// Index of the closing quote of the literal that begins at `begin`.
    static qsizetype endOfLiteral(const QString& code, qsizetype begin) {
        const QChar quote = code[begin];
        qsizetype i = begin + 1;
        for (; i < code.size() && code[i] != quote; ++i)
            if (code[i] == '\\')
                ++i;
        return i;
    }

    /// The texts within the parentheses that open before `i`. Literals next to each other are one text.
    static QStringList textsAt(const QString& code, qsizetype i) {
        QStringList texts;
        bool isAdjacent = false;
        for (int depth = 1; i < code.size() && depth > 0; ++i) {
            const QChar c = code[i];
            if (c.isSpace())
                continue;
            if (code.mid(i, 2) == QLatin1String("//")) {
                i = code.indexOf('\n', i);
            } else if (c == '\'' && i > 0 && code[i - 1].isDigit()) { // 1'000
            } else if (c == '"' || c == '\'') {
                const qsizetype end = endOfLiteral(code, i);
                const QString text = code.mid(i + 1, end - i - 1);
                if (c == '"' && isAdjacent)
                    texts.back() += text;
                else if (c == '"')
                    texts += text;
                isAdjacent = c == '"';
                i = end;
            } else {
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
                isAdjacent = false;
            }
        }
        return texts;
    }

    static QStringList textsOf(const QString& code) {
        static const QRegularExpression call(
            "\\b(?:tr|translate|QT_TRANSLATE_NOOP|HEADSCOPE_STATISTIC)\\s*\\(");
        QStringList texts;
        for (auto match = call.globalMatch(code); match.hasNext();)
            texts += textsAt(code, match.next().capturedEnd());
        return texts;
    }

    /// As a person reads it, without options of the command line, whose names stay.
    static QString asRead(QString text) {
        static const QRegularExpression option("--[a-z-]+");
        return text.replace("\\n", "\n").replace("\\\"", "\"").remove(option);
    }

    static QStringList retired() {
        QStringList phrases = contentOf(source_ + "/tests/retired_words.txt").split('\n', Qt::SkipEmptyParts);
        phrases.removeIf([](const QString& phrase) { return phrase.startsWith('#'); });
        return phrases;
    }

  private Q_SLOTS:
    void adjacentLiteralsAreOneText() {
        QCOMPARE(textsOf("x = tr(\"one \" // and\n   \"two\", \"three\").arg(')') + tr(\"a \\\"b\\\"\");"),
                 QStringList({"one two", "three", "a \\\"b\\\""}));
        QCOMPARE(textsOf("QT_TRANSLATE_NOOP(\"Actions\", \"&Quit\")"), QStringList({"Actions", "&Quit"}));
        QCOMPARE(textsOf("str(\"no text\")"), QStringList());
        QCOMPARE(textsAt("f(1'000, \"one\");\nconst char c = 'a'; g(\"two\")", 0),
                 QStringList({"one", "two"}));
        QCOMPARE(asRead("record it with --undisturbed"), QString("record it with "));
    }

    void retiredWordsAreNotInTheProgram() {
        const QStringList phrases = retired();
        QVERIFY(phrases.size() > 10);
        QStringList offences;
        qsizetype count = 0;
        for (const QString top : {"app", "widgets"}) {
            QDirIterator walk(source_ + "/" + top, {"*.h", "*.cpp"}, QDir::Files,
                              QDirIterator::Subdirectories);
            while (walk.hasNext()) {
                const QString path = QDir(source_).relativeFilePath(walk.next());
                const QString code = contentOf(walk.filePath());
                QStringList texts = textsOf(code);
                if (path.startsWith(
                        "app/cli/")) // where a literal without a space is a key of JSON or an option
                    texts = textsAt(code, 0).filter(" ");
                count += texts.size();
                for (const QString& text : texts)
                    for (const QString& phrase : phrases)
                        if (asRead(text).contains(phrase))
                            offences += path + ": \"" + text + "\" has \"" + phrase + '"';
            }
        }
        QVERIFY(count > 2000);
        QVERIFY2(offences.isEmpty(), qPrintable("\n" + offences.join('\n')));
    }
};

HEADSCOPE_TEST(WordsTest)
#include "words_test.moc"
