#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include "tests/watched_test.h"
#include "widgets/views/branches/branch_list.h"

using headscope::widgets::BranchList;

class BranchListTest : public QObject {
    Q_OBJECT

    std::unique_ptr<BranchList> list_;
    QTreeWidget* tree_ = nullptr;

    QPushButton* button(const QString& text) const {
        for (auto* button : list_->findChildren<QPushButton*>())
            if (button->text() == text)
                return button;
        return nullptr;
    }

  private Q_SLOTS:
    void init() {
        list_ = std::make_unique<BranchList>();
        list_->setBranches(
            {{"first", "Der alte Mann.", -1.5, 5, false}, {"second", "Ein Greis.", -4.2, 4, true}});
        tree_ = list_->findChild<QTreeWidget*>();
        list_->show();
    }

    void fillingItAsksForNothing() {
        QSignalSpy shown(list_.get(), &BranchList::showRequested);
        list_->setBranches({{"only", "Text", -1, 2, true}});
        QCOMPARE(shown.size(), 0);
        QCOMPARE(tree_->topLevelItemCount(), 1);
    }

    void aPercentSignInATextStaysThere() {
        list_->setBranches({{"100 %6", "%4 %5", -1, 2, true}});
        const QString words = tree_->topLevelItem(0)->data(0, Qt::AccessibleDescriptionRole).toString();
        QVERIFY2(words.startsWith("100 %6 (shown): %4 %5.") && words.endsWith("tokens: 2"),
                 qPrintable(words));
    }

    void itsNumbersAndItsFigureCanBeSaved() {
        list_->setProvenance("model; sentence");
        const auto table = list_->figureData().tables.at(0);
        QCOMPARE(std::get<std::vector<double>>(table.columns[1].values), (std::vector{-1.5, -4.2}));
        QCOMPARE(std::get<std::vector<double>>(table.columns[2].values), (std::vector{-0.3, -1.05}));
        QCOMPARE(std::get<std::vector<std::string>>(table.columns[5].values)[1], std::string("Ein Greis."));
        QCOMPARE(list_->figureText().provenance, QString("model; sentence"));
        QVERIFY(list_->figureSize().width() >= 480);
        list_->setBranches({});
        QVERIFY(!list_->hasFigure() && list_->figureData().empty());
    }

    void movingToABranchShowsIt() {
        QSignalSpy shown(list_.get(), &BranchList::showRequested);
        QCOMPARE(tree_->indexOfTopLevelItem(tree_->currentItem()), 1);
        QTest::keyClick(tree_, Qt::Key_Up);
        QCOMPARE(shown.size(), 1);
        QCOMPARE(shown.front().front().toInt(), 0);
    }

    void aNewNameIsTold() {
        QSignalSpy renamed(list_.get(), &BranchList::renamed);
        tree_->topLevelItem(0)->setText(0, " polite ");
        QCOMPARE(renamed.size(), 1);
        QCOMPARE(renamed.front().at(1).toString(), QString("polite"));
    }

    void deleteRemoves() {
        QSignalSpy removed(list_.get(), &BranchList::removeRequested);
        QTest::keyClick(tree_, Qt::Key_Delete);
        QCOMPARE(removed.size(), 1);
    }

    void theOnlyBranchCanNeitherBeRemovedNorCompared() {
        list_->setBranches({{"only", "Text", -1, 2, true}});
        QVERIFY(!button("Remove")->isEnabled());
        QVERIFY(!button("Compare")->isEnabled());
        QVERIFY(button("Remove")->toolTip().contains("one branch"));
    }

    void sumAndMeanAreShown() {
        QVERIFY(tree_->topLevelItem(0)->text(1).endsWith("1.5000"));
        QVERIFY(tree_->topLevelItem(0)->text(2).endsWith("0.3000"));
    }
};

HEADSCOPE_WATCHED_TEST(BranchListTest)
#include "branch_list_test.moc"
