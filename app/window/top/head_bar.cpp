#include "app/window/top/head_bar.h"

#include "app/document/choice_actions.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/pill.h"
#include "widgets/drawing/icons.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/type_scale.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/quantity.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace headscope::app {

HeadBar::HeadBar(const Actions& actions, QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), role_(new QToolButton(this)), change_(new QLabel(this)),
      modes_(new QWidget(this)) {
    auto* row = new widgets::FlowLayout(this);
    row->setSpacing(widgets::space::s);
    title_->setAccessibleName(tr("Head"));
    title_->setTextFormat(Qt::PlainText);
    widgets::setTextRole(title_, widgets::TextRole::Title);
    title_->setToolTip(widgets::countingInWords());
    role_->setObjectName("role");
    connect(role_, &QToolButton::clicked, this, &HeadBar::roleClicked);
    change_->setAccessibleName(tr("Change to the head"));
    auto* gap = new QWidget(this); // the rest stands at the right
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* modes = new widgets::FlowLayout(modes_);
    modes->setSpacing(0);
    for (QWidget* part : std::initializer_list<QWidget*>{title_, role_, change_, gap, modes_})
        row->addWidget(part);
    QStringList names;
    for (const auto quantity : widgets::allQuantities)
        names += widgets::quantityName(quantity);
    const auto actionsOf = [&actions](const widgets::ChoiceSpec& choice) {
        std::vector<QAction*> all;
        for (const ActionId id : ChoiceActions::of(choice.view, choice.name))
            all.push_back(actions[id]);
        return all;
    };
    auto* show = choiceOf(tr("Quantity"), names, actionsOf(widgets::quantityChoice()));
    for (int i = 0; i < show->count(); ++i)
        show->setItemData(i, widgets::quantityInWords(widgets::allQuantities[i]), Qt::ToolTipRole);
    // Truncates the selected name: the longest ones fit the open list only.
    show->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    show->setMinimumContentsLength(9);
    show->view()->setMinimumWidth(show->view()->sizeHintForColumn(0) + 24);
    row->addWidget(show);
    row->addWidget(optionsButton(actions));
    actions[ActionId::SavePicture]->setIcon(widgets::icon("image"));
    actions[ActionId::SavePicture]->setIconVisibleInMenu(false);
    auto* save = new QToolButton(this);
    save->setObjectName("save");
    save->setDefaultAction(actions[ActionId::SavePicture]);
    save->setFocusPolicy(Qt::TabFocus);
    save->setAccessibleName(tr("Export picture"));
    row->addWidget(save);
    setRole({}, {});
    setChange({});
    style();
}

/// A button with a menu of the map's display options; it shows how many are on.
QToolButton* HeadBar::optionsButton(const Actions& actions) {
    auto* button = new QToolButton(this);
    button->setIcon(widgets::icon("display"));
    button->setToolTip(
        tr("Colour scale, special tokens, words, colours per row, transposing, numbers, bars"));
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    menu->setToolTipsVisible(true);
    button->setMenu(menu);
    for (const ActionId id : ChoiceActions::of(widgets::scaleChoice().view, widgets::scaleChoice().name))
        menu->addAction(actions[id]);
    menu->addSeparator();
    std::vector<QAction*> all;
    for (const auto& choice : widgets::sharedChoices())
        if (choice.kind == widgets::ChoiceSpec::Kind::Flag)
            for (const ActionId id : ChoiceActions::of(choice.view, choice.name)) {
                menu->addAction(actions[id]);
                all.push_back(actions[id]);
            }
    const auto count = [button, all] {
        const auto on = std::ranges::count_if(all, [](const QAction* action) { return action->isChecked(); });
        button->setText(on > 0 ? tr("Display (%1)").arg(on) : tr("Display"));
        button->setToolButtonStyle(on > 0 ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    };
    count();
    for (QAction* action : all)
        connect(action, &QAction::toggled, button, count);
    return button;
}

/// A combo box for an exclusive group of checkable actions.
QComboBox* HeadBar::choiceOf(const QString& name, const QStringList& shown,
                             const std::vector<QAction*>& actions) {
    auto* box = new QComboBox(this);
    box->setAccessibleName(name);
    for (int i = 0; i < std::ssize(actions); ++i) {
        box->addItem(shown[i]);
        box->setItemData(i, actions[i]->toolTip(), Qt::ToolTipRole);
        connect(actions[i], &QAction::toggled, box, [box, i](bool on) {
            if (on)
                box->setCurrentIndex(i);
        });
        connect(actions[i], &QAction::changed, box,
                [box, action = actions[i]] { box->setEnabled(action->isEnabled()); });
    }
    connect(box, &QComboBox::activated, this, [actions](int index) { actions[index]->trigger(); });
    return box;
}

void HeadBar::setTitle(const QString& title) {
    title_->setText(title);
}

void HeadBar::setRole(const QString& role, const QString& toolTip) {
    role_->setText(role);
    role_->setAccessibleName(tr("Role of the head: %1").arg(role));
    role_->setToolTip(toolTip.isEmpty() ? QString() : tr("%1. %2").arg(role, toolTip));
    fit();
}

void HeadBar::setChange(const QString& change) {
    change_->setText(change);
    change_->setVisible(!change.isEmpty());
}

/// The role is seen where all fits in one line.
void HeadBar::fit() {
    const bool isSeen = !role_->isHidden();
    const int ofRole = role_->sizeHint().width() + layout()->spacing();
    const int whole = layout()->sizeHint().width() + (isSeen ? 0 : ofRole);
    role_->setVisible(!role_->text().isEmpty() && whole <= width());
}

bool HeadBar::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) // a part has another size
        fit();
    return QWidget::event(event);
}

void HeadBar::style() {
    const auto& theme = widgets::themeOf(palette());
    role_->setStyleSheet(widgets::pillStyle(theme.faintText, theme.panel, theme.line));
    change_->setStyleSheet(widgets::pillStyle(theme.changed, theme.changedSoft));
}

void HeadBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        style();
}

void HeadBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

} // namespace headscope::app
