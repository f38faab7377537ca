#include "app/desktop/missing_settings_dialog.h"

#include "app/models/sidecar.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace headscope::app {

namespace {

constexpr int noId = -1;

QLabel* wrapped(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText); // it may quote a file of the model
    label->setWordWrap(true);
    return label;
}

/// Returns a readable name of a value, if there is one.
QString shownValue(const std::string& key, const std::string& value) {
    const QString text = QString::fromStdString(value);
    if (key == "norm")
        return value == "pre" ? MissingSettingsDialog::tr("before (pre)")
                              : MissingSettingsDialog::tr("after (post)");
    if (key == "activation")
        return value == "relu"   ? QString("ReLU")
               : value == "gelu" ? QString("GELU")
               : value == "silu" ? QString("SiLU (swish)")
                                 : MissingSettingsDialog::tr("GELU, approximated with tanh");
    return text;
}

QString number(double value) {
    return widgets::shownNumber(QLocale().toString(value, 'f', 2));
}

} // namespace

MissingSettingsDialog::MissingSettingsDialog(const std::filesystem::path& model,
                                             const std::vector<trace::MissingSetting>& settings,
                                             QWidget* parent)
    : QDialog(parent), settle_(new QTimer(this)) {
    setWindowTitle(tr("Model Settings of %1").arg(QString::fromStdString(model.filename().string())));
    setMinimumWidth(640);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(widgets::space::l, widgets::space::l, widgets::space::l, widgets::space::l);
    column->setSpacing(widgets::space::l);
    column->addWidget(wrapped(tr("These weights can be read in more than one way, and no accompanying file "
                                 "says which. Choose the settings that the model was trained with."),
                              this));
    column->addLayout(askAll(settings));
    says_ = wrapped({}, this);
    says_->setMinimumHeight(3 * fontMetrics().lineSpacing());
    says_->setAlignment(Qt::AlignTop);
    says_->setAccessibleName(tr("Facts about the model"));
    column->addWidget(says_);
    column->addStretch(1);
    offerSidecar(model);
    column->addWidget(write_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
    open_ = buttons->button(QDialogButtonBox::Open);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);

    settle_->setSingleShot(true);
    settle_->setInterval(250); // ids are typed digit by digit
    connect(settle_, &QTimer::timeout, this, &MissingSettingsDialog::wantTrials);
    takeAnswers();
}

QGridLayout* MissingSettingsDialog::askAll(const std::vector<trace::MissingSetting>& settings) {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(widgets::space::l);
    grid->setVerticalSpacing(widgets::space::s);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const auto& setting : settings) {
        questions_.push_back(ask(setting, *grid, row));
        row += 2;
    }
    return grid;
}

void MissingSettingsDialog::offerSidecar(const std::filesystem::path& model) {
    const auto folder = sidecarOf(model).parent_path();
    const bool writable = QFileInfo(QString::fromStdString(folder.string())).isWritable();
    write_ = new QCheckBox(tr("&Write to headscope.json next to the model"), this);
    write_->setEnabled(writable);
    write_->setToolTip(writable ? tr("Otherwise Headscope remembers the settings for this model.")
                                : tr("The model's folder is not writable."));
}

QSpinBox* MissingSettingsDialog::idField(const trace::MissingSetting& setting) {
    const auto last = std::min<std::int64_t>(setting.ids - 1, std::numeric_limits<int>::max());
    auto* id = new QSpinBox(this);
    id->setRange(noId, last);
    id->setValue(noId);
    id->setSpecialValueText(setting.need == trace::Need::Optional ? tr("not known") : tr("choose..."));
    id->setToolTip(tr("An id from 0 to %1, as set when the model was trained. Special tokens often have the "
                      "first ids: 0, 1, 2, 3.")
                       .arg(last));
    connect(id, &QSpinBox::valueChanged, this, &MissingSettingsDialog::takeAnswers);
    return id;
}

QComboBox* MissingSettingsDialog::choiceField(const trace::MissingSetting& setting) {
    auto* choice = new QComboBox(this);
    choice->setPlaceholderText(tr("choose..."));
    for (const auto& value : setting.possible)
        choice->addItem(shownValue(setting.key, value), QString::fromStdString(value));
    choice->setCurrentIndex(-1);
    choice->setToolTip(QString::fromStdString(setting.known));
    connect(choice, &QComboBox::currentIndexChanged, this, &MissingSettingsDialog::takeAnswers);
    return choice;
}

QLabel* MissingSettingsDialog::hintLabel() {
    auto* hint = wrapped({}, this);
    QPalette faint = hint->palette();
    faint.setColor(QPalette::WindowText, widgets::themeOf(palette()).faintText);
    hint->setPalette(faint);
    hint->setAlignment(Qt::AlignTop);
    hint->setFixedHeight(2 * fontMetrics().lineSpacing() + 8); // a fixed height avoids layout jumps
    return hint;
}

