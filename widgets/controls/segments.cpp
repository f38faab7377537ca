#include "widgets/controls/segments.h"

#include "widgets/drawing/window_style.h"
#include "widgets/words/plain_text.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>

namespace headscope::widgets {

Segments::Segments(const QString& name, const QStringList& titles, QWidget* parent)
    : QWidget(parent), group_(new QButtonGroup(this)) {
    setAccessibleName(name);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (const QString& title : titles) {
        auto* button = new QToolButton(this);
        button->setText(title);
        button->setAccessibleName(title);
        button->setCheckable(true);
        setLook(button, ButtonLook::Segment);
        button->setFocusPolicy(Qt::TabFocus);
        group_->addButton(button, group_->buttons().size());
        buttons_.push_back(button);
        row->addWidget(button);
    }
    buttons_.front()->setChecked(true);
    connect(group_, &QButtonGroup::idToggled, this, [this](int index, bool on) {
        if (on)
            Q_EMIT currentChanged(index);
    });
}

int Segments::currentIndex() const {
    return group_->checkedId();
}

void Segments::setCurrentIndex(int index) {
    buttons_.at(index)->setChecked(true);
}

void Segments::setToolTip(int index, const QString& words) {
    setPlainToolTip(buttons_.at(index), words);
}

void Segments::setEnabled(int index, bool isEnabled) {
    buttons_.at(index)->setEnabled(isEnabled);
}

void Segments::setShown(const std::vector<bool>& shown) {
    for (std::size_t i = 0; i < buttons_.size(); ++i)
        buttons_[i]->setVisible(shown.at(i));
    setVisible(std::ranges::count(shown, true) > 1);
}

} // namespace headscope::widgets
