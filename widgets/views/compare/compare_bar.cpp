#include "widgets/views/compare/compare_bar.h"

#include "model/trace/recorded_runs.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/controls/text_limit.h"
#include "widgets/controls/view_choices.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/step_columns.h"
#include "widgets/drawing/window_style.h"
#include "widgets/map/map_options.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/plain_words.h"
#include "widgets/words/trace_words.h"

#include <QAbstractItemView>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr int usualLetters = 40, mostLetters = 60; ///< of a sentence
constexpr int pathLetters = 8;
constexpr int narrowLetters = 120,
              wideLetters = 230; ///< of the bar: between, all is on one line if the sentence is short
constexpr int listLetters = 14;  ///< a step's name is cut in the box and whole in its list

/// As wide as its line leaves room for; in a narrow view it takes less.
class SentenceField : public QLineEdit {
  public:
    explicit SentenceField(QWidget* parent) : QLineEdit(parent) {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    QSize sizeHint() const override {
        return {usualLetters * fontMetrics().averageCharWidth(), QLineEdit::sizeHint().height()};
    }
};

int indexOf(CompareBar::With with) {
    return static_cast<int>(with);
}

void fillQuietly(QComboBox* box, const QStringList& names) {
    const QSignalBlocker quiet(box);
    const int current = box->currentIndex();
    box->clear();
    box->addItems(names);
    box->setCurrentIndex(names.isEmpty() ? -1 : std::clamp(current, 0, static_cast<int>(names.size()) - 1));
}

} // namespace

QString CompareBar::title(With with) {
    const std::array titles{tr("Sentence"), tr("Model"), tr("Path"), tr("Step"), tr("Original")};
    return titles.at(indexOf(with));
}

QString CompareBar::toolTip(With with) {
    const std::array tips{tr("Another sentence, read by the same model"),
                          tr("The same sentence, read by another model"), tr("Another path of the decoding"),
                          tr("Another step of this path"), tr("The run without the changes of the model")};
    return tips.at(indexOf(with));
}

bool CompareBar::has(With with, const trace::ModelSummary* model) {
    return !model || model->decoderLayers > 0 || (with != With::Branch && with != With::Step);
}

CompareBar::CompareBar(QWidget* parent)
    : QWidget(parent), first_(new QComboBox(this)), swap_(new QToolButton(this)),
      segmentRow_(new QWidget(this)), sentence_(new SentenceField(this)), model_(new QPushButton(this)),
      modelMenu_(new QMenu(tr("Model to compare with"), model_)), branches_(new QComboBox(this)),
      steps_(new QComboBox(this)), head_(new QComboBox(this)), heads_(new QComboBox(this)),
      quantity_(new QComboBox(this)), alignedOnly_(new QCheckBox(tr("Aligned only"), this)) {
    buildSegments();
    buildFields();
    buildQuantities();
    layOut();
    connectFields();
    setBranches({}, {});
    setModelName({});
    setWhyNotSwapped(tr("Nothing is decoded yet."));
    followWith();
}

