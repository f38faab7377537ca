#include <QAbstractButton>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include "tests/model/analysis/hand_made_maps.h"
#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/controls/role_list.h"

#include <algorithm>
#include <optional>

using namespace headscope;
using namespace headscope::widgets;
using analysis::RoleKind;

/// Roles with their heads, or with the head that comes nearest.
class RoleListTest : public QObject {
    Q_OBJECT

    std::optional<RoleList> list_;
    std::shared_ptr<const trace::Run> run_ = example::run();
    std::vector<analysis::RoleAmongHeads> roles_ = analysis::rolesAmong(analysis::statisticsOfHeads(*run_));

    QList<QAbstractButton*> buttons(bool pills) const {
        QList<QAbstractButton*> found;
        for (auto* button : list_->findChildren<QAbstractButton*>())
            if (button->isCheckable() == pills && button->isVisibleTo(&*list_))
                found += button;
        return found;
    }

    /// The visible texts of labels, links and pills.
    QStringList texts() const {
        QStringList all;
        for (const auto* label : list_->findChildren<QLabel*>())
            if (label->isVisibleTo(&*list_))
                all += label->text();
        for (const auto* button : buttons(true) + buttons(false))
            all += button->text();
        return all;
    }

    const analysis::RoleAmongHeads& role(RoleKind kind, int offset = 0) const {
        return *std::ranges::find_if(
            roles_, [&](const auto& role) { return role.kind == kind && role.offset == offset; });
    }

  private Q_SLOTS:
    void init() {
        list_.emplace();
        list_->setRoles(roles_, run_.get());
        list_->resize(300, 400);
        list_->show();
        QVERIFY(QTest::qWaitForWindowExposed(&*list_));
    }
    void cleanup() { list_.reset(); }

    void everyRoleIsAPillOrARow() {
        const auto holders =
            std::ranges::count_if(roles_, [](const auto& role) { return !role.heads.empty(); });
        QVERIFY(holders > 0 && holders < std::ssize(roles_));
        QCOMPARE(buttons(true).size(), holders);
        QCOMPARE(buttons(false).size(), std::ssize(roles_) - holders);
        QVERIFY(texts().contains("aligns words"));
    }

    void aSinkSaysItsToken() {
        const auto end = std::ranges::find(run_->source, trace::TokenRole::End, &trace::Token::role);
        QVERIFY(texts().contains("sink " + QString::fromStdString(end->piece)));
        list_->setRoles(roles_, nullptr); // of a corpus
        QVERIFY(texts().contains("sink end token"));
    }

    void aRowSaysWhatTheNearestHeadHasAndWhatTheRoleNeeds() {
        const auto& next = role(RoleKind::Positional, 1);
        QVERIFY(next.nearest.has_value());
        const auto links = buttons(false);
        auto* const link = *std::ranges::find_if(
            links, [](const auto* link) { return link->accessibleName().contains("next token"); });
        const QString name = link->accessibleName(),
                      head = QString::fromStdString(toString(next.nearest->head));
        const QString has = QString("%1 %").arg(std::lround(next.nearest->role.number * 100));
        QVERIFY2(name.contains(head) && name.contains(has) && name.contains("90 %"), qPrintable(name));
        QVERIFY(texts().contains(has));
        QVERIFY(link->text().endsWith(head.section('.', 1)));
        QVERIFY(link->text() != head.section('.', 1)); // of three kinds
        QSignalSpy chosen(&*list_, &RoleList::headChosen);
        QTest::mouseClick(link, Qt::LeftButton);
        link->setFocus();
        QTest::keyClick(link, Qt::Key_Space);
        QCOMPARE(chosen.size(), 2);
        QVERIFY(chosen.front().front().value<trace::HeadAddress>() == next.nearest->head);
    }

    void aPillChoosesItsRoleAndLetsGoOfIt() {
        const auto& aligning = role(RoleKind::Aligning);
        std::vector<std::optional<analysis::RoleAmongHeads>> chosen;
        connect(&*list_, &RoleList::roleChosen, this, [&](const auto& role) { chosen.push_back(role); });
        const auto pills = buttons(true);
        auto* const pill =
            *std::ranges::find_if(pills, [](const auto* pill) { return pill->text() == "aligns words"; });
        QVERIFY(pill->accessibleName().contains(QString::number(aligning.heads.size())));
        QTest::mouseClick(pill, Qt::LeftButton);
        QVERIFY(pill->isChecked());
        QTest::mouseClick(pill, Qt::LeftButton);
        QVERIFY(!pill->isChecked());
        QCOMPARE(chosen.size(), std::size_t(2));
        QVERIFY(chosen[0] == aligning && !chosen[1]);
    }

    void onlyOnePillIsPressed() {
        for (auto* pill : buttons(true)) {
            QTest::mouseClick(pill, Qt::LeftButton);
            const auto pressed = std::ranges::count_if(buttons(true), &QAbstractButton::isChecked);
            QCOMPARE(pressed, 1);
        }
        list_->setChosen(role(RoleKind::Aligning));
        for (const auto* pill : buttons(true))
            QCOMPARE(pill->isChecked(), pill->text() == "aligns words");
        list_->setChosen(std::nullopt);
        QVERIFY(std::ranges::none_of(buttons(true), &QAbstractButton::isChecked));
    }

    void theSameRolesKeepThePressedPillAndOthersReplaceThem() {
        auto* const pill = buttons(true).front();
        pill->click();
        list_->setRoles(roles_, run_.get());
        QVERIFY(buttons(true).front() == pill && pill->isChecked());
        list_->setRoles({}, run_.get());
        QVERIFY(texts().isEmpty());
    }

    void ofOneKindTheKindIsNotSaid() {
        trace::Run run;
        run.source = hand_made::sentence(8);
        run.encoder = {hand_made::map(hand_made::encoder, 8, 8, hand_made::shifted)};
        list_->setRoles(analysis::rolesAmong(analysis::statisticsOfHeads(run)), &run);
        for (const auto* link : buttons(false))
            QCOMPARE(link->text(), QString("0.0"));
    }

    void everyPartHasAName() {
        QVERIFY(!list_->accessibleName().isEmpty());
        for (const auto* button : buttons(true) + buttons(false)) {
            QVERIFY(!button->accessibleName().isEmpty() && !button->toolTip().isEmpty());
            QVERIFY(button->focusPolicy() & Qt::TabFocus);
            QVERIFY(button->width() >= button->sizeHint().width());
        }
    }
};

HEADSCOPE_WATCHED_TEST(RoleListTest)
#include "role_list_test.moc"
