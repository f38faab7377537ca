#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "app/document/window_state.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/window/main_window.h"
#include "app/window/top/sentence_panel.h"
#include "tests/app/window/bench.h"
#include "tests/model/engine/recordings.h"
#include "tests/watched_test.h"
#include "widgets/controls/contrast_field.h"
#include "widgets/controls/decode_bar.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/controls/token_strip.h"
#include "widgets/drawing/token_label.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/predictions/predictions_view.h"
#include "widgets/views/what_if/step_comparison_view.h"
#include "widgets/views/what_if/what_if_view.h"

#include <cmath>

using namespace headscope;
using app::ActionId;
using app::MainWindow;

/// Encoders alone in Hugging Face's format, with the real engine.
class EncoderWindowTest : public QObject {
    Q_OBJECT
    std::unique_ptr<MainWindow> window_;

    std::shared_ptr<const trace::Run> run() const { return window_->controller()->run(); }
    widgets::CandidatesView* predictions() const { return window_->findChild<widgets::CandidatesView*>(); }
    QString cell(int row, int column) const {
        return predictions()
            ->findChild<widgets::ColumnTable*>()
            ->model()
            ->index(row, column)
            .data()
            .toString();
    }
    /// In the last column but one of a list.
    void seeProbability(int row, double expected) const {
        const QString text = cell(row, 3).remove(" %");
        const int digits = static_cast<int>(text.size() - text.indexOf('.') - 1);
        VERIFY_AGREES(tests::compare("percentage", text.toDouble(), 100 * expected,
                                     tests::ofDigits(digits) + tests::ofRoundings(2, 100 * expected)));
    }
    QString text() const { return window_->findChild<widgets::SentenceEdit*>()->text(); }

    static QString folder(const QString& name) {
        return QStringLiteral(HEADSCOPE_SOURCE "/tests/reference/hugging-face/") + name;
    }

    void open(const QString& name, const QString& text) {
        window_ = std::make_unique<MainWindow>(
            [] { return app::loadEngine({.familyFolders = app::familyFolders()}); },
            app::StartWith{.model = folder(name),
                           .sentence = text.isEmpty() ? std::nullopt : std::optional(text)});
        window_->show();
        QTRY_VERIFY_WITH_TIMEOUT(run() && run()->complete && !window_->controller()->isDecoding(), 30000);
    }

    const widgets::TokenStrip* strip(const char* name) const {
        const auto all = window_->findChildren<widgets::TokenStrip*>();
        return *std::ranges::find(all, QString(name), &QWidget::accessibleName);
    }

    /// Nothing of a target, and no control that decodes.
    void seeNoDecoder() {
        QCOMPARE(window_->findChild<widgets::DecodeBar*>()->isVisible(), !run()->maskCandidates.empty());
        QVERIFY(!strip("Target tokens")->isVisible());
        for (const auto& id : std::vector<app::ActionKey>{"reference", ActionId::StepByStep,
                                                          ActionId::KindDecoder, ActionId::KindCross})
            QVERIFY(!window_->actions()[id]->isEnabled());
    }

  private Q_SLOTS:
    void init() { QSettings().clear(); }
    void cleanup() { window_.reset(); }

    void theCandidatesOfEveryMaskAreListed() {
        open("bert-tiny-masked", "the [MASK] sat on the [MASK]");
        seeNoDecoder();
        QCOMPARE(run()->maskCandidates.size(), std::size_t{2});
        QCOMPARE(tests::cardTitle(*window_, "candidates"), "Masked tokens");
        const auto& [position, candidates] = *run()->maskCandidates.begin();
        QCOMPARE(position, std::size_t{2});
        QCOMPARE(cell(0, 0), "2");
        QCOMPARE(cell(0, 2), QString::fromStdString(candidates.front().token.piece));
        seeProbability(0, std::exp(double{candidates.front().logProbability}));
        QCOMPARE(cell(static_cast<int>(candidates.size()), 0), "6");
        QCOMPARE(cell(static_cast<int>(candidates.size()), 1), "1");
        const auto* table = predictions()->findChild<widgets::ColumnTable*>();
        window_->selection()->setHover({.sourceKey = 6});
        QCOMPARE(table->currentRow(), std::optional(static_cast<int>(candidates.size())));
    }

