#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QButtonGroup>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QMainWindow>
#include <QScrollBar>
#include <QSettings>
#include <QSlider>
#include <QSplitterHandle>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include "tests/app/window/all_places.h"
#include "tests/app/window/real_engine_window.h"
#include "tests/registered_test.h"
#include "widgets/controls/role_list.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/controls/token_strip.h"
#include "widgets/drawing/spacing.h"
#include "widgets/map/accessible_map.h"
#include "widgets/tables/column_table.h"

#include <set>
#include <utility>

using namespace headscope;

/// Keyboard, size of targets and layout in both directions, of everything that the window shows of the
/// bundled model.
class PeopleWindowTest : public tests::RealEngineWindow {
    Q_OBJECT

    QMap<QString, QString> faults_; ///< and the place where each was seen first
    int counted_ = 0;

    void fault(const std::string& place, const QWidget* widget, const QString& what) {
        QString name = widget->accessibleName();
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget); button && name.isEmpty())
            name = button->text();
        QStringList around;
        for (const auto* each = widget->parentWidget(); each && around.size() < 3;
             each = each->parentWidget())
            around += each->metaObject()->className();
        const auto words =
            QStringLiteral("%1 \"%2\" %3 in %4")
                .arg(widget->metaObject()->className(), name, what, around.join(QStringLiteral(" < ")));
        if (!faults_.contains(words))
            faults_[words] = QString::fromStdString(place);
    }
    void verifyNone() {
        qInfo("%d looked at", std::exchange(counted_, 0));
        const auto faults = std::exchange(faults_, {});
        for (const auto& [what, where] : faults.asKeyValueRange())
            qWarning("%s (%s)", qPrintable(what), qPrintable(where));
        QCOMPARE(faults.size(), 0);
    }

    template <class Widget>
    static bool isIn(const QWidget* widget) {
        for (const auto* each = widget->parentWidget(); each; each = each->parentWidget())
            if (qobject_cast<const Widget*>(each))
                return true;
        return false;
    }
    /// Returns buttons, fields, lists and tables, without their internal child widgets.
    static std::vector<QWidget*> clickable(const QWidget* in) {
        std::vector<QWidget*> all;
        for (auto* widget : in->findChildren<QWidget*>()) {
            const bool isOne = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
                               qobject_cast<QLineEdit*>(widget) || qobject_cast<QAbstractSpinBox*>(widget) ||
                               qobject_cast<QSlider*>(widget) || qobject_cast<QAbstractItemView*>(widget) ||
                               widget->cursor().shape() == Qt::PointingHandCursor;
            const bool isPart = isIn<QComboBox>(widget) || isIn<QAbstractSpinBox>(widget) ||
                                isIn<QLineEdit>(widget) || isIn<QAbstractItemView>(widget) ||
                                qobject_cast<QHeaderView*>(widget);
            if (isOne && !isPart && widget->isVisible() && widget->window() == in->window())
                all.push_back(widget);
        }
        return all;
    }

    static std::set<const QWidget*> reachedByTab(QWidget* window) {
        std::set<const QWidget*> reached;
        for (auto* next = window->nextInFocusChain(); next != window; next = next->nextInFocusChain())
            if ((next->focusPolicy() & Qt::TabFocus) && next->isEnabled() && next->isVisible())
                reached.insert(next->focusProxy() ? next->focusProxy() : next);
        return reached;
    }
    /// By Tab, by the arrow keys from another of its group, or by a key of its action, which the manual
    /// names.
    static bool isReached(const QWidget* widget, const std::set<const QWidget*>& byTab) {
        if (byTab.contains(widget) || (widget->focusProxy() && byTab.contains(widget->focusProxy())))
            return true;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const auto* tool = qobject_cast<const QToolButton*>(widget);
        return (tool && tool->defaultAction() && !tool->defaultAction()->shortcut().isEmpty()) ||
               (button && button->group() && button->group()->exclusive() &&
                std::ranges::any_of(button->group()->buttons(),
                                    [&](auto* each) { return byTab.contains(each); }));
    }
    void checkKeys(const std::string& place, QWidget* window) {
        const auto byTab = reachedByTab(window);
        for (auto* widget : clickable(window)) {
            if (!widget->isEnabled())
                continue;
            ++counted_;
            if (!isReached(widget, byTab))
                fault(place, widget, "is not reached by Tab");
        }
    }
    static QImage around(QWidget* widget) {
        const QRect area(widget->mapTo(widget->window(), QPoint()), widget->size());
        return widget->window()->grab(area.adjusted(-3, -3, 3, 3)).toImage();
    }
    void checkFocus(const std::string& place, QWidget* window) {
        window->setAttribute(Qt::WA_KeyboardFocusChange); // as the key Tab does
        for (const auto* each : reachedByTab(window)) {
            auto* widget = const_cast<QWidget*>(each);
            if (widget->visibleRegion().isEmpty())
                continue; // scrolled away: it comes to sight with the focus
            window->setFocus();
            const QImage without = around(widget);
            widget->setFocus(Qt::TabFocusReason);
            if (!widget->hasFocus())
                continue;
            ++counted_;
            if (around(widget) == without)
                fault(place, widget, "does not show that it has the focus");
        }
        window->setFocus();
    }

    static constexpr int least = widgets::space::target;
    /// A table that shows every token or stage without scrolling. The tokens above the workspaces, which are
    /// large enough, choose the same.
    static bool isFigure(const QWidget* widget) {
        const auto* table = qobject_cast<const widgets::ColumnTable*>(widget);
        return table && table->isFitted();
    }
    /// In the words about roles.
    static bool isLink(const QWidget* widget) {
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        return button && isIn<widgets::RoleList>(button) && !button->isCheckable();
    }
    void checkTargets(const std::string& place, QWidget* window) {
        const auto check = [&](const QWidget* of, const QString& what, QSize size) {
            ++counted_;
            if (size.width() < least || size.height() < least)
                fault(place, of, QStringLiteral("%1 %2x%3").arg(what).arg(size.width()).arg(size.height()));
        };
        for (auto* widget : clickable(window)) {
            if (isFigure(widget) || isLink(widget))
                continue;
            if (const auto* list = qobject_cast<QAbstractItemView*>(widget)) {
                if (const auto row = list->indexAt(QPoint(3, 3)); row.isValid())
                    check(list, "row", list->visualRect(row).size().expandedTo({least, 0}));
            } else {
                check(widget, "", widget->size());
            }
        }
        for (const auto* tabs : window->findChildren<QTabBar*>())
            for (int tab = 0; tab < tabs->count() && tabs->isVisible(); ++tab)
                check(tabs, "tab", tabs->tabRect(tab).size());
        for (const auto* chips : window->findChildren<widgets::TokenStrip*>())
            if (chips->isVisible() && chips->columnCount() > 0)
                check(chips, "chip", chips->chipRect(0).size());
    }

    void checkLayout(const std::string& place, QWidget* window) {
        for (auto* parent : window->findChildren<QWidget*>()) {
            if (!parent->isVisible() || qobject_cast<QAbstractScrollArea*>(parent) ||
                qobject_cast<QAbstractScrollArea*>(parent->parentWidget()) ||
                qobject_cast<QComboBox*>(parent) || qobject_cast<QAbstractSpinBox*>(parent) ||
                qobject_cast<QLineEdit*>(parent))
                continue;
            QList<QWidget*> seen;
            for (auto* child : parent->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
                if (child->isVisible() && !child->isWindow() && !child->size().isEmpty() &&
                    !qobject_cast<QSplitterHandle*>(child))
                    seen += child;
            for (auto* child : seen) {
                ++counted_;
                if (!parent->rect().adjusted(-1, -1, 1, 1).contains(child->geometry()))
                    fault(place, child, "is partly outside its parent");
                for (auto* other : seen) {
                    const QRect both = child->geometry() & other->geometry();
                    if (child < other && both.width() > 1 && both.height() > 1)
                        fault(place, child,
                              QStringLiteral("lies on %1").arg(other->metaObject()->className()));
                }
            }
        }
    }
    template <class Check>
    void everywhere(Check&& check) {
        tests::atEveryPlace(*window_, [&](const std::string& place) { check(place, window_.get()); });
        trigger(app::workspaceAction("heads"));
        for (const auto& action : tests::withWindows)
            tests::inWindowOf(*window_, action, [&](QWidget* opened) {
                check(window_->actions()[action]->text().toStdString(), opened);
            });
    }
    void openAt(QSize size) {
        QSettings().clear();
        open({.sentence = "I don't know who wrote this letter, but I like it."});
        window_->resize(size);
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    }

  private Q_SLOTS:
    void init() { openAt({1440, 900}); }
    void cleanup() {
        window_.reset();
        QApplication::setLayoutDirection(Qt::LeftToRight);
    }

    void everythingClickableIsReachedByKeys() {
        everywhere([this](const std::string& place, QWidget* window) { checkKeys(place, window); });
        verifyNone();
    }
    void theFocusIsSeen() {
        everywhere([this](const std::string& place, QWidget* window) { checkFocus(place, window); });
        verifyNone();
    }
    void targetsAreLargeEnough() {
        everywhere([this](const std::string& place, QWidget* window) { checkTargets(place, window); });
        verifyNone();
    }
    void nothingIsCutOrOverlapped() {
        everywhere([this](const std::string& place, QWidget* window) { checkLayout(place, window); });
        verifyNone();
    }
    void nothingIsCutOrOverlappedFromRightToLeft() {
        window_.reset();
        QApplication::setLayoutDirection(Qt::RightToLeft);
        openAt({1440, 900});
        everywhere([this](const std::string& place, QWidget* window) {
            checkLayout(place, window);
            for (auto* each : window->findChildren<QWidget*>()) {
                const auto* map = dynamic_cast<widgets::ReadableMap*>(each);
                if (map && each->isVisible() && map->rowCount() > 0 && map->columnCount() > 1 &&
                    map->cellArea({0, 0}).left() > map->cellArea({0, 1}).left() &&
                    map->cellArea({0, 0}).top() == map->cellArea({0, 1}).top())
                    fault(place, each, "runs from right to left");
            }
        });
        verifyNone();
        // The window itself is mirrored.
        const auto* sentence = window_->findChild<widgets::SentenceEdit*>();
        const auto* model = window_->findChild<QWidget*>("model");
        QVERIFY(model->mapTo(window_.get(), QPoint()).x() > sentence->mapTo(window_.get(), QPoint()).x());
    }

    void afterEnterTheArrowKeysStep() {
        window_->actions()[app::ActionId::EditSentence]->trigger();
        auto* field = qobject_cast<QLineEdit*>(window_->focusWidget());
        QVERIFY(field);
        field->clear();
        QTest::keyClicks(field, "The children are playing in the garden.");
        QTest::keyClick(field, Qt::Key_Return);
        settle();
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete);
        QVERIFY(!qobject_cast<QLineEdit*>(window_->focusWidget()));
        const int before = window_->selection()->step();
        QTest::keyClick(window_->focusWidget(), Qt::Key_Right);
        QCOMPARE(window_->selection()->step(), before + 1);
    }
};

HEADSCOPE_TEST_IN(QApplication, PeopleWindowTest)
#include "people_window_test.moc"
