#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/desktop/message_panel.h"
#include "app/document/document.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/results/results.h"
#include "app/traces/model_or_trace.h"
#include "app/window/main_window.h"
#include "model/analysis/output/classifier_tokens.h"
#include "model/files/safetensors.h"
#include "tests/app/window/bench.h"
#include "tests/new_file.h"
#include "tests/watched_test.h"
#include "widgets/controls/decode_bar.h"
#include "widgets/controls/self_check_badge.h"
#include "widgets/drawing/token_label.h"
#include "widgets/explained.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/views/compare/compare_bar.h"
#include "widgets/views/heatmap/heatmap_page.h"
#include "widgets/views/scale/scale_view.h"
#include "widgets/views/what_if/what_if_view.h"
#include "widgets/words/captions.h"
#include "widgets/words/class_title.h"

#include <QAction>

#include <algorithm>
#include <set>
#include <span>

using namespace headscope;
using app::ActionId;
using app::MainWindow;
using widgets::ClassifierView;
using widgets::ScaleView;

/// The scale of the bundled model and the answer of a real classifier, with the real engine.
class ScaleWindowTest : public QObject {
    Q_OBJECT

    QTemporaryDir settingsFolder_;
    std::unique_ptr<MainWindow> window_;

    std::shared_ptr<const trace::Run> run() const { return window_->controller()->run(); }
    ScaleView* scale() const { return window_->findChild<ScaleView*>(); }
    ClassifierView* classifier() const { return window_->findChild<ClassifierView*>(); }
    QString front() const { return QString::fromStdString(tests::bench(*window_)->frontKey()); }
    void waitForRun() {
        QTRY_VERIFY_WITH_TIMEOUT(run() && run()->complete && !window_->controller()->isDecoding(), 30000);
    }
    void open(const QString& model, const QString& sentence) {
        const auto makeEngine = [] {
            return app::withTraces(app::loadEngine({.familyFolders = app::familyFolders()}));
        };
        window_ =
            std::make_unique<MainWindow>(makeEngine, app::StartWith{.model = model, .sentence = sentence});
        window_->show();
        waitForRun();
    }

