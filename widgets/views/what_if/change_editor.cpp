#include "widgets/views/what_if/change_editor.h"

#include "widgets/controls/head_picker.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/controls/text_limit.h"
#include "widgets/words/captions.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::widgets {

namespace {

using trace::PositionChange;
using trace::RowPattern;

constexpr int changeEditorSteps = 100; // of the slider

std::size_t chosen(const QComboBox* box) {
    return static_cast<std::size_t>(std::max(0, box->currentIndex()));
}

} // namespace

ChangeEditor::ChangeEditor(const trace::Change& change, std::shared_ptr<const trace::ModelSummary> model,
                           std::shared_ptr<const trace::Run> run, QWidget* parent)
    : QDialog(parent), model_(std::move(model)), run_(std::move(run)), form_(new QFormLayout) {
    setWindowTitle(tr("What If"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(this, &ChangeEditor::filled, buttons, [buttons](bool filled, const QString& whyNot) {
        buttons->button(QDialogButtonBox::Ok)->setEnabled(filled);
        buttons->button(QDialogButtonBox::Ok)->setToolTip(filled ? QString() : whyNot);
    });
    read_ = std::visit([this](const auto& kind) { return fields(kind); }, change);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addLayout(form_);
    column->addStretch();
    column->addWidget(buttons);
    resize(std::max(420, sizeHint().width()), sizeHint().height());
    if (const auto* field = form_->rowCount() > 0 ? form_->itemAt(0, QFormLayout::FieldRole) : nullptr;
        field && field->widget())
        field->widget()->setFocus(Qt::TabFocusReason); // selects the value, so that typing replaces it
}

bool ChangeEditor::hasFields(const trace::Change& change) {
    return !std::holds_alternative<trace::LiftMask>(change);
}

std::function<trace::HeadAddress()> ChangeEditor::addHead(const trace::HeadAddress& head,
                                                          std::function<void(trace::HeadAddress)> changed) {
    auto* picker = new HeadPicker(model_, head, this);
    form_->addRow(tr("Head"), picker);
    if (changed)
        connect(picker, &HeadPicker::headChanged, this, [=] { changed(picker->head()); });
    return [picker] { return picker->head(); };
}

std::function<double()> ChangeEditor::addNumber(const QString& name, double value, double least,
                                                double most) {
    auto* spin = new QDoubleSpinBox(this);
    spin->setDecimals(4);
    spin->setRange(std::min(least, value), std::max(most, value));
    spin->setSingleStep(0.1);
    spin->setValue(value);
    spin->setAccessibleName(name);
    form_->addRow(name, spin);
    return [spin] { return spin->value(); };
}

std::function<double()> ChangeEditor::addFactor(double factor) {
    const auto read = addNumber(tr("Times"), factor, 0, 1);
    auto* spin = findChild<QDoubleSpinBox*>();
    auto* slider = new QSlider(Qt::Horizontal, this);
    slider->setRange(0, changeEditorSteps);
    slider->setValue(static_cast<int>(factor * changeEditorSteps));
    slider->setAccessibleName(tr("Times"));
    slider->setToolTip(tr("0 switches the output off, 1 keeps it"));
    form_->addRow(QString(), slider);
    connect(slider, &QSlider::valueChanged, spin,
            [=](int value) { spin->setValue(value / double(changeEditorSteps)); });
    connect(spin, &QDoubleSpinBox::valueChanged, slider, [=](double value) {
        const QSignalBlocker quiet(slider); // the steps of the slider are coarser
        slider->setValue(static_cast<int>(value * changeEditorSteps));
    });
    return read;
}

QComboBox* ChangeEditor::makeBox(const QString& name) {
    auto* box = new QComboBox(this);
    box->setAccessibleName(name);
    // A long sentence would make the dialog wider than the screen.
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(24);
    return box;
}

void ChangeEditor::addBox(QComboBox* box) {
    form_->addRow(box->accessibleName(), box);
}

void ChangeEditor::fillQueries(QComboBox* box, trace::AttentionKind kind, std::size_t chosen) const {
    const std::size_t there = run_ ? run_->queryTokens(kind).size() : 0;
    box->clear();
    for (std::size_t row = 0; row < std::max(there, chosen + 1); ++row)
        box->addItem(row < there ? tr("%1: %2").arg(row).arg(queryInWords(*run_, kind, int(row)))
                                 : tr("%1: not decoded yet").arg(row));
    box->setCurrentIndex(static_cast<int>(chosen));
}

void ChangeEditor::fillKeys(QComboBox* box, trace::AttentionKind kind, std::size_t chosen) const {
    const std::size_t there = run_ ? run_->keyTokens(kind).size() : 0;
    box->clear();
    for (std::size_t key = 0; key < std::max(there, chosen + 1); ++key)
        box->addItem(key < there ? tr("%1: %2").arg(key).arg(keyInWords(*run_, kind, int(key)))
                                 : tr("%1: not decoded yet").arg(key));
    box->setCurrentIndex(static_cast<int>(chosen));
}

ChangeEditor::Read ChangeEditor::fields(const trace::ScaleHead& change) {
    const auto head = addHead(change.head);
    const auto factor = addFactor(change.factor);
    return [=] { return trace::ScaleHead{.head = head(), .factor = factor()}; };
}

ChangeEditor::Read ChangeEditor::fields(const trace::ScaleSublayer& change) {
    auto* picker = new SublayerPicker(model_, change.sublayer, this);
    form_->addRow(tr("Sublayer"), picker);
    const auto factor = addFactor(change.factor);
    return [=] { return trace::ScaleSublayer{.sublayer = picker->sublayer(), .factor = factor()}; };
}

ChangeEditor::Read ChangeEditor::fields(const trace::BlockCell& change) {
    auto* query = makeBox(tr("Row"));
    auto* key = makeBox(tr("Masked key"));
    const auto fill = [=, this](trace::HeadAddress head) {
        fillQueries(query, head.site.kind, chosen(query));
        fillKeys(key, head.site.kind, chosen(key));
    };
    const auto head = addHead(change.head, fill);
    addBox(query);
    addBox(key);
    fillQueries(query, change.head.site.kind, change.query);
    fillKeys(key, change.head.site.kind, change.key);
    return [=] { return trace::BlockCell{.head = head(), .query = chosen(query), .key = chosen(key)}; };
}

ChangeEditor::Read ChangeEditor::fields(const trace::ForceRow& change) {
    auto* query = makeBox(tr("Row"));
    auto* pattern = makeBox(tr("Attends to"));
    auto* key = makeBox(tr("Key"));
    const auto fill = [=, this](trace::HeadAddress head) {
        fillQueries(query, head.site.kind, chosen(query));
        fillKeys(key, head.site.kind, chosen(key));
    };
    const auto head = addHead(change.head, fill);
    pattern->addItem(tr("all allowed keys, uniformly"), static_cast<int>(RowPattern::Uniform));
    pattern->addItem(tr("its top-scoring key only"), static_cast<int>(RowPattern::Hard));
    pattern->addItem(tr("one key only"), static_cast<int>(RowPattern::Key));
    for (auto* box : {query, pattern, key})
        addBox(box);
    fillQueries(query, change.head.site.kind, change.query);
    fillKeys(key, change.head.site.kind, change.key);
    const auto chosenPattern = [pattern] { return static_cast<RowPattern>(pattern->currentData().toInt()); };
    const auto follow = [=] {
        key->setEnabled(chosenPattern() == RowPattern::Key);
        key->setToolTip(key->isEnabled() ? QString() : tr("For a row that attends to one key only"));
    };
    connect(pattern, &QComboBox::currentIndexChanged, key, follow);
    pattern->setCurrentIndex(pattern->findData(static_cast<int>(change.pattern)));
    follow();
    return [=] {
        const bool one = chosenPattern() == RowPattern::Key;
        return trace::ForceRow{
            .head = head(), .query = chosen(query), .pattern = chosenPattern(), .key = one ? chosen(key) : 0};
    };
}

ChangeEditor::Read ChangeEditor::fields(const trace::ReplaceHead& change) {
    const auto head = addHead(change.head);
    auto* by = makeBox(tr("Replaced by"));
    by->addItem(tr("its mean over the sample sentences"));
    by->addItem(tr("its output on another sentence"));
    addBox(by);
    auto* sentence = new QLineEdit(QString::fromStdString(change.sentence.value_or("")), this);
    sentence->setAccessibleName(tr("Sentence"));
    sentence->setPlaceholderText(tr("another sentence"));
    limitText(sentence, SentenceEdit::longestSentence);
    form_->addRow(tr("Sentence"), sentence);
    const auto follow = [=, this] {
        const bool other = by->currentIndex() == 1;
        sentence->setEnabled(other);
        sentence->setToolTip(other ? QString() : tr("For the output on another sentence"));
        Q_EMIT filled(!other || !sentence->text().trimmed().isEmpty(), tr("Type a sentence first."));
    };
    connect(by, &QComboBox::currentIndexChanged, sentence, follow);
    connect(sentence, &QLineEdit::textChanged, sentence, follow);
    by->setCurrentIndex(change.sentence ? 1 : 0);
    follow();
    return [=] {
        trace::ReplaceHead replaced{.head = head()};
        if (by->currentIndex() == 1)
            replaced.sentence = sentence->text().toStdString();
        return replaced;
    };
}

ChangeEditor::Read ChangeEditor::fields(const trace::LiftMask& change) {
    return [=] { return change; };
}

ChangeEditor::Read ChangeEditor::fields(const trace::ScaleScores& change) {
    auto* how = makeBox(tr("Scores"));
    how->addItem(tr("without 1/\u221Ad_k"));
    how->addItem(tr("times another factor"));
    addBox(how);
    constexpr double most = 100;
    const auto factor = addNumber(tr("Factor"), change.factor.value_or(1), -most, most);
    auto* spin = findChild<QDoubleSpinBox*>();
    const auto follow = [=] {
        spin->setEnabled(how->currentIndex() == 1);
        spin->setToolTip(spin->isEnabled() ? QString() : tr("For another factor"));
    };
    connect(how, &QComboBox::currentIndexChanged, spin, follow);
    how->setCurrentIndex(change.factor ? 1 : 0);
    follow();
    return [=] {
        return trace::ScaleScores{.factor =
                                      how->currentIndex() == 1 ? std::optional(factor()) : std::nullopt};
    };
}

ChangeEditor::Read ChangeEditor::fields(const trace::SoftmaxTemperature& change) {
    constexpr double least = 0.01, most = 100;
    const auto temperature = addNumber(tr("Temperature"), change.temperature, least, most);
    return [=] { return trace::SoftmaxTemperature{.temperature = temperature()}; };
}

ChangeEditor::Read ChangeEditor::fields(const trace::ChangePositions& change) {
    auto* how = makeBox(tr("Positions"));
    how->addItem(tr("removed"), static_cast<int>(PositionChange::None));
    how->addItem(tr("shuffled"), static_cast<int>(PositionChange::Shuffle));
    how->addItem(tr("shifted"), static_cast<int>(PositionChange::Shift));
    addBox(how);
    auto* number = new QSpinBox(this);
    number->setAccessibleName(tr("Seed or distance"));
    auto* label = new QLabel(this);
    form_->addRow(label, number);
    const auto chosenChange = [how] { return static_cast<PositionChange>(how->currentData().toInt()); };
    const auto follow = [=] {
        constexpr int most = 1'000'000;
        const auto now = chosenChange();
        label->setText(now == PositionChange::Shuffle ? tr("Seed") : tr("Shift in tokens"));
        number->setRange(now == PositionChange::Shuffle ? 0 : -most, most);
        number->setEnabled(now != PositionChange::None);
        number->setToolTip(number->isEnabled() ? QString() : tr("No setting"));
    };
    how->setCurrentIndex(how->findData(static_cast<int>(change.change)));
    follow();
    number->setValue(static_cast<int>(change.number));
    connect(how, &QComboBox::currentIndexChanged, number, follow);
    return [=] {
        const auto now = chosenChange();
        return trace::ChangePositions{.change = now,
                                      .number = now == PositionChange::None ? 0 : number->value()};
    };
}

} // namespace headscope::widgets
