#include "app/training/training_form.h"

#include "app/desktop/file_dialogs.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardPaths>

namespace headscope::app {

TrainingForm::TrainingForm(QWidget* parent)
    : QWidget(parent), rows_(new QFormLayout(this)), tasks_(new QComboBox(this)),
      file_(pathField(tr("File"), tr("Choose Training File"), false)),
      validation_(pathField(tr("Validation file"), tr("Choose Validation File"), false)),
      sizes_(new QComboBox(this)), steps_(new QSpinBox(this)),
      snapshots_(new QCheckBox(tr("&Keep snapshots"), this)), name_(new QLineEdit(this)),
      folder_(pathField(tr("Folder"), tr("Choose Output Folder"), true)) {
    tasks_->setAccessibleName(tr("Task"));
    tasks_->setObjectName("task");
    folder_.path->setObjectName("folder");
    tasks_->addItem(tr("Translate sentence pairs"));
    tasks_->addItem(tr("Classify labelled texts"));
    tasks_->addItem(tr("Copy random words (toy)"));
    tasks_->addItem(tr("Reverse random words (toy)"));
    tasks_->addItem(tr("From a configuration file"));
    sizes_->setAccessibleName(tr("Size of the model"));
    for (const QString& size : {tr("small"), tr("medium"), tr("large")})
        sizes_->addItem(size);
    steps_->setAccessibleName(tr("Steps"));
    steps_->setRange(1, 10'000'000);
    steps_->setGroupSeparatorShown(true);
    snapshots_->setToolTip(
        tr("Save the model at some steps. The window shows them with a slider over the training."));
    name_->setAccessibleName(tr("Name of the model"));
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    folder_.path->setText(QDir(documents.isEmpty() ? QDir::homePath() : documents).filePath("headscope"));
    addRows();
    connect(tasks_, &QComboBox::currentIndexChanged, this, &TrainingForm::follow);
    connect(sizes_, &QComboBox::currentIndexChanged, this, &TrainingForm::follow);
    connect(steps_, &QSpinBox::valueChanged, this, [this] {
        areStepsTyped_ = true;
        follow();
    });
    connect(snapshots_, &QCheckBox::toggled, this, &TrainingForm::follow);
    connect(name_, &QLineEdit::textEdited, this, [this] { isNameTyped_ = true; });
    for (QLineEdit* field : {file_.path, validation_.path, name_, folder_.path})
        connect(field, &QLineEdit::textChanged, this, &TrainingForm::follow);
    follow();
}

TrainingForm::PathField TrainingForm::pathField(const QString& name, const QString& title, bool ofFolder) {
    auto* row = new QWidget(this);
    auto* path = new QLineEdit(row);
    path->setAccessibleName(name);
    path->setMinimumWidth(180);
    auto* browse = new QPushButton(tr("Browse..."), row);
    browse->setAccessibleName(tr("Browse for: %1").arg(name));
    browse->setAutoDefault(false);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(path, 1);
    line->addWidget(browse);
    connect(browse, &QPushButton::clicked, this, [=, this] {
        const PathQuestion question{
            .window = this,
            .title = title,
            .start = path->text(),
            .filters = ofFolder ? QString()
                                : tr("Sentences and configurations (*.tsv *.tsv.gz *.json);;All files (*)")};
        const QString chosen = ofFolder ? askFolder(question) : askFileToOpen(question);
        if (chosen.isEmpty())
            return;
        if (path == file_.path)
            setFile(chosen);
        else
            path->setText(chosen);
    });
    return {row, path};
}

QLabel* TrainingForm::addHint() {
    auto* hint = widgets::wrappedLabel(this);
    hint->setAlignment(Qt::AlignTop);
    hint->setForegroundRole(QPalette::PlaceholderText);
    rows_->addRow(QString(), hint);
    return hint;
}

void TrainingForm::addRows() {
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    rows_->setRowWrapPolicy(QFormLayout::DontWrapRows);
    const auto add = [this](const QString& title, QWidget* field, QWidget* buddy = nullptr) {
        auto* label = new QLabel(title, this);
        label->setBuddy(buddy ? buddy : field);
        rows_->addRow(label, field);
    };
    add(tr("T&ask"), tasks_);
    add(tr("&File"), file_.row, file_.path);
    fileHint_ = addHint();
    add(tr("&Validation file"), validation_.row, validation_.path);
    validationHint_ = addHint();
    add(tr("Si&ze"), sizes_);
    sizeHint_ = addHint();
    add(tr("S&teps"), steps_);
    rows_->addRow(QString(), snapshots_);
    add(tr("&Name"), name_);
    add(tr("F&older"), folder_.row, folder_.path);
    outputHint_ = addHint();
}

TrainingTask TrainingForm::task() const {
    return static_cast<TrainingTask>(tasks_->currentIndex());
}

TrainingSize TrainingForm::size() const {
    return static_cast<TrainingSize>(sizes_->currentIndex());
}

TrainingPlan TrainingForm::plan() const {
    return {.task = task(),
            .file = file_.path->text().trimmed(),
            .validation = validation_.path->text().trimmed(),
            .size = size(),
            .steps = steps_->value(),
            .snapshots = snapshots_->isChecked(),
            .name = name_->text().trimmed(),
            .folder = folder_.path->text().trimmed()};
}

void TrainingForm::setPlan(const TrainingPlan& plan) {
    isNameTyped_ = areStepsTyped_ = true;
    tasks_->setCurrentIndex(static_cast<int>(plan.task));
    file_.path->setText(plan.file);
    validation_.path->setText(plan.validation);
    sizes_->setCurrentIndex(static_cast<int>(plan.size));
    steps_->setValue(plan.steps);
    snapshots_->setChecked(plan.snapshots);
    name_->setText(plan.name);
    folder_.path->setText(plan.folder);
}

void TrainingForm::setFile(const QString& path) {
    const bool isConfiguration = path.endsWith(".json", Qt::CaseInsensitive);
    if (isConfiguration)
        tasks_->setCurrentIndex(static_cast<int>(TrainingTask::Configuration));
    else if (task() != TrainingTask::Texts)
        tasks_->setCurrentIndex(static_cast<int>(TrainingTask::Pairs));
    file_.path->setText(path);
}

QString TrainingForm::whatIsMissing() const {
    const auto wanted = plan();
    if (!wanted.isToy() && wanted.file.isEmpty())
        return wanted.isConfigured() ? tr("Choose the configuration first.")
                                     : tr("Choose the training file first.");
    if (wanted.isConfigured())
        return {};
    if (wanted.folder.isEmpty())
        return tr("Choose the output folder first.");
    if (wanted.name.isEmpty() || wanted.name.contains('/') || wanted.name.startsWith('.'))
        return tr("Enter a model name that is valid as a folder name.");
    return {};
}

/// Proposes a name from the file or task that is either free or belongs to a model that would be resumed.
void TrainingForm::proposeName() {
    auto wanted = plan();
    const QString base = wanted.task == TrainingTask::Copy ? QString("copy")
                         : wanted.task == TrainingTask::Reverse
                             ? QString("reverse")
                             : QFileInfo(wanted.file).fileName().section('.', 0, 0);
    wanted.name = base.isEmpty() ? QString("model") : base;
    for (int n = 2; isTaken(wanted); ++n)
        wanted.name = QString("%1-%2").arg(base.isEmpty() ? QString("model") : base).arg(n);
    const QSignalBlocker quiet(name_);
    name_->setText(wanted.name);
}

void TrainingForm::follow() {
    if (!areStepsTyped_) {
        const QSignalBlocker quiet(steps_);
        steps_->setValue(usualSteps(task(), size()));
    }
    if (!isNameTyped_)
        proposeName();
    const auto wanted = plan();
    showRows(wanted);
    showHints(wanted);
    Q_EMIT changed();
}

void TrainingForm::showRows(const TrainingPlan& wanted) {
    const bool configured = wanted.isConfigured();
    rows_->setRowVisible(file_.row, !wanted.isToy());
    rows_->setRowVisible(fileHint_, !wanted.isToy());
    for (QWidget* field : {validation_.row, static_cast<QWidget*>(validationHint_)})
        rows_->setRowVisible(field, !wanted.isToy() && !configured);
    rows_->setRowVisible(sizes_, !wanted.isToy() && !configured);
    for (QWidget* field : {static_cast<QWidget*>(sizeHint_), static_cast<QWidget*>(steps_),
                           static_cast<QWidget*>(snapshots_), static_cast<QWidget*>(name_), folder_.row})
        rows_->setRowVisible(field, !configured);
}

void TrainingForm::showHints(const TrainingPlan& wanted) {
    const bool configured = wanted.isConfigured();
    fileHint_->setText(configured ? tr("The configuration defines data, training and output.")
                       : wanted.task == TrainingTask::Texts
                           ? tr("Each line: label, tab, text. UTF-8, .tsv or .tsv.gz.")
                           : tr("Each line: sentence, tab, translation. UTF-8, .tsv or .tsv.gz."));
    validationHint_->setText(
        wanted.validation.isEmpty()
            ? tr("Without a file, every %1th distinct source (at most 1,000) is held out for validation.")
                  .arg(validationEvery)
            : tr("At most 1,000 lines of this file are used."));
    sizeHint_->setText(tr("%1.").arg(sizeInWords(wanted.task, wanted.size)));
    const QString configuration = wanted.configuration();
    const QString atEnd = whyAtEnd(wanted);
    const QString writes =
        !atEnd.isEmpty() ? atEnd
        : resumes(wanted)
            ? tr("This training exists already and will be resumed.")
            : tr("Writes the configuration %1.json, the model %1 and the training state %1.training.")
                  .arg(wanted.name);
    outputHint_->setText(tr("%1 Same command in a terminal: %2")
                             .arg(configured ? atEnd : writes, trainCommand(configuration))
                             .trimmed());
}

} // namespace headscope::app
