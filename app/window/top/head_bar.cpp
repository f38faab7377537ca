#include "app/window/top/head_bar.h"

#include "app/document/choice_actions.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/quantity.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace headscope::app {

HeadBar::HeadBar(widgets::Selection* selection, const Actions& actions, QWidget* parent)
    : QWidget(parent), selection_(selection) {
    auto* row = new widgets::FlowLayout(this);
    row->setSpacing(8);
    heads_ = new QComboBox(this);
    heads_->setAccessibleName(tr("Head"));
    heads_->setToolTip(tr("Kind of attention, layer and head. %1").arg(widgets::countingInWords()));
    heads_->setMinimumContentsLength(4);
    row->addWidget(heads_);
    role_ = new QToolButton(this);
    role_->setObjectName("role");
    role_->setAccessibleName(tr("Role of the head"));
    role_->setAutoRaise(true);
    constexpr int most = 140; // limit for large fonts
    // Fixed, so that neighbours do not move.
    role_->setFixedWidth(std::min(most, 20 * fontMetrics().averageCharWidth()));
    connect(role_, &QToolButton::clicked, this, &HeadBar::roleClicked);
    row->addWidget(role_);
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
    show->setMinimumContentsLength(10);
    show->view()->setMinimumWidth(show->view()->sizeHintForColumn(0) + 24);
    row->addWidget(show);
    row->addWidget(optionsButton(actions));
    connect(heads_, &QComboBox::activated, this,
            [this](int index) { selection_->setHead(heads_->itemData(index).value<trace::HeadAddress>()); });
    connect(selection_, &widgets::Selection::headChanged, this, &HeadBar::followHead);
}

/// A button with a menu of the map's display options; it shows how many are on.
QToolButton* HeadBar::optionsButton(const Actions& actions) {
    auto* button = new QToolButton(this);
    button->setText(tr("display"));
    button->setToolTip(tr("Colour scale, special tokens, words, colours per row, turning, numbers, bars"));
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
        button->setText(on > 0 ? tr("display (%1)").arg(on) : tr("display"));
    };
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

void HeadBar::setModel(std::shared_ptr<const trace::ModelSummary> model) {
    model_ = std::move(model);
    fillHeads();
}

void HeadBar::setRole(const QString& role, const QString& toolTip) {
    constexpr int margin = 8;
    role_->setText(role_->fontMetrics().elidedText(role, Qt::ElideRight, role_->width() - margin));
    role_->setToolTip(toolTip.isEmpty() ? QString() : tr("%1. %2").arg(role, toolTip));
    role_->setEnabled(!toolTip.isEmpty());
}

void HeadBar::fillHeads() {
    heads_->clear();
    filledKind_ = selection_->head().site.kind;
    if (!model_)
        return;
    for (int layer = 0; layer < model_->layers(filledKind_); ++layer)
        for (int head = 0; head < model_->heads(filledKind_); ++head) {
            const trace::HeadAddress address{{filledKind_, layer}, head};
            heads_->addItem(QString::fromStdString(trace::toString(address)), QVariant::fromValue(address));
        }
    followHead();
}

void HeadBar::followHead() {
    const auto address = selection_->head();
    if (address.site.kind != filledKind_) {
        fillHeads();
        return;
    }
    if (model_)
        heads_->setCurrentIndex(address.site.layer * model_->heads(filledKind_) + address.head);
}

} // namespace headscope::app