    void aCandidateIsPutIntoTheTextWhichIsPredictedAgain() {
        open("bert-tiny-masked", "the [MASK] sat on the [MASK]");
        window_->actions()["workspace.decode"]->trigger();
        auto* view = window_->findChild<widgets::PredictionsView*>();
        QVERIFY(view->isVisible() && view->hasFigure());
        const QString best =
            QString::fromStdString(run()->maskCandidates.begin()->second.front().token.piece);
        view->putChosenIn();
        const QString after = QString("the %1 sat on the [MASK]").arg(best);
        QTRY_COMPARE_WITH_TIMEOUT(text(), after, 30000);
        QTRY_COMPARE_WITH_TIMEOUT(run()->maskCandidates.size(), std::size_t(1), 30000);
        QCOMPARE(std::get<std::string>(run()->request.source), after.toStdString());
    }

    void masksAreGoneThroughAsSteps() {
        open("bert-tiny-masked", "the [MASK] sat on the [MASK]");
        const auto* bar = window_->findChild<widgets::DecodeBar*>();
        const auto at = [&](const char* words, int step) {
            QCOMPARE(bar->findChild<QLabel*>()->text(), QString(words));
            QCOMPARE(window_->selection()->step(), step);
        };
        int buttons = 0;
        for (const auto* button : bar->findChildren<QToolButton*>())
            buttons += button->isVisible() ? 1 : 0;
        QCOMPARE(buttons, 2);
        const auto& actions = window_->actions();
        at("mask 1 of 2", 0);
        actions[ActionId::Forward]->trigger();
        at("mask 2 of 2", 1);
        actions[ActionId::Forward]->trigger();
        at("mask 2 of 2", 1);
        actions[ActionId::Back]->trigger();
        at("mask 1 of 2", 0);
        auto* next = actions[ActionId::NextUnsure];
        QCOMPARE(next->text().remove('&'), QString("Next Mask"));
        next->trigger();
        at("mask 2 of 2", 1);
        next->trigger();
        at("mask 1 of 2", 0);
        auto* source = const_cast<widgets::TokenStrip*>(strip("Source tokens"));
        QTest::mouseClick(source, Qt::LeftButton, {}, source->chipRect(6).center());
        at("mask 2 of 2", 1);
    }

