#include <QAbstractItemView>
#include <QAction>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/controls/contrast_field.h"

using namespace headscope;
using namespace headscope::widgets;

class ContrastFieldTest : public QObject {
    Q_OBJECT

    Selection selection_;
    std::unique_ptr<ContrastField> field_;

    QLineEdit* line() const { return field_->findChild<QLineEdit*>(); }
    /// What would be put into the field, in the order it is listed.
    QStringList proposals() const {
        auto* completer = line()->completer();
        completer->setCompletionPrefix({});
        QStringList list;
        for (int row = 0; row < completer->completionModel()->rowCount(); ++row)
            list += completer->completionModel()->index(row, 0).data(Qt::UserRole).toString();
        return list;
    }

  private Q_SLOTS:
    void init() {
        selection_.setStep(5);
        field_ = std::make_unique<ContrastField>(&selection_);
        field_->setRun(example::run());
        field_->show();
        QVERIFY(QTest::qWaitForWindowExposed(field_.get()));
    }

    void cleanup() { field_.reset(); }

    void ofAnEncoderAloneOtherClassesOrTokensOfItsMasksAreProposed() {
        auto model = std::make_shared<trace::ModelSummary>();
        auto run = std::make_shared<trace::Run>();
        field_->setRun(run); // of an unknown model
        QVERIFY(proposals().isEmpty());
        run->model = model;
        field_->setRun(run);
        QVERIFY(!field_->isEnabled()); // it chooses nothing
        model->classes = 3;
        run->classLogProbabilities = {-2, -1, -3};
        field_->setRun(run);
        QVERIFY(field_->isEnabled());
        QCOMPARE(proposals(), (QStringList{"#0", "#2"}));
        model->classLabels = {"negative", "neutral", "positive"};
        field_->setRun(run);
        QCOMPARE(proposals(), (QStringList{"negative", "positive"}));
        *model = {};
        model->tokenPrediction = trace::TokenPrediction::Masked;
        run->classLogProbabilities.clear();
        run->maskCandidates[2] = {{.token = example::token(4, "cat")}, {.token = example::token(5, "dog")}};
        field_->setRun(run);
        QVERIFY(field_->isEnabled());
        QCOMPARE(proposals(), QStringList{"dog"});
    }

    void theOtherCandidatesOfTheStepAreProposed() {
        QCOMPARE(proposals().size(), 9);
        QCOMPARE(proposals().first(), "▁Frau");
        QVERIFY(!proposals().contains("▁Tochter"));
        auto run = example::run();
        auto row = std::make_shared<trace::DecodeRow>(run->row(0));
        row->candidates = {{.token = run->next[0]}, {.token = example::token(7, "▁Ein")}};
        run->tree.setRow(run->path[0], row);
        field_->setRun(run);
        selection_.setStep(0);
        QCOMPARE(proposals(), QStringList{"▁Ein"});
        selection_.setStep(99);
        QVERIFY(proposals().isEmpty());
        field_->setRun(nullptr);
        QVERIFY(proposals().isEmpty());
    }

    void aPartOfThePieceFindsIt() {
        line()->completer()->setCompletionPrefix("sch");
        QCOMPARE(line()->completer()->completionCount(), 1);
        QCOMPARE(line()->completer()->currentCompletion(), "▁Schwester");
    }

    void piecesThatCannotBeTypedAreNamedByTheirId() {
        QCOMPARE(contrastName(example::token(5, "▁Frau")), "▁Frau");
        for (const char* piece : {"", "#", "#12", " ", "a ", "\n", "\t", "\xE2\x82"})
            QCOMPARE(contrastName(example::token(5, piece)), "#5");
        QCOMPARE(contrastName(example::token(5, "नमस्ते")), "नमस्ते");
        QCOMPARE(contrastName(example::token(5, "😀")), "😀");
    }

    void enterChoosesOnceAndClearingTakesItBack() {
        const QSignalSpy chosen(field_.get(), &ContrastField::contrastChosen);
        QTest::keyClicks(line(), " Frau ");
        QTest::keyClick(line(), Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.last().front().toString(), "Frau");
        field_->setContrast("Frau");
        QCOMPARE(line()->text(), "Frau");
        line()->clearFocus();
        QCOMPARE(chosen.size(), 1);
        QAction* clear = line()->actions().front();
        QVERIFY(clear->isVisible());
        clear->trigger();
        QCOMPARE(chosen.size(), 2);
        QCOMPARE(chosen.last().front().toString(), QString());
        QVERIFY(!clear->isVisible());
    }

    void whatIsHalfTypedWhenItGoesIsNotChosen() {
        const QSignalSpy chosen(field_.get(), &ContrastField::contrastChosen);
        line()->setFocus();
        QTest::keyClicks(line(), "Fr");
        field_.reset();
        QCOMPARE(chosen.size(), 0);
    }

    void aProposalIsChosenByDownAndEnter() {
        const QSignalSpy chosen(field_.get(), &ContrastField::contrastChosen);
        line()->setFocus();
        QTest::keyClick(line(), Qt::Key_Down);
        QAbstractItemView* list = line()->completer()->popup();
        QTRY_VERIFY(list->isVisible());
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.last().front().toString(), "▁Frau");
        QCOMPARE(line()->text(), "▁Frau");
    }

    void aRefusalStandsBelowTheFieldUntilAnotherTokenIsChosen() {
        field_->showRefusal({.what = "This is no token of the vocabulary",
                             .found = "\"<b>xyz\"",
                             .wayOut = "look at the candidates of a step"});
        const auto labels = field_->findChildren<QLabel*>();
        const auto shown = std::ranges::find_if(labels, [](const QLabel* label) {
            return label->text().startsWith("This is no token") && label->isVisible();
        });
        QVERIFY(shown != labels.end());
        QVERIFY((*shown)->text().contains("<b>xyz"));
        QVERIFY((*shown)->text().contains("What to do: look at the candidates of a step."));
        QCOMPARE((*shown)->textFormat(), Qt::PlainText);
        field_->setContrast(std::nullopt);
        QVERIFY(!(*shown)->isVisible());
    }

    void aModelThatChoosesNoTokensDisablesItAndSaysWhy() {
        auto run = example::run();
        auto model = std::make_shared<trace::ModelSummary>(*run->model);
        model->decoderLayers = 0;
        run->model = model;
        field_->setRun(run);
        QVERIFY(!field_->isEnabled());
        QVERIFY(line()->toolTip().contains("no output tokens"));
        field_->setRun(example::run());
        QVERIFY(field_->isEnabled());
    }

    void itIsNamedAndExplained() {
        QVERIFY(!line()->accessibleName().isEmpty());
        QVERIFY(line()->toolTip().contains("difference between the two logits"));
        QVERIFY(!line()->placeholderText().isEmpty());
    }
};

HEADSCOPE_WATCHED_TEST(ContrastFieldTest)
#include "contrast_field_test.moc"
