#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/widgets/compared_runs.h"
#include "widgets/change_words.h"
#include "widgets/step_comparison_view.h"
#include "widgets/what_if_panel.h"

using namespace headscope;
using namespace headscope::widgets;

class WhatIfPanelTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<WhatIfPanel> panel_;

    QListWidget* list() { return panel_->findChild<QListWidget*>(); }
    StepComparisonView* steps() { return panel_->findChild<StepComparisonView*>(); }

    void showComparison() {
        const auto runs = example::comparedRuns();
        panel_->setModel(runs.changed->model);
        panel_->setInterventions(example::changes());
        panel_->setRuns(runs.changed, runs.undisturbed, runs.forced);
        panel_->resize(320, 640);
        panel_->show();
        QVERIFY(QTest::qWaitForWindowExposed(panel_.get()));
    }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<Selection>();
        panel_ = std::make_unique<WhatIfPanel>(selection_.get());
    }

    void changesAreListedInPlainWordsWithTheirOption() {
        showComparison();
        QCOMPARE(list()->count(), 5);
        QCOMPARE(list()->item(0)->text(), QString("Cross-attention, layer 3, head 6: switched off"));
        QVERIFY(list()->item(0)->toolTip().contains("--disable-head cross.2.5"));
        QCOMPARE(list()->item(1)->checkState(), Qt::Unchecked);
        QVERIFY2(list()->item(2)->text().contains("daughter"), qPrintable(list()->item(2)->text()));
    }

    void theListIsAsHighAsItsWrappedRows() {
        showComparison();
        for (const int width : {320, 200, 600}) {
            panel_->resize(width, 900);
            const auto bottom = [this] { return list()->visualItemRect(list()->item(4)).bottom(); };
            QTRY_VERIFY(bottom() < list()->viewport()->height() &&
                        bottom() > list()->viewport()->height() - 4);
        }
    }

    void whatMetNothingSaysSo() {
        showComparison();
        QVERIFY(list()->item(4)->text().contains("met nothing"));
        QVERIFY(list()->item(4)->toolTip().contains("no such row"));
        QVERIFY(!list()->item(3)->text().contains("met nothing"));
    }

    void aCheckBoxSwitchesAndDeleteRemoves() {
        showComparison();
        QSignalSpy switched(panel_.get(), &WhatIfPanel::switched);
        list()->item(0)->setCheckState(Qt::Unchecked);
        QCOMPARE(switched.size(), 1);
        QCOMPARE(switched.front(), (QVariantList{0, false}));
        QSignalSpy removed(panel_.get(), &WhatIfPanel::removed);
        list()->setCurrentRow(2);
        QTest::keyClick(list(), Qt::Key_Delete);
        QCOMPARE(removed.size(), 1);
        QCOMPARE(removed.front().front().toInt(), 2);
    }

    void showingAListAsksForNothing() {
        QSignalSpy switched(panel_.get(), &WhatIfPanel::switched);
        showComparison();
        panel_->setInterventions({});
        QVERIFY(switched.isEmpty());
    }

    void changedWordsAreMarkedInBothOutputs() {
        showComparison();
        const QString words = panel_->comparisonWords();
        QVERIFY2(words.contains("<s>seiner</s>"), qPrintable(words));
        QVERIFY(words.contains("<u>ihrer</u>"));
        QVERIFY(words.contains("rotes Buch."));
        QVERIFY(words.contains("log-probability"));
    }

    void whatTokensHoldIsNoMarkup() {
        auto runs = example::comparedRuns();
        runs.changed->next[0].piece = "<img src=x>";
        panel_->setRuns(runs.changed, runs.undisturbed, runs.forced);
        QVERIFY(panel_->comparisonWords().contains("&lt;img"));
    }

    void aClickOnAStepGoesThere() {
        showComparison();
        QCOMPARE(steps()->steps().size(), 12u);
        QTest::mouseClick(steps(), Qt::LeftButton, {}, steps()->stepRect(7).center().toPoint());
        QCOMPARE(selection_->step(), 7);
        steps()->setFocus();
        QTest::keyClick(steps(), Qt::Key_Left);
        QCOMPARE(selection_->step(), 6);
        QVERIFY(steps()->stepInWords(7).contains("KL"));
    }

    void theLiftedMaskIsExplained() {
        auto runs = example::comparedRuns();
        runs.changed->request.interventions = {{trace::LiftMask{}}};
        panel_->setRuns(runs.changed, runs.undisturbed, runs.forced);
        QVERIFY(panel_->comparisonWords().contains("trained with the mask"));
        runs.changed->request.paths.back().newTokens = 0;
        panel_->setRuns(runs.changed, runs.undisturbed, runs.forced);
        QVERIFY(!panel_->comparisonWords().contains("trained with the mask"));
    }

    void theAddMenuOffersAllKinds() {
        showComparison();
        Q_EMIT panel_->addMenu()->aboutToShow();
        QCOMPARE(panel_->addMenu()->actions().size(), 9);
        QSignalSpy added(panel_.get(), &WhatIfPanel::added);
        panel_->addMenu()->actions().back()->trigger(); // needs no editor
        QCOMPARE(added.size(), 1);
        QVERIFY(std::holds_alternative<trace::LiftMask>(added.front().front().value<trace::Change>()));
    }

    void withoutChangesItSaysHowToMakeOne() {
        panel_->show();
        QVERIFY(!list()->isVisible());
        QVERIFY(!steps()->isVisible());
        for (const auto* button : panel_->findChildren<QPushButton*>())
            QVERIFY(!button->isEnabled() && !button->toolTip().isEmpty());
    }

    void everyChangeHasWords_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("title");
        QTest::newRow("off") << "--disable-head"
                             << "cross.2.5"
                             << "Disable cross.2.5";
        QTest::newRow("scaled") << "--scale-head"
                                << "cross.2.5=0.5"
                                << "Scale cross.2.5 by 0.5";
        QTest::newRow("sublayer") << "--scale-sublayer"
                                  << "decoder-ff.1=0"
                                  << "Scale decoder-ff.1 by 0";
        QTest::newRow("cell") << "--block"
                              << "cross.2.5:3,4"
                              << "Block cross.2.5 cell 3, 4";
        QTest::newRow("mean") << "--mean-head"
                              << "cross.2.5"
                              << "Replace cross.2.5 by Its Mean";
        QTest::newRow("mask") << "--no-mask"
                              << ""
                              << "Lift the Subsequent Mask";
        QTest::newRow("shift") << "--positions"
                               << "shift:-2"
                               << "Shift Positions by -2";
    }

    void everyChangeHasWords() {
        QFETCH(QString, option);
        QFETCH(QString, argument);
        QFETCH(QString, title);
        const auto change = trace::parseChange({option.toStdString(), argument.toStdString()});
        QCOMPARE(changeTitle(change), title);
        QVERIFY(!changeInWords(change, nullptr).isEmpty());
        QCOMPARE(changeOption(change), (option + ' ' + argument).trimmed());
    }
};

QTEST_MAIN(WhatIfPanelTest)
#include "what_if_panel_test.moc"
