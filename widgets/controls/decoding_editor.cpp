#include "widgets/controls/decoding_editor.h"

#include "widgets/controls/plain_spin_boxes.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/window_style.h"
#include "widgets/words/plain_text.h"

#include <QButtonGroup>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::widgets {

namespace {

enum Way { Greedy, Beam, Sampling };

Way wayOf(const trace::Decoding& decoding) {
    return decoding.sample ? Sampling : decoding.beam > 1 ? Beam : Greedy;
}

// The same as on the command line.
constexpr int widestBeam = 1000;
constexpr int decodingOptionsLongest = 1'000'000; ///< in tokens
constexpr int firstBeam = 4;                      ///< for a model without a default of its own

} // namespace

QString decodingTitle(const trace::Decoding& decoding) {
    switch (wayOf(decoding)) {
    case Sampling:
        return DecodingEditor::tr("Sampling");
    case Beam:
        return DecodingEditor::tr("Beam %1").arg(decoding.beam);
    case Greedy:
        break;
    }
    return DecodingEditor::tr("Greedy");
}

DecodingEditor::DecodingEditor(QWidget* parent)
    : QWidget(parent), form_(new QFormLayout(this)), way_(new QButtonGroup(this)),
      beam_(countBox(tr("Beam"), 2, widestBeam, kept_.beam)),
      lengthPenalty_(numberBox(tr("Length penalty"), -100, 100, 0.1, kept_.lengthPenalty)),
      temperature_(numberBox(tr("Temperature"), 1e-6, 1e6, 0.1, kept_.temperature)),
      topK_(countBox(tr("Top-k"), 0, decodingOptionsLongest, kept_.topK)),
      topP_(numberBox(tr("Top-p"), 1e-9, 1, 0.05, kept_.topP)), seed_(seedBox()),
      minimum_(countBox(tr("Minimum length"), 0, decodingOptionsLongest, kept_.minimumLength)),
      maximum_(countBox(tr("Maximum length"), 1, decodingOptionsLongest, newTokens_)),
      noRepeat_(countBox(tr("Block repeated n-grams"), 0, decodingOptionsLongest, kept_.noRepeat)),
      reset_(new QPushButton(this)), note_(new QLabel(this)) {
    setAccessibleName(tr("Decoding options"));
    reset_->setText(tr("Model Defaults"));
    note_->setWordWrap(true);
    note_->setTextFormat(Qt::PlainText);
    addFields();
    connect(way_, &QButtonGroup::idClicked, this, &DecodingEditor::choose);
    connect(reset_, &QPushButton::clicked, this, [this] {
        setDecoding(defaults_, defaultNewTokens_);
        Q_EMIT decodingChanged(kept_, newTokens_);
    });
    setDefaults({}, 60);
    setDecoding({}, 60);
    setNote({});
}

void DecodingEditor::addFields() {
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form_->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form_->setContentsMargins(space::s, space::xs, space::s, space::s);
    form_->addRow(newWays());
    addRow(tr("&Beam"), beam_, tr("Number of hypotheses kept at the same time"));
    addRow(tr("&Length penalty"), lengthPenalty_,
           tr("A in the final score, log-probability / length^A. 0: no penalty; above 0: favours longer "
              "outputs"));
    addRow(tr("&Temperature"), temperature_,
           tr("Divides the logits: lower is more deterministic, higher more random"));
    addRow(tr("Top-&k"), topK_, tr("Samples only from this many tokens, the most probable ones"));
    addRow(tr("Top-&p"), topP_, tr("Samples from the fewest tokens with this total probability"));
    addRow(tr("&Seed"), seed_, tr("The same seed gives the same tokens"));
    addRow(tr("Mi&nimum length"), minimum_, tr("No end token before this number of tokens"));
    addRow(tr("Ma&ximum length"), maximum_, tr("Decoding stops after this number of tokens"));
    addRow(tr("Block &repeated n-grams"), noRepeat_, tr("No n-gram of this length occurs twice"));
    topK_->setSpecialValueText(tr("all tokens"));
    noRepeat_->setSpecialValueText(tr("off"));
    minimum_->setSpecialValueText(tr("none"));
    noRepeat_->setSuffix(tr(" tokens"));
    maximum_->setSuffix(tr(" tokens"));
    form_->addRow(reset_);
    form_->addRow(note_);
}

QWidget* DecodingEditor::newWays() {
    auto* ways = new QWidget(this);
    ways->setAccessibleName(tr("Decoding method"));
    auto* row = new QHBoxLayout(ways);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    const std::array texts{tr("Greedy"), tr("Beam"), tr("Sample")};
    const std::array tips{tr("The most probable token at each step"),
                          tr("The most probable sequence that a search with several hypotheses finds"),
                          tr("At random, according to the probabilities")};
    for (int way = Greedy; way <= Sampling; ++way) {
        auto* button = new QToolButton(ways);
        button->setText(texts[way]);
        button->setToolTip(tips[way]);
        button->setCheckable(true);
        setLook(button, ButtonLook::Segment);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        way_->addButton(button, way);
        row->addWidget(button);
    }
    setFocusProxy(way_->button(Greedy));
    return ways;
}

