#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_search.h"
#include "tests/widgets/shown_view.h"
#include "widgets/controls/run_to_editor.h"
#include "widgets/export/figure_export.h"
#include "widgets/views/reference/reference_view.h"

#include <cmath>

using namespace headscope;
using widgets::ReferenceView;

class ReferenceViewTest : public QObject {
    Q_OBJECT

    ReferenceView view_;

  private Q_SLOTS:
    void itSaysHowProbableTheTranslationIsAndWhereTheModelAgrees() {
        const auto run = example::branchedRun();
        view_.setScores(analysis::tokenScores(run->tree, run->paths.back().leaf));
        QVERIFY(view_.findChild<QLabel*>()->text().contains("model agrees on 2 of 4"));
        QVERIFY(view_.summary().contains("2 of 4"));
    }

    /// A trace written by another program may lack scores.
    void whatIsNotRecordedIsNoNumber() {
        auto scores =
            analysis::tokenScores(example::branchedRun()->tree, example::branchedRun()->paths.back().leaf);
        scores[1].rank.reset();
        view_.setScores(scores);
        QVERIFY(
            std::isnan(std::get<std::vector<double>>(view_.figureData().tables.at(0).columns[3].values)[1]));
        QVERIFY2(view_.summary().contains("of 3.") &&
                     view_.summary().contains("ranks of the other tokens are not recorded"),
                 qPrintable(view_.summary()));
        for (auto& score : scores) {
            score.rank.reset();
            score.logProbability = score.sum = std::nan("");
        }
        view_.setScores(scores);
        QVERIFY(!view_.summary().contains("not a number") && !view_.summary().contains("0 of"));
    }

    void itsNumbersAndItsFigureCanBeSaved() {
        const auto run = example::branchedRun();
        const auto scores = analysis::tokenScores(run->tree, run->paths.back().leaf);
        view_.setScores(scores);
        const auto table = view_.figureData().tables.at(0);
        for (std::size_t i = 0; i < scores.size(); ++i) {
            QCOMPARE(std::get<std::vector<double>>(table.columns[2].values)[i], scores[i].logProbability);
            QCOMPARE(std::get<std::vector<double>>(table.columns[3].values)[i], double(*scores[i].rank + 1));
        }
        QVERIFY(view_.figureText().caption.contains("2 of 4"));
        QVERIFY(view_.hasFigure() && view_.figureSize().height() > 80);
        const auto drawn = [this] {
            return QString::fromUtf8(
                widgets::figureBytes({.format = widgets::FigureFormat::Svg, .size = view_.figureSize()},
                                     view_)
                    .bytes);
        };
        const QString marked =
            drawn(); // small marks instead of the font's, which are as wide and black as words
        QVERIFY(!marked.contains(QChar(0x2581)));
        view_.setSpaceMarksShown(false);
        QVERIFY(marked.count("<path") > drawn().count("<path"));
        view_.setSpaceMarksShown(true);
        view_.setScores({});
        QVERIFY(!view_.hasFigure() && view_.figureData().empty());
    }

    void enterSendsWhatWasTyped() {
        const QSignalSpy submitted(&view_, &widgets::View::intended);
        auto* line = view_.findChild<QLineEdit*>();
        line->setText("  ");
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(submitted.size(), 0);
        line->setText(" Der alte Mann. ");
        QTest::keyClick(line, Qt::Key_Return);
        const auto intent = submitted.front().front().value<widgets::Intent>();
        QCOMPARE(std::get<widgets::intents::ForceTarget>(intent).typed, std::string("Der alte Mann."));
    }

    void runningNeedsAPlaceToStop() {
        widgets::RunToEditor editor;
        QSignalSpy runs(&editor, &widgets::RunToEditor::runRequested);
        auto* line = editor.findChild<QLineEdit*>();
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(runs.size(), 0);
        line->setText("Tochter");
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(runs.size(), 1);
        QCOMPARE(editor.condition().text, std::string("Tochter"));
    }
};

HEADSCOPE_WATCHED_TEST(ReferenceViewTest)
#include "reference_view_test.moc"