    void theMenuOfAMaskExplainsIt() {
        open("bert-tiny-masked", "the [MASK] sat on the [MASK]");
        auto* panel = window_->findChild<app::SentencePanel*>();
        disconnect(panel, &app::SentencePanel::tokenMenuWanted, nullptr, nullptr); // it would wait
        const QSignalSpy wanted(panel, &app::SentencePanel::tokenMenuWanted);
        auto* source = const_cast<widgets::TokenStrip*>(strip("Source tokens"));
        const auto ask = [&](int chip) {
            Q_EMIT source->customContextMenuRequested(source->chipRect(chip).center());
        };
        ask(6);
        ask(1); // no mask
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toInt(), 1);
    }

    void headsAreMeasuredByTheMasks() {
        open("bert-tiny-masked", "the [MASK] sat on the [MASK]");
        window_->actions()["importance"]->trigger();
        auto* view = window_->findChild<widgets::ImportanceView*>();
        QTRY_COMPARE_WITH_TIMEOUT(view->scores().size(), std::size_t{6}, 30000);
        QVERIFY2(view->caption().contains("masks: 2"), qPrintable(view->caption()));
        const auto alone = view->scores();
        auto* field = view->findChild<widgets::ContrastField*>()->findChild<QLineEdit*>();
        QTest::keyClicks(field, "dog");
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(view->caption().contains("dog"), 30000);
        QVERIFY(!std::ranges::equal(view->scores(), alone, {}, &analysis::HeadScore::importance,
                                    &analysis::HeadScore::importance));
    }

    void withoutAMaskHeadsCannotBeMeasured() {
        open("bert-tiny-masked", "the cat sat");
        const auto* action = window_->actions()["importance"];
        QVERIFY(!action->isEnabled());
        QVERIFY2(action->toolTip().contains("[MASK]"), qPrintable(action->toolTip()));
    }

    void aChangeShowsItsEffectOnMasksAndClasses() {
        open("bert-tiny-masked", "the [MASK] sat on the [MASK]");
        auto* effect = window_->findChild<widgets::WhatIfView*>();
        auto* bars = effect->findChild<widgets::StepComparisonView*>();
        window_->actions()[ActionId::ToggleHead]->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(bars->steps().size(), std::size_t{2}, 30000);
        const auto& first = run()->maskCandidates.begin()->second;
        const auto& step = bars->steps()[0];
        const auto same =
            std::ranges::find(first, step.token.id, [](const auto& one) { return one.token.id; });
        QVERIFY(same != first.end()); // of the changed run
        VERIFY_AGREES(tests::compare(
            "log-probability", step.after, same->logProbability,
            recordings::Precision::of("hugging-face/bert-tiny-masked").twoOfOurs("log_probabilities")));
        QVERIFY(effect->hasFigure());
        window_->openModel(folder("bert-tiny-classes"));
        QTRY_VERIFY_WITH_TIMEOUT(run() && run()->complete && !run()->classLogProbabilities.empty(), 30000);
        if (run()->request.interventions.empty())
            window_->actions()[ActionId::ToggleHead]->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(bars->steps().size(), std::size_t{3}, 30000);
        for (std::size_t c = 0; c < 3; ++c)
            QCOMPARE(bars->steps()[c].after, double{run()->classLogProbabilities[c]});
        QVERIFY(effect->hasFigure());
    }

    void aSampleHasAMaskAndTheFormerSentenceComesBack() {
        open("bert-tiny-masked", "");
        QVERIFY2(text().contains("[MASK]"), qPrintable(text()));
        QCOMPARE(run()->maskCandidates.size(), std::size_t{1});
        window_->openModel(folder("bert-tiny-classes"));
        QTRY_VERIFY_WITH_TIMEOUT(run() && run()->complete && !run()->classLogProbabilities.empty(), 30000);
        QVERIFY2(!text().contains("[MASK]"), qPrintable(text()));
    }

    void aTextWithoutAMaskSaysHowToWriteOne() {
        open("roberta-tiny-masked", "the cat sat");
        QVERIFY(run()->maskCandidates.empty());
        QVERIFY2(predictions()->heading().contains("<mask>"), qPrintable(predictions()->heading()));
    }

    void twoTextsAreReadAsAPair() {
        open("bert-tiny-classes", "a very good film");
        auto* second = window_->findChild<app::SentencePanel*>()->second();
        QVERIFY(second->isVisible());
        QVERIFY(!run()->request.second);
        const auto one = run()->source.size();
        QTest::keyClicks(second->lineEdit(), "the dog ran");
        QTest::keyClick(second->lineEdit(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(run()->source.size(), one + 4, 30000); // and a separator
        QCOMPARE(run()->segments.back(), std::int64_t{1});
        window_->actions()[ActionId::CopyCommand]->trigger();
        QVERIFY2(QApplication::clipboard()->text().contains("--second="),
                 qPrintable(QApplication::clipboard()->text()));
        const auto state = window_->state()->toSave();
        QCOMPARE(state.request->second, std::optional<std::string>("the dog ran"));
        second->lineEdit()->clear();
        QTest::keyClick(second->lineEdit(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(run()->source.size(), one, 30000);
        window_->state()->apply(state, this);
        QTRY_COMPARE_WITH_TIMEOUT(run()->source.size(), one + 4, 30000);
        QCOMPARE(second->text(), "the dog ran");
        window_->openModel("tatoeba-en-de");
        QTRY_VERIFY_WITH_TIMEOUT(!second->isVisible(), 30000);
    }

    void classesAreListed() {
        open("distilbert-tiny-classes", "a very good film");
        seeNoDecoder();
        QCOMPARE(tests::cardTitle(*window_, "candidates"), "Class probabilities");
        QCOMPARE(predictions()->findChild<widgets::ColumnTable*>()->model()->rowCount(),
                 static_cast<int>(run()->classLogProbabilities.size()));
    }

    void everyTokenHasTheProbabilityThatItWasReplaced() {
        open("electra-tiny-replaced", "the cat sat on the fog");
        seeNoDecoder();
        QCOMPARE(tests::cardTitle(*window_, "candidates"), "Replaced tokens");
        const auto* table = predictions()->findChild<widgets::ColumnTable*>();
        QCOMPARE(table->model()->rowCount(), static_cast<int>(run()->source.size()));
        for (int row = 0; row < table->model()->rowCount(); ++row)
            seeProbability(row, run()->replacedProbabilities[static_cast<std::size_t>(row)]);
        QCOMPARE(strip("Source tokens")->choices().size(), run()->source.size());
        auto* next = window_->actions()[ActionId::NextUnsure];
        QCOMPARE(next->text().remove('&'), QString("Next Replaced Token"));
        std::vector<int> replaced, gone;
        for (std::size_t token = 0; token < run()->source.size(); ++token)
            if (run()->replacedProbabilities[token] > 0.5)
                replaced.push_back(static_cast<int>(token));
        QVERIFY(!replaced.empty());
        for (std::size_t i = 0; i < replaced.size(); ++i) {
            next->trigger();
            gone.push_back(window_->selection()->pinned().sourceKey.value());
        }
        QCOMPARE(gone, replaced);
        next->trigger();
        QCOMPARE(int(window_->selection()->pinned().sourceKey.value()), replaced.front());
    }

    void tokensAreStepsWithALabelEach() {
        open("bert-tiny-labels", "my very good cat sat");
        seeNoDecoder();
        QCOMPARE(tests::cardTitle(*window_, "candidates"), "Labels");
        QCOMPARE(predictions()->findChild<widgets::ColumnTable*>()->model()->rowCount(), 5 * 3);
        const auto* bar = window_->findChild<widgets::DecodeBar*>();
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->findChild<QLabel*>()->text(), QString("token 1 of 5"));
        window_->actions()[ActionId::Forward]->trigger();
        QCOMPARE(bar->findChild<QLabel*>()->text(), QString("token 2 of 5"));
        QCOMPARE(window_->actions()[ActionId::NextUnsure]->text().remove('&'), QString("Next Unsure Label"));
        const auto* view = window_->findChild<widgets::PredictionsView*>();
        QVERIFY(view->hasFigure());
        const auto data = view->figureData();
        const auto& table = data.tables.front();
        QCOMPARE(std::get<std::vector<double>>(table.columns.back().values).size(), std::size_t(5 * 3));
        QVERIFY(window_->findChild<widgets::ContrastField*>()->isEnabled());
    }

    void anAnswerIsMarkedInTheSecondText() {
        open("bert-tiny-answer", "my cat");
        auto* second = window_->findChild<app::SentencePanel*>()->second();
        const auto one = run()->source.size();
        QTest::keyClicks(second->lineEdit(), "the dog ran");
        QTest::keyClick(second->lineEdit(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(run()->source.size(), one + 4, 30000);
        QCOMPARE(tests::cardTitle(*window_, "candidates"), "Answer");
        QVERIFY2(predictions()->heading().startsWith("Most probable answer: "),
                 qPrintable(predictions()->heading()));
        const auto* view = window_->findChild<widgets::PredictionsView*>();
        const auto data = view->figureData();
        const auto& table = data.tables.front();
        QCOMPARE(table.columns.size(), std::size_t(5));
        for (std::size_t end = 0; end < 2; ++end)
            for (std::size_t i = 0; i < run()->source.size(); ++i)
                QCOMPARE(std::get<std::vector<double>>(table.columns[3 + end].values).at(i),
                         std::exp(double{run()->spanLogProbabilities(end, i)}));
    }

    /// As the tokens of any other output are.
    void whereAnAnswerStartsAndEndsIsExplained() {
        open("bert-tiny-answer", "my very good cat");
        QCOMPARE(window_->controller()->steps(), 2);
        const auto answer = run()->answers();
        window_->actions()["importance"]->trigger();
        auto* view = window_->findChild<widgets::ImportanceView*>();
        QTRY_COMPARE_WITH_TIMEOUT(view->scores().size(), std::size_t{6}, 30000);
        const QString start =
            QString("the answer starts at %1").arg(widgets::quoted(widgets::tokenLabel(answer[0])));
        QVERIFY2(view->caption().contains(start), qPrintable(view->caption()));
        const auto alone = view->scores();
        auto* field = view->findChild<widgets::ContrastField*>()->findChild<QLineEdit*>();
        QTest::keyClicks(field, "good");
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(view->caption().contains("good"), 30000);
        window_->actions()[ActionId::ToggleHead]->trigger();
        auto* bars = window_->findChild<widgets::StepComparisonView*>();
        QTRY_COMPARE_WITH_TIMEOUT(bars->steps().size(), std::size_t{2}, 30000);
        for (std::size_t end = 0; end < 2; ++end)
            QCOMPARE(bars->steps()[end].token, answer[end]);
    }

    void aNumberIsSaidAndExplained() {
        open("bert-tiny-number", "my cat");
        QVERIFY2(predictions()->heading().startsWith("Predicted: "), qPrintable(predictions()->heading()));
        window_->actions()["importance"]->trigger();
        auto* view = window_->findChild<widgets::ImportanceView*>();
        QTRY_COMPARE_WITH_TIMEOUT(view->scores().size(), std::size_t{6}, 30000);
        QVERIFY2(view->caption().contains("Above 0: the head raises it."), qPrintable(view->caption()));
        QVERIFY(!view->findChild<widgets::ContrastField*>()->isEnabled());
    }

    void aHeadThatIsNotSupportedIsNamed() {
        open("bert-tiny-choice", "my cat");
        QVERIFY2(predictions()->heading().contains("BertForMultipleChoice"),
                 qPrintable(predictions()->heading()));
    }

    void anEncoderWithoutAHeadPredictsNothing() {
        open("electra-tiny", "the cat sat");
        seeNoDecoder();
        QVERIFY(!predictions()->hasFigure());
    }
};

HEADSCOPE_WATCHED_TEST(EncoderWindowTest)
#include "encoder_window_test.moc"
