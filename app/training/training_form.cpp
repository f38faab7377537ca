#include "app/training/training_form.h"

#include "app/desktop/file_dialogs.h"
#include "widgets/controls/segments.h"
#include "widgets/controls/wrapped_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStyleOption>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

namespace headscope::app {

namespace {

/// Of the segments; a toy task is chosen below them.
constexpr std::array segmentTasks{TrainingTask::Pairs, TrainingTask::Texts, TrainingTask::Copy,
                                  TrainingTask::Configuration};

/// As wide as four digits and the unit need, not as the largest number.
class CountBox : public QSpinBox {
  public:
    using QSpinBox::QSpinBox;

    QSize sizeHint() const override {
        constexpr int usual = 8888;
        constexpr int cursor = 2;
        QStyleOptionSpinBox option;
        initStyleOption(&option);
        const int text = fontMetrics().horizontalAdvance(textFromValue(usual) + suffix()) + cursor;
        return style()->sizeFromContents(QStyle::CT_SpinBox, &option, {text, lineEdit()->sizeHint().height()},
                                         this);
    }
    QSize minimumSizeHint() const override { return sizeHint(); }
};

QWidget* beside(std::initializer_list<QWidget*> fields, QWidget* parent) {
    auto* row = new QWidget(parent);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    for (auto* field : fields)
        line->addWidget(field, 1);
    return row;
}

} // namespace

TrainingForm::TrainingForm(QWidget* parent)
    : QWidget(parent), rows_(new QFormLayout(this)),
      tasks_(new widgets::Segments(
          tr("Task"), {tr("Translate"), tr("Classify"), tr("Toy task"), tr("Configuration")}, this)),
      toys_(new QComboBox(this)), file_(pathField(tr("File"), tr("Choose Training File"), false)),
      validation_(pathField(tr("Held out"), tr("Choose Validation File"), false)),
      sizes_(new QComboBox(this)),
      vocabulary_(numberField(tr("Vocabulary"), tr("pieces at most"), 1'000'000)),
      encoderLayers_(numberField(tr("Encoder layers"), tr("encoder"), 100)),
      decoderLayers_(numberField(tr("Decoder layers"), tr("decoder"), 100)),
      width_(numberField(tr("Width of the model"), tr("model"), 65'536)),
      feedForward_(numberField(tr("Width of the feed-forward network"), tr("feed-forward"), 1'000'000)),
      heads_(numberField(tr("Heads"), {}, 1024)), norms_(new QComboBox(this)),
      positions_(new QComboBox(this)), steps_(numberField(tr("Steps"), tr("steps"), 10'000'000)),
      batchTokens_(numberField(tr("Tokens per batch"), tr("tokens/batch"), 10'000'000)),
      rate_(new QDoubleSpinBox(this)), warmUp_(numberField(tr("Warm-up"), tr("warm-up"), 10'000'000)),
      snapshots_(new QCheckBox(tr("&Keep snapshots"), this)), name_(new QLineEdit(this)),
      folder_(pathField(tr("Folder"), tr("Choose Output Folder"), true)) {
    folder_.path->setObjectName("folder");
    toys_->setAccessibleName(tr("Toy task"));
    toys_->addItem(tr("Copy random words"));
    toys_->addItem(tr("Reverse random words"));
    sizes_->setAccessibleName(tr("Size of the model"));
    sizes_->setObjectName("size");
    sizes_->setPlaceholderText(tr("as typed below"));
    for (const QString& size : {tr("Small"), tr("Medium"), tr("Large")})
        sizes_->addItem(size);
    norms_->setAccessibleName(tr("Layer norm"));
    norms_->addItem(tr("pre-norm"));
    norms_->addItem(tr("post-norm"));
    positions_->setAccessibleName(tr("Positions"));
    positions_->addItem(tr("Sinusoids"));
    positions_->addItem(tr("Learned table"));
    rate_->setAccessibleName(tr("Learning rate"));
    rate_->setDecimals(5);
    rate_->setRange(0.00001, 10);
    rate_->setSingleStep(0.0005);
    steps_->setObjectName("steps");
    snapshots_->setChecked(true);
    snapshots_->setToolTip(
        tr("Save the model at some steps, more often at the start. Their maps are shown side by side, and "
           "the window opens them with a slider for the training step."));
    name_->setAccessibleName(tr("Name of the model"));
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    folder_.path->setText(QDir(documents.isEmpty() ? QDir::homePath() : documents).filePath("headscope"));
    addRows();
    connect(toys_, &QComboBox::currentIndexChanged, this,
            [this](int toy) { setTask(toy == 0 ? TrainingTask::Copy : TrainingTask::Reverse); });
    connect(tasks_, &widgets::Segments::currentChanged, this, [this](int segment) {
        const auto task = segmentTasks.at(segment);
        setTask(task == TrainingTask::Copy ? toy_ : task);
    });
    connect(sizes_, &QComboBox::activated, this, [this](int size) {
        size_ = static_cast<TrainingSize>(size);
        areNumbersTyped_ = false;
        follow();
    });
    connect(steps_, &QSpinBox::valueChanged, this, [this] {
        areStepsTyped_ = true;
        follow();
    });
    const auto typed = [this] {
        areNumbersTyped_ = true;
        follow();
    };
    for (auto* field :
         {vocabulary_, encoderLayers_, decoderLayers_, width_, feedForward_, heads_, batchTokens_, warmUp_})
        connect(field, &QSpinBox::valueChanged, this, typed);
    connect(rate_, &QDoubleSpinBox::valueChanged, this, typed);
    for (auto* field : {norms_, positions_})
        connect(field, &QComboBox::currentIndexChanged, this, typed);
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
    path->setMinimumWidth(120);
    auto* browse = new QPushButton(tr("Browse..."), row);
    browse->setAccessibleName(tr("Browse for: %1").arg(name));
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

QSpinBox* TrainingForm::numberField(const QString& name, const QString& unit, int most) {
    auto* field = new CountBox(this);
    field->setAccessibleName(name);
    field->setRange(1, most);
    field->setGroupSeparatorShown(true);
    if (!unit.isEmpty())
        field->setSuffix(" " + unit);
    return field;
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
    const auto head = [this](const QString& title) {
        auto* label = new QLabel(QStringLiteral("<b>%1</b>").arg(title), this);
        rows_->addRow(label);
        return label;
    };
    const auto add = [this](const QString& title, QWidget* field, QWidget* buddy = nullptr) {
        auto* label = new QLabel(title, this);
        label->setBuddy(buddy ? buddy : field);
        rows_->addRow(label, field);
        return field;
    };
    rows_->addRow(tasks_);
    head(tr("Data"));
    add(tr("Tas&k"), toys_);
    add(tr("&File"), file_.row, file_.path);
    fileHint_ = addHint();
    add(tr("&Held out"), validation_.row, validation_.path);
    validationHint_ = addHint();
    add(tr("Voca&bulary"), vocabulary_);
    ofPlans_ = {head(tr("Network")),
                add(tr("Si&ze"), sizes_),
                add(tr("&Layers"), beside({encoderLayers_, decoderLayers_}, this), encoderLayers_),
                add(tr("Wi&dth"), beside({width_, feedForward_}, this), width_),
                add(tr("Hea&ds"), beside({heads_, norms_}, this), heads_),
                add(tr("&Positions"), positions_),
                head(tr("Training")),
                add(tr("S&teps"), beside({steps_, batchTokens_}, this), steps_),
                add(tr("Rat&e"), beside({rate_, warmUp_}, this), rate_),
                snapshots_};
    rows_->addRow(QString(), snapshots_);
    ofPlans_.push_back(add(tr("&Name"), name_));
    ofPlans_.push_back(add(tr("&Write to"), folder_.row, folder_.path));
    outputHint_ = addHint();
}

TrainingNumbers TrainingForm::numbers() const {
    return {.encoderLayers = encoderLayers_->value(),
            .decoderLayers = decoderLayers_->value(),
            .width = width_->value(),
            .feedForward = feedForward_->value(),
            .heads = heads_->value(),
            .normFirst = norms_->currentIndex() == 0,
            .hasSinusoids = positions_->currentIndex() == 0,
            .vocabulary = vocabulary_->value(),
            .batchTokens = batchTokens_->value(),
            .rate = rate_->value(),
            .warmUp = warmUp_->value()};
}

/// Does not count as typed.
void TrainingForm::setNumbers(const TrainingNumbers& numbers) {
    const auto set = [](QSpinBox* field, int value) {
        const QSignalBlocker quiet(field);
        field->setValue(value);
    };
    const auto choose = [](QComboBox* field, bool first) {
        const QSignalBlocker quiet(field);
        field->setCurrentIndex(first ? 0 : 1);
    };
    set(encoderLayers_, numbers.encoderLayers);
    set(decoderLayers_, numbers.decoderLayers);
    set(width_, numbers.width);
    set(feedForward_, numbers.feedForward);
    set(heads_, numbers.heads);
    set(vocabulary_, numbers.vocabulary);
    set(batchTokens_, numbers.batchTokens);
    set(warmUp_, numbers.warmUp);
    choose(norms_, numbers.normFirst);
    choose(positions_, numbers.hasSinusoids);
    const QSignalBlocker quiet(rate_);
    rate_->setValue(numbers.rate);
}

TrainingPlan TrainingForm::plan() const {
    return {.task = task_,
            .file = file_.path->text().trimmed(),
            .validation = validation_.path->text().trimmed(),
            .numbers = numbers(),
            .steps = steps_->value(),
            .snapshots = snapshots_->isChecked(),
            .name = name_->text().trimmed(),
            .folder = folder_.path->text().trimmed()};
}

void TrainingForm::setPlan(const TrainingPlan& plan) {
    isNameTyped_ = areStepsTyped_ = areNumbersTyped_ = true;
    setNumbers(plan.numbers);
    setTask(plan.task);
    file_.path->setText(plan.file);
    validation_.path->setText(plan.validation);
    steps_->setValue(plan.steps);
    snapshots_->setChecked(plan.snapshots);
    name_->setText(plan.name);
    folder_.path->setText(plan.folder);
}

void TrainingForm::setTask(TrainingTask task) {
    task_ = task;
    if (plan().isToy())
        toy_ = task;
    follow();
}

void TrainingForm::setFile(const QString& path) {
    const bool isConfiguration = path.endsWith(".json", Qt::CaseInsensitive);
    if (isConfiguration)
        setTask(TrainingTask::Configuration);
    else if (task_ != TrainingTask::Texts)
        setTask(TrainingTask::Pairs);
    file_.path->setText(path);
}

QString TrainingForm::whatIsMissing() const {
    const auto wanted = plan();
    if (!wanted.isToy() && wanted.file.isEmpty())
        return wanted.isConfigured() ? tr("Choose the configuration first.")
                                     : tr("Choose the training file first.");
    if (wanted.isConfigured())
        return {};
    const auto& numbers = wanted.numbers;
    if (numbers.width % numbers.heads != 0)
        return tr("Width of the model: a multiple of the number of heads, such as %1.")
            .arg(std::max(1, numbers.width / numbers.heads) * numbers.heads);
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
        steps_->setValue(usualSteps(task_, size_));
    }
    if (!areNumbersTyped_)
        setNumbers(usualNumbers(task_, size_, steps_->value()));
    if (!isNameTyped_)
        proposeName();
    const auto wanted = plan();
    showRows(wanted);
    showHints(wanted);
    Q_EMIT changed();
}

void TrainingForm::showRows(const TrainingPlan& wanted) {
    const bool isOfFiles = !wanted.isToy() && !wanted.isConfigured();
    const QSignalBlocker quiet(tasks_), quietToys(toys_), quietSizes(sizes_);
    tasks_->setCurrentIndex(
        std::ranges::find(segmentTasks, wanted.isToy() ? TrainingTask::Copy : wanted.task) -
        segmentTasks.begin());
    toys_->setCurrentIndex(toy_ == TrainingTask::Copy ? 0 : 1);
    sizes_->setCurrentIndex(areNumbersTyped_ ? -1 : static_cast<int>(size_));
    rows_->setRowVisible(toys_, wanted.isToy());
    rows_->setRowVisible(file_.row, !wanted.isToy());
    rows_->setRowVisible(fileHint_, !wanted.isToy());
    for (QWidget* field : std::initializer_list<QWidget*>{validation_.row, validationHint_, vocabulary_})
        rows_->setRowVisible(field, isOfFiles);
    for (QWidget* field : ofPlans_)
        rows_->setRowVisible(field, !wanted.isConfigured());
    rows_->setRowVisible(sizes_, isOfFiles);
    decoderLayers_->setVisible(wanted.task != TrainingTask::Texts);
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
    const QString atEnd = whyAtEnd(wanted);
    outputHint_->setText(
        !atEnd.isEmpty() || configured ? atEnd
        : resumes(wanted)
            ? tr("This training exists already and will be resumed.")
            : tr("Writes the weights (%1), their settings (%1.json) and the training state (%1.training).")
                  .arg(wanted.name));
    outputHint_->setToolTip(tr("Same command in a terminal: %1").arg(trainCommand(wanted.configuration())));
}

} // namespace headscope::app
