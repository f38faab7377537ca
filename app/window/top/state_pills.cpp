#include "app/window/top/state_pills.h"

#include "widgets/controls/pill.h"
#include "widgets/controls/snapshot_bar.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>

namespace headscope::app {

namespace {

void tell(QLabel* pill, const QString& words, const QString& toolTip = {}) {
    pill->setText(words);
    pill->setToolTip(toolTip);
    pill->setVisible(!words.isEmpty());
}

} // namespace

StatePills::StatePills(const Document* document, const widgets::SnapshotBar* snapshots, QWidget* parent)
    : QWidget(parent), document_(document), snapshots_(snapshots) {
    setAccessibleName(tr("State"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(widgets::space::s);
    baseline_ = add();
    forced_ = add();
    snapshot_ = add();
    recording_ = add();
    connect(document, &Document::stateChanged, this, &StatePills::follow);
    paintPills();
    follow();
}

QLabel* StatePills::add() {
    auto* label = new QLabel(this);
    label->setTextFormat(Qt::PlainText);
    layout()->addWidget(label);
    pills_.push_back(label);
    return label;
}

void StatePills::follow() {
    const auto& state = document_->state();
    const auto& run = state.run;
    tell(baseline_, widgets::hasTwin(state) ? tr("random twin") : QString(),
         tr("Numbers are shown next to those of the same network with random weights"));
    // The prompt of a decoder alone is given, not forced.
    const bool isForced = run && run->forcedRows > 0 && run->model->attendsToSource;
    tell(forced_, isForced ? tr("forced") : QString(), tr("Tokens with a lock were not chosen by the model"));
    const auto step = snapshots_->shownStep();
    tell(snapshot_, step ? tr("step %1").arg(QLocale().toString(qlonglong(*step))) : QString(),
         tr("A snapshot of the training"));
    tell(recording_, state.model && state.model->recorded ? tr("recording") : QString(),
         tr("A recording, opened without its model. To see what was not recorded, open the model."));
    setVisible(!words().isEmpty());
}

QStringList StatePills::words() const {
    QStringList seen;
    for (const auto* label : pills_)
        if (!label->isHidden())
            seen += label->text();
    return seen;
}

void StatePills::paintPills() {
    const auto& theme = widgets::themeOf(palette());
    for (auto* label : pills_)
        label->setStyleSheet(widgets::pillStyle(theme.faintText, theme.panel, theme.line));
}

void StatePills::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        paintPills();
}

} // namespace headscope::app
