#include "app/window/top/state_pills.h"

#include "widgets/controls/pill.h"
#include "widgets/controls/snapshot_bar.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/words/model_words.h"
#include "widgets/words/plain_text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>

namespace headscope::app {

namespace {

void tell(QLabel* pill, const QString& words, const QString& toolTip = {}) {
    pill->setText(words);
    widgets::setPlainToolTip(pill, toolTip);
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
    notes_ = add();
    unknown_ = add();
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
    const auto notes = state.model ? state.model->notes : std::vector<std::string>();
    QStringList sentences;
    for (const auto& note : notes)
        sentences += QString::fromStdString(note);
    tell(notes_,
         notes.empty()       ? QString()
         : notes.size() == 1 ? tr("1 note")
                             : tr("%1 notes").arg(notes.size()),
         tr("About the model's files:\n%1").arg(sentences.join('\n')));
    tell(unknown_, run ? widgets::unknownInShort(*run) : QString(),
         tr("%1\nUse words of the model's vocabulary. If the text is not made of words, choose File > Split "
            "Text by a Pattern.")
             .arg(run ? widgets::unknownInWords(*run) : QString()));
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
