#include "widgets/run_to_editor.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace headscope::widgets {

RunToEditor::RunToEditor(QWidget* parent)
    : QWidget(parent), text_(new QLineEdit(this)), doubtful_(new QCheckBox(tr("Probability &below"), this)),
      below_(new QDoubleSpinBox(this)), outcome_(new QLabel(this)) {
    setAccessibleName(tr("Run to"));
    text_->setAccessibleName(tr("Output contains"));
    text_->setPlaceholderText(tr("a word or a token"));
    text_->setToolTip(tr("Stops at the token that completes this text in the output"));
    below_->setAccessibleName(tr("Probability below"));
    below_->setRange(0, 1);
    below_->setSingleStep(0.05);
    below_->setValue(0.5);
    doubtful_->setToolTip(tr("Stops at a token that was chosen with less probability than this"));
    below_->setToolTip(doubtful_->toolTip());
    outcome_->setTextFormat(Qt::PlainText);
    outcome_->setWordWrap(true);
    auto* run = new QPushButton(tr("&Run to There"), this);
    run->setToolTip(tr("From the step after the current one (Enter)"));
    auto* form = new QFormLayout(this);
    form->addRow(tr("&Output contains"), text_);
    form->addRow(doubtful_, below_);
    form->addRow(run);
    form->addRow(outcome_);
    for (const QLineEdit* line : {text_, below_->findChild<QLineEdit*>()})
        connect(line, &QLineEdit::returnPressed, this, &RunToEditor::run);
    connect(run, &QPushButton::clicked, this, &RunToEditor::run);
    connect(below_, &QDoubleSpinBox::valueChanged, this, [this] { doubtful_->setChecked(true); });
}

analysis::BreakCondition RunToEditor::condition() const {
    analysis::BreakCondition condition{.text = text_->text().trimmed().toStdString()};
    if (doubtful_->isChecked())
        condition.below = below_->value();
    return condition;
}

void RunToEditor::setOutcome(const QString& words) {
    outcome_->setText(words);
}

void RunToEditor::startTyping() {
    text_->setFocus(Qt::ShortcutFocusReason);
    text_->selectAll();
}

void RunToEditor::run() {
    const auto wanted = condition();
    if (wanted.empty())
        setOutcome(tr("Type a word, or tick the probability, to say where to stop."));
    else
        Q_EMIT runRequested(wanted);
}

} // namespace headscope::widgets
