#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "tests/watched_test.h"
#include "widgets/controls/sentence_edit.h"

using namespace headscope::widgets;

class SentenceEditTest : public QObject {
    Q_OBJECT

    static QLabel* notice(const SentenceEdit& edit) { return edit.findChild<QLabel*>(); }

  private Q_SLOTS:
    void enterSubmits() {
        SentenceEdit edit;
        const QSignalSpy submitted(&edit, &SentenceEdit::submitted);
        QTest::keyClicks(edit.lineEdit(), "The old man");
        QCOMPARE(submitted.size(), 0);
        QTest::keyClick(edit.lineEdit(), Qt::Key_Return);
        QCOMPARE(submitted.size(), 1);
        QCOMPARE(submitted.front().front().toString(), "The old man");
    }

    void anEmptyLineIsNotSubmitted() {
        SentenceEdit edit;
        const QSignalSpy submitted(&edit, &SentenceEdit::submitted);
        edit.setText("  \n ");
        QTest::keyClick(edit.lineEdit(), Qt::Key_Return);
        QCOMPARE(submitted.size(), 0);
    }

    void lineBreaksThatArePastedBecomeSpaces() {
        SentenceEdit edit;
        QGuiApplication::clipboard()->setText("one\r\ntwo\tthree\u2029four");
        edit.lineEdit()->paste();
        QCOMPARE(edit.text(), "one two three four");
        edit.setText("five\n\nsix");
        QCOMPARE(edit.text(), "five six");
    }

    void aMillionCharactersAreCutWithAWord() {
        SentenceEdit edit;
        edit.setText(QString(1000000, 'a'));
        QCOMPARE(edit.text().size(), qsizetype(SentenceEdit::longestSentence));
        QVERIFY(notice(edit)->text().contains("first 25,000 characters are kept"));
        QVERIFY(notice(edit)->text().contains("command line"));
        edit.setText("short");
        QVERIFY(notice(edit)->text().isEmpty());
        QGuiApplication::clipboard()->setText(QString(1000000, 'b'));
        edit.lineEdit()->clear();
        edit.lineEdit()->paste();
        QCOMPARE(edit.text().size(), qsizetype(SentenceEdit::longestSentence));
        QVERIFY(notice(edit)->text().contains("characters are kept"));
    }

    void samplesAndHistoryCanBeChosen() {
        SentenceEdit edit;
        const auto* button = edit.findChild<QToolButton*>();
        QVERIFY(!button->isEnabled());
        QVERIFY(!button->toolTip().isEmpty());
        edit.setSamples({"Rock & roll."}, {"Noun"});
        edit.setHistory({"A red book."});
        QVERIFY(button->isEnabled());
        const QSignalSpy submitted(&edit, &SentenceEdit::submitted);
        QStringList shown;
        for (QAction* action : edit.findChild<QMenu*>()->actions())
            if (!action->isSeparator()) {
                shown += action->text();
                action->trigger();
            }
        QCOMPARE(shown, (QStringList{"Noun: Rock && roll.", "A red book."}));
        QCOMPARE(submitted.size(), 2);
        QCOMPARE(submitted.front().front().toString(), "Rock & roll.");
        QCOMPARE(edit.text(), "A red book.");
    }

    void settingATextSubmitsNothing() {
        SentenceEdit edit;
        const QSignalSpy submitted(&edit, &SentenceEdit::submitted);
        edit.setText("The old man");
        QCOMPARE(submitted.size(), 0);
        QVERIFY(!edit.lineEdit()->accessibleName().isEmpty());
    }
};

HEADSCOPE_WATCHED_TEST(SentenceEditTest)
#include "sentence_edit_test.moc"