MissingSettingsDialog::Question MissingSettingsDialog::ask(const trace::MissingSetting& setting,
                                                           QGridLayout& grid, int row) {
    Question question{.setting = setting};
    QWidget* field = setting.possible.empty() ? static_cast<QWidget*>(question.id = idField(setting))
                                              : question.choice = choiceField(setting);
    const QString words = QString::fromStdString(setting.question);
    field->setObjectName(QString::fromStdString(setting.key));
    field->setAccessibleName(words);
    field->setMinimumWidth(220);
    auto* label = new QLabel(words, this);
    label->setTextFormat(Qt::PlainText);
    label->setBuddy(field);
    grid.addWidget(label, row, 0);
    grid.addWidget(field, row, 1, Qt::AlignLeft);
    if (question.choice) {
        question.hint = hintLabel();
        grid.addWidget(question.hint, row + 1, 0, 1, 2);
    }
    return question;
}

bool MissingSettingsDialog::writesSidecar() const {
    return write_->isChecked();
}

void MissingSettingsDialog::takeAnswers() {
    answers_.clear();
    std::vector<trace::MissingSetting> settings;
    for (const auto& question : questions_) {
        settings.push_back(question.setting);
        if (question.id && question.id->value() != noId)
            answers_[question.setting.key] = std::to_string(question.id->value());
        else if (question.choice && question.choice->currentIndex() >= 0)
            answers_[question.setting.key] = question.choice->currentData().toString().toStdString();
    }
    ways_ = waysToAnswer(settings, answers_);
    const bool complete = isComplete(settings, answers_);
    open_->setEnabled(complete);
    open_->setToolTip(complete ? QString() : tr("Still to choose: %1").arg(stillOpen()));
    settle_->start();
    showHints();
}

QString MissingSettingsDialog::stillOpen() const {
    QStringList open;
    for (const auto& question : questions_)
        if (question.setting.need != trace::Need::Optional && !answers_.contains(question.setting.key))
            open += QString::fromStdString(question.setting.question);
    return open.join(' ');
}

void MissingSettingsDialog::wantTrials() {
    std::vector<ModelSettings> wanted;
    std::ranges::copy_if(ways_, std::back_inserter(wanted),
                         [this](const ModelSettings& way) { return !trials_.wasTried(way); });
    Q_EMIT trialsWanted(wanted);
}

void MissingSettingsDialog::addTrial(const ModelSettings& way, const std::optional<engine::Trial>& trial) {
    trials_.add(way, trial);
    showHints();
}

void MissingSettingsDialog::showHints() {
    for (const auto& question : questions_) {
        if (!question.choice)
            continue;
        question.hint->setText(hint(question));
        for (int i = 0; i < question.choice->count(); ++i)
            question.choice->setItemText(i, shownAnswer(question, i));
    }
    says_->setText(sentenceOfTrials());
}

/// Returns an answer with its trial result, if known.
QString MissingSettingsDialog::shownAnswer(const Question& question, int index) const {
    const auto& [key, value] = std::pair(question.setting.key, question.setting.possible.at(index));
    const auto* best = trials_.best(ways_, key, value, answers_);
    const QString shown = shownValue(key, value);
    return best ? tr("%1   (%2 per token)").arg(shown, number(best->meanLogProbability)) : shown;
}

/// Compares the best answer with the runner-up, and says so if the difference is too small to decide.
QString MissingSettingsDialog::hint(const Question& question) const {
    constexpr double tellingRatio = 1.2;
    const auto& setting = question.setting;
    std::vector<std::pair<double, QString>> byHowSure;
    for (const auto& value : setting.possible)
        if (const auto* best = trials_.best(ways_, setting.key, value, answers_))
            byHowSure.emplace_back(best->meanLogProbability, shownValue(setting.key, value));
    if (byHowSure.size() < 2)
        return {};
    std::ranges::stable_sort(byHowSure, std::greater(), &std::pair<double, QString>::first);
    const auto& [first, surest] = byHowSure[0];
    const auto& [second, next] = byHowSure[1];
    const auto& [last, leastSure] = byHowSure.back();
    if (second > first * tellingRatio) // both are negative
        return tr("Equally plausible: %1 (%2) and %3 (%4). The trial favours neither.")
            .arg(surest, number(first), next, number(second));
    QString words = tr("Best trial: %1 (mean log-probability %2); runner-up %3 (%4)")
                        .arg(surest, number(first), next, number(second));
    if (byHowSure.size() > 2)
        words += tr("; worst %1 (%2)").arg(leastSure, number(last));
    return words + ".";
}

QString MissingSettingsDialog::sentenceOfTrials() const {
    if (ways_.empty())
        return tr(
            "Choose the decoder's first id to try each setting and see its mean log-probability. Special "
            "tokens often have the first ids, 0 to 3; with the right id the output ends by itself.");
    const auto tried =
        std::ranges::count_if(ways_, [&](const ModelSettings& way) { return trials_.wasTried(way); });
    QStringList lines;
    if (const auto* trial = trials_.trial(ways_.front()); trial && answers_ == ways_.front())
        lines += tr("Trial input: %1. Output: %2. If the training sources ended with an end token, append "
                    "that id to the input: the file does not contain this information.")
                     .arg(QString::fromStdString(trial->input), QString::fromStdString(trial->output));
    const auto all = static_cast<qsizetype>(ways_.size());
    if (tried < all)
        lines += tr("Trying settings: %1 of %2.").arg(tried).arg(all);
    else if (std::ranges::none_of(ways_, [&](const ModelSettings& way) { return trials_.trial(way); }))
        lines += tr("This model does not decode, so the settings cannot be tried.");
    return lines.join('\n');
}

} // namespace headscope::app
