#include "widgets/decoding_options.h"

#include "widgets/plain_text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>
#include <array>

namespace headscope::widgets {

namespace {

enum Way { Greedy, Beam, Sampling };

Way wayOf(const trace::Decoding& decoding) {
    return decoding.sample ? Sampling : decoding.beam > 1 ? Beam : Greedy;
}

constexpr int widestBeam = 32;
constexpr int longest = 512; ///< tokens
constexpr int firstBeam = 4; ///< where a beam is asked for and the model names none

} // namespace

QString decodingTitle(const trace::Decoding& decoding) {
    switch (wayOf(decoding)) {
    case Sampling:
        return DecodingOptions::tr("Sampling");
    case Beam:
        return DecodingOptions::tr("Beam %1").arg(decoding.beam);
    case Greedy:
        break;
    }
    return DecodingOptions::tr("Greedy");
}

DecodingOptions::DecodingOptions(QWidget* parent)
    : QWidget(parent), form_(new QFormLayout(this)), way_(new QComboBox(this)),
      beam_(countBox(tr("Beam"), 2, widestBeam)), lengthPenalty_(numberBox(tr("Length penalty"), -5, 5, 0.1)),
      temperature_(numberBox(tr("Temperature"), 0.01, 10, 0.1)), topK_(countBox(tr("Top-k"), 0, 100000)),
      topP_(numberBox(tr("Top-p"), 0.01, 1, 0.05)), seed_(countBox(tr("Seed"), 0, 2147483647)),
      minimum_(countBox(tr("Minimum length"), 0, longest)),
      maximum_(countBox(tr("Maximum length"), 1, longest)), noRepeat_(countBox(tr("No repeat"), 0, 20)),
      reset_(new QPushButton(this)), note_(new QLabel(this)) {
    setAccessibleName(tr("Decoding options"));
    setFocusProxy(way_);
    way_->setAccessibleName(tr("Way of choosing"));
    way_->addItems({tr("Greedy: the most probable token"), tr("Beam search"), tr("Sampling")});
    reset_->setText(tr("As the Model Says"));
    note_->setWordWrap(true);
    note_->setTextFormat(Qt::PlainText);
    addFields();
    connect(way_, &QComboBox::activated, this, [this](int way) {
        if (way == Beam && kept_.beam < 2)
            beam_->setValue(std::max(firstBeam, defaults_.beam));
        changed();
    });
    connect(reset_, &QPushButton::clicked, this, [this] {
        setDecoding(defaults_, defaultNewTokens_);
        Q_EMIT decodingChanged(decoding(), newTokens());
    });
    setDefaults({}, 60);
    setDecoding({}, 60);
    setNote({});
}

void DecodingOptions::addFields() {
    addRow(tr("&Choose"), way_, tr("How each next token is chosen"));
    addRow(tr("&Beam"), beam_, tr("Hypotheses that live at the same time"));
    addRow(tr("&Length penalty"), lengthPenalty_,
           tr("A in: final score = log-probability / length^A. 0: none; above 0, longer ones gain"));
    addRow(tr("&Temperature"), temperature_,
           tr("Log-probabilities are divided by it: low is bold, high is wild"));
    addRow(tr("Top-&k"), topK_, tr("Draws among so many most probable tokens"));
    addRow(tr("Top-&p"), topP_, tr("Draws among the fewest tokens that have this much probability together"));
    addRow(tr("&Seed"), seed_, tr("The same seed draws the same tokens"));
    addRow(tr("Mi&nimum length"), minimum_, tr("No end token before there are so many tokens"));
    addRow(tr("Ma&ximum length"), maximum_, tr("Decoding is cut off after so many tokens"));
    addRow(tr("No &repeat of"), noRepeat_, tr("No run of so many tokens comes twice"));
    topK_->setSpecialValueText(tr("all tokens"));
    noRepeat_->setSpecialValueText(tr("off"));
    minimum_->setSpecialValueText(tr("none"));
    noRepeat_->setSuffix(tr(" tokens"));
    maximum_->setSuffix(tr(" tokens"));
    form_->addRow(reset_);
    form_->addRow(note_);
}

void DecodingOptions::addRow(const QString& words, QWidget* field, const QString& tip) {
    field->setToolTip(plainToolTip(tip));
    form_->addRow(words, field);
}

QSpinBox* DecodingOptions::countBox(const QString& name, int least, int most) {
    auto* box = new QSpinBox(this);
    box->setRange(least, most);
    box->setAccessibleName(name);
    box->setKeyboardTracking(false);
    connect(box, &QSpinBox::valueChanged, this, &DecodingOptions::changed);
    return box;
}

QDoubleSpinBox* DecodingOptions::numberBox(const QString& name, double least, double most, double step) {
    auto* box = new QDoubleSpinBox(this);
    box->setRange(least, most);
    box->setSingleStep(step);
    box->setDecimals(2);
    box->setAccessibleName(name);
    box->setKeyboardTracking(false);
    connect(box, &QDoubleSpinBox::valueChanged, this, &DecodingOptions::changed);
    return box;
}

void DecodingOptions::setDefaults(const trace::Decoding& decoding, int newTokens) {
    defaults_ = decoding;
    defaultNewTokens_ = newTokens;
    reset_->setToolTip(tr("Back to what the model's folder asks for: %1, at most %2 tokens")
                           .arg(decodingTitle(decoding))
                           .arg(newTokens));
}

void DecodingOptions::setNote(const QString& note) {
    note_->setText(note);
    form_->setRowVisible(note_, !note.isEmpty());
}

void DecodingOptions::setDecoding(const trace::Decoding& decoding, int newTokens) {
    const std::array<QWidget*, 10> fields{way_,  beam_, lengthPenalty_, temperature_, topK_,
                                          topP_, seed_, minimum_,       maximum_,     noRepeat_};
    for (QWidget* field : fields)
        field->blockSignals(true);
    kept_ = decoding;
    way_->setCurrentIndex(wayOf(decoding));
    beam_->setValue(decoding.beam > 1 ? decoding.beam : std::max(firstBeam, defaults_.beam));
    lengthPenalty_->setValue(decoding.lengthPenalty);
    temperature_->setValue(decoding.temperature);
    topK_->setValue(decoding.topK);
    topP_->setValue(decoding.topP);
    seed_->setValue(static_cast<int>(decoding.seed));
    minimum_->setValue(decoding.minimumLength);
    maximum_->setValue(newTokens);
    noRepeat_->setValue(decoding.noRepeat);
    for (QWidget* field : fields)
        field->blockSignals(false);
    showFields();
}

/// What does not matter to the way of choosing is not there.
void DecodingOptions::showFields() {
    const int way = way_->currentIndex();
    for (QWidget* field : std::initializer_list<QWidget*>{beam_, lengthPenalty_})
        form_->setRowVisible(field, way == Beam);
    for (QWidget* field : std::initializer_list<QWidget*>{temperature_, topK_, topP_, seed_})
        form_->setRowVisible(field, way == Sampling);
    const bool isDefault = decoding() == defaults_ && newTokens() == defaultNewTokens_;
    reset_->setEnabled(!isDefault);
    if (isDefault)
        reset_->setToolTip(tr("All is as the model's folder asks for."));
    else
        setDefaults(defaults_, defaultNewTokens_);
}

trace::Decoding DecodingOptions::decoding() const {
    trace::Decoding decoding = kept_;
    decoding.beam = way_->currentIndex() == Beam ? beam_->value() : 1;
    decoding.sample = way_->currentIndex() == Sampling;
    decoding.lengthPenalty = lengthPenalty_->value();
    decoding.temperature = temperature_->value();
    decoding.topK = topK_->value();
    decoding.topP = topP_->value();
    decoding.seed = static_cast<std::uint64_t>(seed_->value());
    decoding.minimumLength = minimum_->value();
    decoding.noRepeat = noRepeat_->value();
    return decoding;
}

int DecodingOptions::newTokens() const {
    return maximum_->value();
}

void DecodingOptions::changed() {
    kept_ = decoding();
    showFields();
    Q_EMIT decodingChanged(kept_, newTokens());
}

} // namespace headscope::widgets
