#include "widgets/controls/run_to_editor.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>

namespace headscope::widgets {

RunToEditor::RunToEditor(QWidget* parent)
    : QWidget(parent), text_(new QLineEdit(this)), unsure_(new QCheckBox(tr("&Unsure below"), this)),
      below_(new QDoubleSpinBox(this)), outcome_(new QLabel(this)) {
    setAccessibleName(tr("Run Until"));
    text_->setAccessibleName(tr("Output contains"));
    text_->setPlaceholderText(tr("a word or a token"));
    text_->setToolTip(tr("Stops at the token that completes this text in the output"));
    below_->setAccessibleName(tr("Unsure below this probability"));
    below_->setRange(0, 1);
    below_->setSingleStep(0.05);
    unsure_->setToolTip(
        tr("Stops at a token chosen with a lower probability. Such tokens have an orange bar."));
    below_->setToolTip(unsure_->toolTip());
    outcome_->setTextFormat(Qt::PlainText);
    outcome_->setWordWrap(true);
    outcome_->hide();
    auto* run = new QPushButton(tr("&Run"), this);
    run->setToolTip(tr("From the step after the current one (Enter)"));
    auto* form = new QFormLayout(this);
    form->addRow(tr("&Output contains"), text_);
    form->addRow(unsure_, below_);
    form->addRow(run);
    form->addRow(outcome_);
    for (const QLineEdit* line : {text_, below_->findChild<QLineEdit*>()})
        connect(line, &QLineEdit::returnPressed, this, &RunToEditor::run);
    connect(run, &QPushButton::clicked, this, &RunToEditor::run);
    connect(below_, &QDoubleSpinBox::valueChanged, this, [this](double probability) {
        unsure_->setChecked(true);
        Q_EMIT unsureBelowChanged(probability);
    });
}

analysis::BreakCondition RunToEditor::condition() const {
    analysis::BreakCondition condition{.text = text_->text().trimmed().toStdString()};
    if (unsure_->isChecked())
        condition.below = below_->value();
    return condition;
}

double RunToEditor::unsureBelow() const {
    return below_->value();
}

void RunToEditor::setUnsureBelow(double probability) {
    const QSignalBlocker quiet(below_);
    below_->setValue(probability);
}

void RunToEditor::setOutcome(const QString& words) {
    outcome_->setText(words);
    outcome_->setVisible(!words.isEmpty());
}

void RunToEditor::startTyping() {
    text_->setFocus(Qt::ShortcutFocusReason);
    text_->selectAll();
}

void RunToEditor::run() {
    const auto wanted = condition();
    if (wanted.empty())
        setOutcome(tr("Type a word, or tick \"Unsure below\", to choose where to stop."));
    else
        Q_EMIT runRequested(wanted);
}

} // namespace headscope::widgets
