#include "widgets/controls/snapshot_bar.h"

#include "widgets/controls/marked_slider.h"
#include "widgets/controls/view_choices.h"
#include "widgets/drawing/spacing.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

SnapshotBar::SnapshotBar(QWidget* parent)
    : QWidget(parent), row_(new QHBoxLayout(this)), slider_(new MarkedSlider(this)), where_(new QLabel(this)),
      keep_(new QCheckBox(tr("Same output for all snapshots"), this)) {
    auto* title = new QLabel(tr("Trained:"), this);
    title->setBuddy(slider_);
    slider_->setPageStep(1);
    slider_->setMinimumWidth(120);
    slider_->setAccessibleName(tr("Training time"));
    slider_->setToolTip(tr("The model at earlier steps of its training"));
    keep_->setChecked(true);
    keep_->setToolTip(tr("On: each snapshot reads the shown output, so that the maps keep their rows and "
                         "columns.\nOff: each snapshot decodes by itself."));
    row_->setContentsMargins(space::m, 0, space::m, 0);
    row_->setSpacing(space::s);
    row_->addWidget(title);
    row_->addWidget(slider_, 1);
    row_->addWidget(where_);
    row_->addWidget(keep_);
    connect(slider_, &QSlider::valueChanged, this, [this](int index) {
        sayWhere();
        Q_EMIT snapshotChosen(index);
    });
    setSnapshots({}, 0);
}

void SnapshotBar::setSnapshots(std::vector<std::int64_t> steps, int shown) {
    const QSignalBlocker quiet(slider_);
    steps_ = std::move(steps);
    slider_->setRange(0, std::max(0, count() - 1));
    slider_->setValue(shown);
    std::vector<double> marks;
    for (int at = 0; at < count(); ++at)
        marks.push_back(double(at) / std::max(1, count() - 1));
    slider_->setMarkedShares(std::move(marks));
    sayWhere();
    setVisible(count() > 1);
}

/// Reserves room for the action's longest name, for the same reason as sayWhere().
void SnapshotBar::addButton(QAction* action) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    row_->insertWidget(row_->indexOf(slider_), button);
    const auto keepRoom = [button] {
        button->setMinimumWidth(std::max(button->minimumWidth(), button->sizeHint().width()));
    };
    connect(action, &QAction::changed, button, keepRoom);
    keepRoom();
}

int SnapshotBar::shown() const {
    return slider_->value();
}

std::optional<std::int64_t> SnapshotBar::shownStep() const {
    return steps_.empty() ? std::nullopt : std::optional(steps_[shown()]);
}

void SnapshotBar::setKeepsOutput(bool keeps) {
    keep_->setChecked(keeps);
}

bool SnapshotBar::keepsOutput() const {
    return keep_->isChecked();
}

void SnapshotBar::addChoices(ViewChoices& choices) {
    choices.add("window", "same-output", keep_);
}

void SnapshotBar::choose(int index) {
    if (index >= 0 && index < count())
        slider_->setValue(index);
}

/// Reserves room for the longest text, so that the slider does not move under the pointer.
void SnapshotBar::sayWhere() {
    if (steps_.empty())
        return;
    const QLocale locale;
    const auto words = [&](std::int64_t step) {
        return tr("%1 of %2 steps")
            .arg(locale.toString(qlonglong(step)), locale.toString(qlonglong(steps_.back())));
    };
    where_->setMinimumWidth(where_->fontMetrics().horizontalAdvance(words(steps_.back())) + 2);
    where_->setText(words(steps_[shown()]));
    slider_->setAccessibleDescription(where_->text());
}

} // namespace headscope::widgets