void DecodingEditor::addRow(const QString& words, QWidget* field, const QString& tip) {
    setPlainToolTip(field, tip);
    form_->addRow(words, field);
}

void DecodingEditor::choose(int way) {
    if (way == wayOf(kept_))
        return;
    kept_.sample = way == Sampling;
    if (way != Beam)
        kept_.beam = 1;
    else if (kept_.beam < 2)
        kept_.beam = std::max(firstBeam, defaults_.beam);
    setDecoding(kept_, newTokens_);
    changed();
}

QSpinBox* DecodingEditor::countBox(const QString& name, int least, int most, int& value) {
    auto* box = new QSpinBox(this);
    box->setRange(least, most);
    box->setAccessibleName(name);
    box->setKeyboardTracking(false);
    connect(box, &QSpinBox::valueChanged, this, [this, &value](int chosen) {
        value = chosen;
        changed();
    });
    return box;
}

NumberBox* DecodingEditor::numberBox(const QString& name, double least, double most, double step,
                                     double& value) {
    auto* box = new NumberBox(least, most, step, this);
    box->setAccessibleName(name);
    box->setKeyboardTracking(false);
    connect(box, &NumberBox::valueChanged, this, [this, &value](double chosen) {
        value = chosen;
        changed();
    });
    return box;
}

SeedBox* DecodingEditor::seedBox() {
    auto* box = new SeedBox(this);
    box->setAccessibleName(tr("Seed"));
    connect(box, &SeedBox::valueChanged, this, [this](std::uint64_t chosen) {
        kept_.seed = chosen;
        changed();
    });
    return box;
}

void DecodingEditor::setDefaults(const trace::Decoding& decoding, int newTokens) {
    defaults_ = decoding;
    defaultNewTokens_ = newTokens;
    reset_->setToolTip(tr("Restore the settings of the model's folder: %1, at most %2 tokens")
                           .arg(decodingTitle(decoding))
                           .arg(newTokens));
}

void DecodingEditor::setNote(const QString& note) {
    note_->setText(note);
    form_->setRowVisible(note_, !note.isEmpty());
}

void DecodingEditor::setRecorded(bool isRecorded) {
    if (std::exchange(isRecorded_, isRecorded) == isRecorded)
        return;
    setEnabled(!isRecorded);
    setNote(isRecorded ? tr("As recorded. Open the model to decode differently.") : QString());
    form_->setRowVisible(reset_, !isRecorded);
}

void DecodingEditor::setDecoding(const trace::Decoding& decoding, int newTokens) {
    const std::array<QWidget*, 9> fields{beam_, lengthPenalty_, temperature_, topK_,    topP_,
                                         seed_, minimum_,       maximum_,     noRepeat_};
    for (QWidget* field : fields)
        field->blockSignals(true);
    kept_ = decoding;
    newTokens_ = newTokens;
    way_->button(wayOf(decoding))->setChecked(true);
    beam_->setValue(decoding.beam > 1 ? decoding.beam : std::max(firstBeam, defaults_.beam));
    lengthPenalty_->setValue(decoding.lengthPenalty);
    temperature_->setValue(decoding.temperature);
    topK_->setValue(decoding.topK);
    topP_->setValue(decoding.topP);
    seed_->setValue(decoding.seed);
    minimum_->setValue(decoding.minimumLength);
    maximum_->setValue(newTokens);
    noRepeat_->setValue(decoding.noRepeat);
    for (QWidget* field : fields)
        field->blockSignals(false);
    showFields();
}

/// Hides fields that have no effect on the selected method.
void DecodingEditor::showFields() {
    const int way = wayOf(kept_);
    for (QWidget* field : std::initializer_list<QWidget*>{beam_, lengthPenalty_})
        form_->setRowVisible(field, way == Beam);
    for (QWidget* field : std::initializer_list<QWidget*>{temperature_, topK_, topP_, seed_})
        form_->setRowVisible(field, way == Sampling);
    for (const auto& [field, value] : {std::pair<QWidget*, int>(minimum_, kept_.minimumLength),
                                       std::pair<QWidget*, int>(maximum_, newTokens_),
                                       std::pair<QWidget*, int>(noRepeat_, kept_.noRepeat)})
        form_->setRowVisible(field, value > 0 || !isRecorded_);
    const bool isDefault = kept_ == defaults_ && newTokens_ == defaultNewTokens_;
    reset_->setEnabled(!isDefault);
    if (isDefault)
        reset_->setToolTip(tr("Model defaults are in use."));
    else
        setDefaults(defaults_, defaultNewTokens_);
}

void DecodingEditor::changed() {
    showFields();
    Q_EMIT decodingChanged(kept_, newTokens_);
}

} // namespace headscope::widgets