    /// As another program writes it: the weights of these kinds, and nothing else.
    QString weightsAlone(const QStringList& kinds) {
        const std::vector<float> third(2 * 2 * 3 * 3, 1.0F / 3);
        std::vector<files::TensorToSave> tensors;
        for (const auto& kind : kinds)
            tensors.push_back({.name = kind.toStdString() + "/weights",
                               .shape = {2, 2, 3, 3},
                               .bytes = std::as_bytes(std::span(third))});
        const QString path = settingsFolder_.filePath(kinds.join('-') + ".safetensors");
        files::saveSafetensors(tests::newFile(path.toStdString()), std::move(tensors),
                               {{"tokens.json", R"({"source": ["a", "b", "c"], "target": ["<s>", "x", "y"],
                                 "next": ["x", "y", "z"], "request": {"source": "a b c"}})"}});
        return path;
    }

  private Q_SLOTS:
    void initTestCase() { QVERIFY(settingsFolder_.isValid()); }

    void cleanup() { window_.reset(); }

    void theScaleIsCountedOnceItIsInSight() {
        open({}, "The old man reads a book.");
        QVERIFY(!scale()->hasFigure());
        window_->actions()["scale"]->trigger();
        QTRY_VERIFY(scale()->hasFigure());
        QVERIFY2(scale()->caption().contains("1/√d_k"), qPrintable(scale()->caption()));
        scale()->setPage(ScaleView::Page::Variance);
        for (auto* button : scale()->findChildren<QPushButton*>())
            if (button->text() == "Measure the Random Twin")
                button->click();
        QTRY_VERIFY_WITH_TIMEOUT(scale()->caption().contains("random weights (seed 1)"), 30000);
    }

    void aTemperatureBecomesAChangeOfTheModel() {
        open({}, "The old man reads a book.");
        window_->actions()["scale"]->trigger();
        scale()->setPage(ScaleView::Page::Temperature);
        QTRY_VERIFY(scale()->hasFigure());
        const auto apply = [this](double temperature) {
            Q_EMIT scale()->intended(widgets::intents::DivideScores{temperature});
            QTRY_VERIFY_WITH_TIMEOUT(!run()->request.interventions.empty() && run()->complete, 30000);
        };
        apply(0.5);
        waitForRun();
        apply(0.5);
        QTRY_VERIFY_WITH_TIMEOUT(
            run()->request.interventions ==
                (std::vector<trace::Intervention>{{trace::SoftmaxTemperature{.temperature = 0.25}}}),
            30000);
        waitForRun();
        QTRY_VERIFY(scale()->caption().contains("the scores of the run by 0.25"));
    }

    void bundledModelsOpenWhereTheirPointIs_data() {
        QTest::addColumn<QString>("tab");
        QTest::addColumn<QString>("head");
        QTest::newRow("imdb-classifier") << "classifier"
                                         << "";
        QTest::newRow("toy-copy-without-mask") << "heatmap"
                                               << "decoder.0.2";
        QTest::newRow("toy-copy-without-positions") << "heatmap"
                                                    << "cross.1.0";
        QTest::newRow("toy-reverse") << "heatmap"
                                     << "cross.1.0";
    }

    void bundledModelsOpenWhereTheirPointIs() {
        QFETCH(QString, tab);
        QFETCH(QString, head);
        open("toy-copy", "w1 w2 w3");
        window_->actions()["lines"]->trigger();
        window_->openModel(QTest::currentDataTag());
        QTRY_VERIFY_WITH_TIMEOUT(run() && run()->complete && run()->model->name == QTest::currentDataTag(),
                                 30000);
        QCOMPARE(front(), tab);
        if (!head.isEmpty())
            QCOMPARE(QString::fromStdString(trace::toString(window_->selection()->head())), head);
        if (tab == "classifier") {
            QTRY_VERIFY_WITH_TIMEOUT(classifier()->hasFigure(), 30000);
            const auto& classes = run()->classLogProbabilities;
            QVERIFY(classes[classifier()->chosenClass()] == *std::ranges::max_element(classes));
            window_->openModel("toy-copy");
            QTRY_VERIFY_WITH_TIMEOUT(run() && run()->complete && run()->model->name == "toy-copy", 30000);
            QCOMPARE(front(), QString("heatmap"));
        }
    }

    void aModelThatWasTrainedWithoutItsMaskShowsWhatItSawAhead() {
        open("toy-copy-without-mask", "w1 w2 w3 w4");
        const auto* record = run()->record(window_->selection()->head().site);
        QVERIFY(record && record->site.kind == trace::AttentionKind::DecoderSelf);
        float ahead = 0;
        const auto head = std::size_t(window_->selection()->head().head);
        for (std::size_t key = 1; key < record->keys(); ++key)
            ahead += record->weights(head, 0, key);
        QVERIFY2(ahead > 0.1F, qPrintable(QString::number(ahead)));
        const auto* controller = window_->controller();
        QCOMPARE(controller->interventions(), (std::vector<trace::Intervention>{{trace::LiftMask()}}));
        for (const auto* label : window_->findChildren<QLabel*>())
            QVERIFY2(!label->text().contains("trained with the mask"), qPrintable(label->text()));
        window_->actions()[ActionId::ClearChanges]->trigger(); // as any other change
        QTRY_VERIFY_WITH_TIMEOUT(run()->request.interventions.empty(), 30000);
    }

    void aClassifiersAnswerIsTakenApart() {
        open(HEADSCOPE_SOURCE "/tests/reference/imdb-classifier-tiny", "5 6 7 8 9 10 11");
        QVERIFY(window_->actions()["classifier"]->isEnabled());
        window_->actions()["classifier"]->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(classifier()->hasFigure(), 30000);
        const auto chosen = classifier()->chosenClass();
        for (const float other : run()->classLogProbabilities)
            QVERIFY(run()->classLogProbabilities[chosen] >= other);
        QVERIFY2(classifier()->caption().contains("= logit"), qPrintable(classifier()->caption()));
        classifier()->setPage(ClassifierView::Page::Words);
        QVERIFY(classifier()->hasFigure());
    }

    void theStripIsShadedByContributionsToTheChosenClass() {
        open(HEADSCOPE_SOURCE "/tests/reference/imdb-classifier-tiny", "5 6 7 8 9 10 11");
        window_->actions()["classifier"]->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(classifier()->hasFigure(), 30000);
        const auto says = [this](std::size_t chosen) {
            const QString name = widgets::classTitle(*run()->model, chosen);
            const auto labels = window_->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) {
                return label->isVisible() && label->text() == "shade: contribution to “" + name + "”";
            });
        };
        const auto chosen = classifier()->chosenClass();
        QTRY_VERIFY_WITH_TIMEOUT(says(chosen), 30000);
        const std::size_t other = chosen == 0 ? 1 : 0;
        classifier()->setChosenClass(other);
        QTRY_VERIFY_WITH_TIMEOUT(says(other), 30000);
    }

    void bothWordsOnWhichTheColumnsDisagreeAreGoneTo() {
        open(HEADSCOPE_SOURCE "/tests/reference/imdb-classifier-tiny", "5 6 7 8 9 10 11");
        QCOMPARE(window_->actions()[ActionId::NextUnsure]->text().remove('&'), QString("Next Disagreement"));
        QTRY_VERIFY_WITH_TIMEOUT(classifier()->hasFigure(), 30000);
        const auto& document = window_->findChild<app::Document*>()->state();
        const auto [reading, chosen] =
            widgets::shownAnswer({.document = &document, .known = window_->findChild<app::Results*>()});
        QVERIFY(reading);
        std::set<int> gone;
        for (int i = 0; i < 2; ++i) {
            window_->actions()[ActionId::NextUnsure]->trigger();
            if (const auto& key = window_->selection()->pinned().sourceKey)
                gone.insert(*key);
        }
        std::set<int> expected;
        const auto words = analysis::wordEffects(*reading, chosen);
        const auto apart = analysis::wordsApart(*reading, chosen);
        QVERIFY(apart);
        expected.insert(static_cast<int>(words[apart->added].firstToken));
        if (apart->lost)
            expected.insert(static_cast<int>(words[*apart->lost].firstToken));
        QCOMPARE(gone, expected);
    }

    void aGradientIsOfTheClassThatIsChosen() {
        open(HEADSCOPE_SOURCE "/tests/reference/imdb-classifier-tiny", "5 6 7 8 9 10 11");
        auto* map = window_->findChild<widgets::HeatmapPage*>()->single();
        window_->actions()["heatmap"]->trigger();
        window_->actions()[ActionId::ShowGradient]->trigger();
        const auto says = [&](std::size_t chosen) {
            const QString name = widgets::isolated(widgets::classTitle(*run()->model, chosen));
            return map->figureText().caption.contains("The logit here is that of class “" + name + "”.");
        };
        const auto likeliest = classifier()->chosenClass();
        QTRY_VERIFY_WITH_TIMEOUT(says(likeliest), 30000);
        const std::size_t other = likeliest == 0 ? 1 : 0;
        classifier()->setChosenClass(other);
        QTRY_VERIFY_WITH_TIMEOUT(says(other), 30000);
    }

    void aClassifierHasWordsOfItsOwnAndNothingOfDecoding() {
        open(HEADSCOPE_SOURCE "/tests/reference/imdb-classifier-tiny", "5 6 7 8 9 10 11");
        const auto& actions = window_->actions();
        QCOMPARE(actions[ActionId::Decode]->text().remove('&'), QString("Classify"));
        QVERIFY(actions[ActionId::Decode]->isEnabled());
        QCOMPARE(tests::cardTitle(*window_, "candidates"), QString("Class probabilities"));
        for (const auto& id : std::vector<app::ActionKey>{"reference", ActionId::Forward, "compare/branches",
                                                          ActionId::StepByStep, ActionId::CopyTranslation}) {
            QVERIFY(!actions[id]->isEnabled());
            QVERIFY2(actions[id]->toolTip().contains("does not decode"), qPrintable(actions[id]->toolTip()));
        }
        QVERIFY(!window_->findChild<widgets::DecodeBar*>()->isVisible());
        using With = widgets::CompareBar::With;
        const auto* compared = window_->findChild<widgets::CompareBar*>();
        for (const auto decoded : {With::Branch, With::Step})
            QVERIFY(!compared->isOffered(decoded));

        const auto classified = run();
        window_->openModel("toy-copy"); // all of it comes back
        QTRY_VERIFY_WITH_TIMEOUT(run() && run() != classified && run()->complete, 30000);
        QCOMPARE(actions[ActionId::Decode]->text().remove('&'), QString("Translate"));
        QCOMPARE(tests::cardTitle(*window_, "candidates"), QString("Next token"));
        QVERIFY(actions["reference"]->isEnabled());
        QVERIFY(!actions["reference"]->toolTip().contains("does not decode"));
        QVERIFY(window_->findChild<widgets::DecodeBar*>()->isVisible());
        QVERIFY(compared->isOffered(With::Step));
    }

    /// Its actions have other names.
    void aLetterIsOneEntryOfTheMenuOfEveryKindOfModel_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("name");
        const QString folder = QStringLiteral(HEADSCOPE_SOURCE "/tests/reference/");
        const auto row = [&](const QString& model, const char* text, const char* name) {
            QTest::newRow(qPrintable(model.isEmpty() ? model : folder + model)) << text << name;
        };
        row({}, "The old man reads a book.", "Translate");
        row("imdb-classifier-tiny", "5 6 7 8 9 10 11", "Classify");
        row("hugging-face/bert-tiny-masked", "the [MASK] sat", "Predict");
        row("hugging-face/electra-tiny-replaced", "the cat sat", "Predict");
        row("hugging-face/bert-tiny-labels", "the cat sat", "Predict");
        row("hugging-face/bert-tiny-answer", "the cat sat", "Predict");
        row("hugging-face/bert-tiny-number", "the cat sat", "Predict");
        row("hugging-face/electra-tiny", "the cat sat", "Encode");
        QTest::newRow("tatoeba-en") << "The old man"
                                    << "Continue";
    }
    void aLetterIsOneEntryOfTheMenuOfEveryKindOfModel() {
        QFETCH(QString, text);
        open(QString::fromUtf8(QTest::currentDataTag()), text);
        QTEST(window_->actions()[ActionId::Decode]->text().remove('&'), "name");
        QSet<QString> letters;
        for (const auto* entry : tests::some(window_->actions().menu("&Run")->actions())) {
            const QString letter = QKeySequence::mnemonic(entry->text()).toString();
            QVERIFY2(letter.isEmpty() || !letters.contains(letter), qPrintable(entry->text()));
            letters.insert(letter);
        }
    }

    void aTraceOfWeightsAloneIsShownInEveryView_data() {
        QTest::addColumn<QStringList>("kinds");
        const QStringList all{"encoder_self", "decoder_self", "cross"};
        QTest::newRow("all") << all;
        QTest::newRow("encoder and cross") << QStringList{all[0], all[2]};
        for (const QString& kind : all)
            QTest::newRow(qPrintable(kind)) << QStringList{kind};
    }

    void aTraceOfWeightsAloneIsShownInEveryView() {
        QFETCH(QStringList, kinds);
        open(weightsAlone(kinds), {});
        auto* bench = tests::bench(*window_);
        for (const auto kind : {trace::AttentionKind::EncoderSelf, trace::AttentionKind::DecoderSelf,
                                trace::AttentionKind::Cross}) {
            window_->selection()->setHead({{kind, 1}, 1});
            for (const auto* view : bench->views()) {
                bench->show(bench->keyOf(view));
                window_->selection()->setHover(widgets::TokenFocus::cell(kind, 1, 2));
                window_->selection()->setStep(1);
                QTest::qWait(5);
            }
            window_->selection()->setHover({});
        }
        QCOMPARE(run()->encoder.size(), kinds.contains("encoder_self") ? 2u : 0u);
    }

    void theFrameSaysThatATraceIsOpen() {
        open(weightsAlone({"cross"}), {});
        QCOMPARE(window_->windowTitle(), QString("cross (trace) - Headscope"));
        const auto* button = window_->findChild<QPushButton*>("model");
        QCOMPARE(button->text(), QString("cross (trace)"));
        QVERIFY2(button->toolTip().contains("one recorded run"), qPrintable(button->toolTip()));
        const auto& actions = window_->actions();
        for (const auto& id :
             std::vector<app::ActionKey>{ActionId::Decode, "reference", ActionId::DecodingOptions,
                                         ActionId::ToggleHead, "importance"}) {
            QVERIFY2(!actions[id]->isEnabled(), qPrintable(actions[id]->text()));
            QVERIFY2(actions[id]->toolTip().contains("This is a trace"), qPrintable(actions[id]->toolTip()));
        }
        QVERIFY(actions[ActionId::ToStart]->isEnabled()); // what it holds is walked through
        const QString badge = window_->findChild<widgets::SelfCheckBadge*>()->words();
        QVERIFY2(badge.endsWith("trace: numbers verified; full pass not checked"), qPrintable(badge));
        const auto* add = window_->findChild<widgets::WhatIfView*>()->findChild<QToolButton*>();
        QVERIFY(!add->isEnabled() && add->toolTip().contains("This is a trace"));
        window_->openModel("toy-copy");
        QTRY_COMPARE_WITH_TIMEOUT(window_->windowTitle(), QString("toy-copy - Headscope"), 30000);
        QCOMPARE(button->toolTip(), QString("Open another model"));
        QVERIFY(actions[ActionId::Decode]->isEnabled() && actions[ActionId::ToggleHead]->isEnabled());
        QVERIFY(add->isEnabled());
    }

    void aTraceTakesNoChanges() {
        open(weightsAlone({"cross"}), {});
        const trace::HeadAddress head{{trace::AttentionKind::Cross, 1}, 1};
        window_->selection()->setHead(head);
        window_->controller()->setInterventions({trace::withoutHead(head)});
        QVERIFY(window_->controller()->interventions().empty());
        auto* said = window_->findChild<app::MessagePanel*>();
        QVERIFY(said->isVisible());
        QVERIFY2(said->words().contains("A trace holds one run"), qPrintable(said->words()));
    }

    void aTranslatorHasNoViewOfClasses() {
        open({}, "The old man reads a book.");
        QVERIFY(!window_->actions()["classifier"]->isEnabled());
    }
};

HEADSCOPE_WATCHED_TEST(ScaleWindowTest)
#include "scale_window_test.moc"