void CompareBar::buildSegments() {
    auto* row = new QHBoxLayout(segmentRow_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    segmentRow_->setAccessibleName(tr("Comparison"));
    auto* group = new QButtonGroup(this);
    for (int i = 0; i < kinds; ++i) {
        const auto with = static_cast<With>(i);
        auto* segment = new QToolButton(segmentRow_);
        segment->setText(title(with));
        segment->setToolTip(toolTip(with));
        segment->setCheckable(true);
        setLook(segment, ButtonLook::Segment);
        segment->setFocusPolicy(Qt::TabFocus);
        group->addButton(segment);
        row->addWidget(segment);
        segments_.push_back(segment);
        connect(segment, &QToolButton::clicked, this, [this, with] {
            setWith(with);
            startChoosing();
        });
    }
}

void CompareBar::buildFields() {
    first_->setAccessibleName(tr("A"));
    swap_->setText(QString(QChar(0x21C4)));
    swap_->setAccessibleName(tr("Exchange A and B"));
    swap_->setFocusPolicy(Qt::TabFocus);
    sentence_->setAccessibleName(tr("Sentence of B"));
    sentence_->setPlaceholderText(tr("another sentence, Enter"));
    sentence_->setToolTip(tr("Read by the same model with the same options and changes"));
    model_->setMenu(modelMenu_);
    model_->setAccessibleName(tr("Model of B"));
    branches_->setAccessibleName(tr("Path of B"));
    steps_->setAccessibleName(tr("Step of B"));
    head_->setAccessibleName(tr("Head of A"));
    head_->setToolTip(tr("The head whose maps are compared"));
    heads_->setAccessibleName(tr("Head of B"));
    heads_->setPlaceholderText(tr("Head of B"));
    heads_->setToolTip(tr("The head of B to compare with the selected head of A. The nearest is the head of "
                          "the same kind with the smallest mean divergence over aligned rows."));
    alignedOnly_->setToolTip(tr("Hide unmatched tokens in pictures and tables"));
    for (QComboBox* box : {first_, branches_, steps_, heads_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(box == first_ || box == heads_ ? pathLetters : listLetters);
    }
}

void CompareBar::buildQuantities() {
    quantity_->setAccessibleName(tr("Quantity"));
    quantity_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    quantity_->setMinimumContentsLength(quantityName(Quantity::NormWeighted).size() - 1);
    quantity_->setToolTip(tr("Quantity shown in the maps. The strip and the tables of heads, rows and keys "
                             "always show weights, because only rows of weights are distributions."));
    for (const auto quantity : allQuantities)
        if (isPerHead(quantity)) {
            quantity_->addItem(capitalised(quantityName(quantity)), quantityKey(quantity));
            quantity_->setItemData(quantity_->count() - 1, quantityInWords(quantity), Qt::ToolTipRole);
        }
    quantity_->view()->setMinimumWidth(quantity_->view()->sizeHintForColumn(0) + 2 * fontMetrics().height());
}

void CompareBar::layOut() {
    auto* field = new QWidget(this); // what the chosen segment needs
    field->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* own = new QHBoxLayout(field);
    own->setContentsMargins(0, 0, 0, 0);
    for (QWidget* control : std::initializer_list<QWidget*>{sentence_, model_, branches_, steps_})
        own->addWidget(control, control == sentence_ ? 1 : 0);
    own->addStretch();
    sentence_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // as wide as there is room
    sentence_->setMaximumWidth(mostLetters * fontMetrics().averageCharWidth());
    auto* row = new FlowLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    const auto named = [this](const QString& name, const std::vector<QWidget*>& controls) {
        auto* whole = new QWidget(this); // a name and what it names stay in one line
        auto* line = new QHBoxLayout(whole);
        line->setContentsMargins(0, 0, 0, 0);
        auto* label = new QLabel(name, whole);
        label->setFont(boldFont(font()));
        line->addWidget(label);
        for (QWidget* control : controls)
            line->addWidget(control);
        return whole;
    };
    for (QWidget* part :
         std::initializer_list<QWidget*>{named(tr("A"), {first_, swap_}), named(tr("B"), {segmentRow_}),
                                         field, head_, heads_, quantity_, alignedOnly_})
        row->addWidget(part);
}

void CompareBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int letter = fontMetrics().averageCharWidth();
    const bool isOneLine = width() >= narrowLetters * letter && width() < wideLetters * letter;
    sentence_->setMinimumWidth(letter * (isOneLine ? listLetters : usualLetters));
}

void CompareBar::connectFields() {
    limitText(sentence_, SentenceEdit::longestSentence);
    connect(first_, &QComboBox::activated, this, &CompareBar::pathChosen);
    connect(swap_, &QToolButton::clicked, this, &CompareBar::swapped);
    connect(sentence_, &QLineEdit::returnPressed, this, &CompareBar::enterSentence);
    connect(sentence_, &QLineEdit::editingFinished, this,
            [this] { choose("sentence", sentence().toStdString()); });
    for (auto [box, name] : {std::pair(branches_, "branch"), std::pair(steps_, "step")})
        connect(box, &QComboBox::currentIndexChanged, this,
                [this, name = name](int index) { choose(name, std::int64_t(index)); });
    connect(head_, &QComboBox::activated, this, [this](int index) { Q_EMIT headChosen(all_.at(index)); });
    connect(heads_, &QComboBox::currentIndexChanged, this, [this] { choose("head", toString(otherHead())); });
    connect(quantity_, &QComboBox::currentIndexChanged, this,
            [this] { choose("quantity", quantity_->currentData().toString().toStdString()); });
    connect(alignedOnly_, &QCheckBox::toggled, this, [this](bool on) { choose("aligned-only", on); });
}

void CompareBar::choose(const char* name, ChoiceValue value) {
    Q_EMIT chosen({.view = "compare", .name = name, .value = std::move(value)});
}

void CompareBar::followWith() {
    segment(with_)->setChecked(true);
    sentence_->setVisible(with() == With::Sentence);
    model_->setVisible(with() == With::Model);
    branches_->setVisible(with() == With::Branch);
    steps_->setVisible(with() == With::Step);
}

bool CompareBar::isOffered(With with) const {
    return segment(with)->isEnabled() && !segment(with)->isHidden();
}

QWidget* CompareBar::sentenceField() const {
    return sentence_;
}

QString CompareBar::sentence() const {
    return sentence_->text().trimmed();
}

int CompareBar::branch() const {
    return branches_->currentIndex();
}

int CompareBar::step() const {
    return steps_->currentIndex();
}

OtherHead CompareBar::otherHead() const {
    const std::size_t place = heads_->currentIndex();
    return heads_->currentIndex() < 0 || place >= choices_.size() ? OtherHead() : choices_[place];
}

void CompareBar::setBranches(const QStringList& names, std::optional<std::size_t> shown) {
    const bool areMany = names.size() > 1;
    fillQuietly(branches_, names);
    fillQuietly(first_, areMany ? names : QStringList(tr("This run")));
    first_->setCurrentIndex(areMany && shown ? *shown : areMany ? -1 : 0);
    first_->setEnabled(areMany);
    first_->setToolTip(areMany ? tr("The path that the window shows") : tr("The run that the window shows"));
    const auto* list = qobject_cast<QStandardItemModel*>(branches_->model());
    if (shown && std::cmp_less(*shown, list->rowCount())) {
        auto* item = list->item(*shown);
        item->setEnabled(false);
        item->setToolTip(tr("A: the path shown in the window."));
    }
    branches_->setEnabled(areMany || !shown);
    branches_->setToolTip(areMany || !shown ? tr("The path to compare with the shown one")
                                            : tr("There is only one path."));
}

void CompareBar::setSteps(const QStringList& names) {
    fillQuietly(steps_, names);
    steps_->setEnabled(!names.isEmpty());
    steps_->setToolTip(names.isEmpty() ? tr("Nothing is decoded yet.")
                                       : tr("The step to compare with the shown one"));
}

void CompareBar::setModel(const trace::ModelSummary* model) {
    for (int i = 0; i < kinds; ++i) {
        const auto with = static_cast<With>(i);
        auto* button = segment(with);
        const QString why = whyNotOffered(with, model);
        button->setEnabled(why.isEmpty());
        button->setToolTip(why.isEmpty() ? toolTip(with) : why);
        button->setVisible(has(with, model));
    }
    fillHeads(model);
}

void CompareBar::fillHeads(const trace::ModelSummary* model) {
    using trace::AttentionKind;
    all_.clear();
    head_->clear();
    for (const auto kind : {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf, AttentionKind::Cross})
        for (int layer = 0; model && layer < model->layers(kind); ++layer)
            for (int head = 0; head < model->heads(kind); ++head) {
                all_.push_back({{kind, layer}, head});
                head_->addItem(QStringLiteral("%1 %2.%3").arg(kindTitle(kind)).arg(layer).arg(head));
            }
    head_->setEnabled(!all_.empty());
}

QString whyNotOffered(CompareBar::With with, const trace::ModelSummary* model) {
    using With = CompareBar::With;
    if (!model || with == With::Model)
        return {};
    const bool isOfDecoding = with == With::Branch || with == With::Step;
    if (isOfDecoding && model->decoderLayers == 0)
        return CompareBar::tr("Encoder-only model: no output tokens.");
    const bool isHeld = with == With::Step || (with == With::Unchanged && trace::holdsOriginal(*model));
    return isHeld ? QString() : whyNothingRuns(*model); // two steps are of the one run
}

std::string toString(const OtherHead& other) {
    using Choice = OtherHead::Choice;
    return other.choice == Choice::This      ? trace::toString(other.head)
           : other.choice == Choice::Nearest ? "nearest"
                                             : "same";
}

OtherHead parseOtherHead(const std::string& text) {
    using Choice = OtherHead::Choice;
    if (const auto address = trace::parseHeadAddress(text))
        return {.choice = Choice::This, .head = *address};
    return {.choice = text == "nearest" ? Choice::Nearest : Choice::Usual};
}

void CompareBar::setModelName(const QString& name) {
    model_->setText(name.isEmpty() ? tr("Choose a model") : QString(name).replace('&', "&&"));
    model_->setToolTip(tr("The model is opened as a second model and reads the same sentence."));
}

void CompareBar::setHeads(const trace::ModelSummary* first, const trace::ModelSummary* model,
                          const trace::HeadAddress& head, const OtherHead& chosen) {
    if (all_.empty())
        fillHeads(first);
    const auto own = std::ranges::find(all_, head);
    head_->setCurrentIndex(own == all_.end() ? -1 : own - all_.begin());
    const auto kind = head.site.kind;
    const bool hasHead = model && head.site.layer < model->layers(kind) && head.head < model->heads(kind);
    QStringList names;
    choices_.clear();
    if (model && hasHead) {
        names += tr("B: the same");
        choices_.push_back({});
    }
    if (model) {
        names += tr("B: the nearest");
        choices_.push_back({.choice = OtherHead::Choice::Nearest});
        for (int layer = 0; layer < model->layers(kind); ++layer)
            for (int h = 0; h < model->heads(kind); ++h) {
                choices_.push_back({.choice = OtherHead::Choice::This, .head = {{kind, layer}, h}});
                names += tr("B: %1").arg(address(choices_.back().head));
            }
    }
    const QSignalBlocker quiet(heads_);
    heads_->clear();
    heads_->addItems(names);
    const auto kept = std::ranges::find(choices_, chosen);
    heads_->setCurrentIndex(choices_.empty() ? -1 : kept == choices_.end() ? 0 : kept - choices_.begin());
    heads_->setEnabled(!choices_.empty());
}

void CompareBar::setWhyNotSwapped(const QString& why) {
    swap_->setEnabled(why.isEmpty());
    swap_->setToolTip(why.isEmpty() ? tr("Exchange A and B") : why);
}

void CompareBar::setWith(With with) {
    if (std::exchange(with_, with) == with)
        return;
    followWith();
    Q_EMIT chosen(chooseWord("compare", "with", indexOf(with)));
}

void CompareBar::setSentence(const QString& sentence) {
    sentence_->setText(sentence);
}

void CompareBar::enterSentence() {
    choose("sentence", sentence().toStdString());
    Q_EMIT sentenceEntered();
}

void CompareBar::setBranch(int branch) {
    branches_->setCurrentIndex(branch);
}

void CompareBar::setStep(int step) {
    steps_->setCurrentIndex(step);
}

void CompareBar::setOtherHead(const OtherHead& other) {
    const auto place = std::ranges::find(choices_, other);
    if (place != choices_.end())
        heads_->setCurrentIndex(place - choices_.begin());
}

void CompareBar::setQuantity(Quantity quantity) {
    quantity_->setCurrentIndex(quantity_->findData(quantityKey(quantity)));
}

void CompareBar::setAlignedOnly(bool only) {
    alignedOnly_->setChecked(only);
}

void CompareBar::startChoosing() {
    const std::array<QWidget*, kinds> fields{sentence_, model_, branches_, steps_, segments_.back()};
    fields.at(indexOf(with()))->setFocus(Qt::ShortcutFocusReason);
}

} // namespace headscope::widgets
