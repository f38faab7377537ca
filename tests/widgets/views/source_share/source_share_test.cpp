#include <QAccessible>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_maps.h"
#include "widgets/export/figure_export.h"
#include "widgets/views/source_share/source_share.h"

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

class SourceShareTest : public QObject {
    Q_OBJECT

    Selection selection_;

    static int stepOf(const QSignalSpy& wanted) {
        return std::get<intents::GoTo>(wanted.back().front().value<Intent>()).step;
    }

    static std::shared_ptr<trace::QuantityMaps> contributions(const trace::Run& run) {
        return example::shares(run, trace::MapQuantity::Contribution, {AttentionKind::Cross, 2});
    }

  private Q_SLOTS:
    void everyStepIsSaidWithItsNumbers() {
        const auto run = example::run();
        SourceShareView view(&selection_);
        view.setShares(run, contributions(*run));
        QCOMPARE(view.shares().size(), run->next.size());
        QVERIFY(std::abs(view.shares()[0] - 0.7) < 1e-4);
        const QString words = view.stepInWords(0);
        QVERIFY2(words.contains("70 %") && words.contains("30 %"), qPrintable(words));
        QVERIFY(view.accessibleDescription().contains("70 %"));
        QVERIFY(view.stepInWords(99).isEmpty());
    }

    void anUndefinedStepIsSaidToBeSo() {
        const auto run = example::run();
        auto maps = contributions(*run);
        for (std::size_t c = 0; c < maps->values.columns(); ++c)
            maps->values.at(0, 3, c) = std::numeric_limits<float>::quiet_NaN();
        SourceShareView view(&selection_);
        view.setShares(run, maps);
        QVERIFY(view.stepInWords(3).contains("undefined"));
        const auto lines = [](const SourceShareView& drawn) {
            const auto svg = figureBytes({.format = FigureFormat::Svg, .size = drawn.figureSize()}, drawn);
            return svg.bytes.count("<line ");
        };
        SourceShareView whole(&selection_);
        whole.setShares(run, contributions(*run));
        QCOMPARE(lines(whole) - lines(view), 2); // the lines to and from the undefined step
        view.resize(600, 40);
        view.grab();
    }

    void theStepUnderThePointerIsTheOneWhoseTokenStandsAboveIt() {
        const auto run = example::run();
        SourceShareView view(&selection_);
        view.resize(600, 40);
        view.setShares(run, contributions(*run));
        std::vector<double> centres;
        for (std::size_t t = 0; t < run->next.size(); ++t)
            centres.push_back(20 + 30 * double(t));
        view.setCentres(centres);
        const QSignalSpy gone(&view, &View::intended);
        QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(112, 20));
        QCOMPARE(stepOf(gone), 3);
    }

    void theArrowKeysGoFromStepToStep() {
        const auto run = example::run();
        SourceShareView view(&selection_);
        view.setShares(run, contributions(*run));
        view.setStep(3);
        QCOMPARE(view.focusPolicy(), Qt::StrongFocus);
        const QSignalSpy gone(&view, &View::intended);
        const int last = static_cast<int>(run->next.size()) - 1;
        for (const auto& [key, step] : {std::pair(Qt::Key_Right, 4), std::pair(Qt::Key_Left, 2),
                                        std::pair(Qt::Key_Home, 0), std::pair(Qt::Key_End, last)}) {
            QTest::keyClick(&view, key);
            QCOMPARE(stepOf(gone), step);
        }
        view.setStep(last);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(stepOf(gone), last);
    }

    /// Text without room would be clipped.
    void theCaptionOfAFigureIsWhole() {
        const auto run = example::run();
        SourceShareView view(&selection_);
        view.setShares(run, contributions(*run));
        view.setStep(2);
        const QSize size = view.figureSize();
        const auto svg = figureBytes({.format = FigureFormat::Svg, .size = size}, view).bytes;
        QVERIFY(svg.contains("Step 3, "));
        QVERIFY(!svg.contains("<clipPath"));
    }

    void readersAreToldOfATable() {
        const auto run = example::run();
        SourceShareView view(&selection_);
        view.resize(600, 60);
        view.setShares(run, contributions(*run));
        view.setStep(2);
        auto* readers = QAccessible::queryAccessibleInterface(&view);
        auto* table = readers->tableInterface();
        QVERIFY(table);
        QCOMPARE(table->columnCount(), static_cast<int>(run->next.size()));
        QCOMPARE(table->cellAt(0, 2)->text(QAccessible::Name), view.stepInWords(2));
        QVERIFY(view.stepInWords(2).startsWith("Step 3, "));
        QVERIFY(table->cellAt(0, 2)->tableCellInterface()->isSelected());
        QVERIFY(!table->cellAt(0, 2)->rect().isEmpty());
    }

    void aFigureHasTheStepInWordsAndNoMarkOfThePointer() {
        const auto run = example::run();
        SourceShareView view(&selection_);
        view.resize(600, 60);
        view.setShares(run, contributions(*run));
        view.setStep(2);
        const auto drawn = [&] {
            return figureBytes({.format = FigureFormat::Svg, .size = view.figureSize()}, view).bytes;
        };
        const QByteArray before = drawn();
        QVERIFY(before.contains("Large dot"));
        QVERIFY(view.figureText().caption.endsWith(view.stepInWords(2)));
        selection_.setHover({.targetQuery = 5});
        QVERIFY(drawn() == before);
    }

    void withoutMarksAFigureIsTheSameAtEveryStep() {
        const auto run = example::run();
        SourceShareView view(&selection_);
        view.setShares(run, contributions(*run));
        view.setStep(2);
        const auto drawn = [&] {
            const FigureParts parts{.marks = false};
            return figureBytes(
                       {.format = FigureFormat::Svg, .size = suggestedSize(view, parts), .parts = parts},
                       view)
                .bytes;
        };
        const auto withoutMetadata = [](const QByteArray& svg) {
            return svg.mid(svg.indexOf("</metadata>"));
        };
        const QByteArray before = withoutMetadata(drawn());
        QVERIFY(before.contains("ALTI+"));
        QVERIFY(!before.contains("Large dot"));
        view.setStep(5);
        QVERIFY(withoutMetadata(drawn()) == before);
        QVERIFY(view.figureText().caption.endsWith(view.stepInWords(5)));
    }

    void withoutContributionsThereIsNothingToSave() {
        SourceShareView view(&selection_);
        QVERIFY(!view.hasFigure());
        auto* answers = example::givenAnswers(&view);
        answers->document().run = example::run();
        answers->setHolding(true);
        QVERIFY(!view.hasFigure() && view.questions().empty() && view.accessibleDescription().isEmpty());
        answers->document().run = example::run();
        answers->document().request = example::run()->request;
        answers->setHolding(true);
        QCOMPARE(view.questions().size(), std::size_t(1));
        QVERIFY(!view.stepAt({10, 10}));
        QVERIFY(view.accessibleDescription().contains("Computing"));
        answers->setHolding(false);
        answers->setRefusal(trace::RefusalText{.what = "No room"});
        QVERIFY(view.accessibleDescription().contains("No room"));
    }
};

HEADSCOPE_WATCHED_TEST(SourceShareTest)
#include "source_share_test.moc"
