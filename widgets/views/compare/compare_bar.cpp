#include "widgets/views/compare/compare_bar.h"

#include "model/trace/recorded_runs.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/controls/text_limit.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/trace_words.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr int sentenceLetters = 40;
constexpr int listLetters = 14; ///< a step's name is cut in the box and whole in its list

/// As wide as its line leaves room for; in a narrow view it takes less.
class SentenceField : public QLineEdit {
  public:
    explicit SentenceField(QWidget* parent) : QLineEdit(parent) {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    QSize sizeHint() const override {
        return {sentenceLetters * fontMetrics().averageCharWidth(), QLineEdit::sizeHint().height()};
    }
};

void fillQuietly(QComboBox* box, const QStringList& names) {
    const QSignalBlocker quiet(box);
    const int current = box->currentIndex();
    box->clear();
    box->addItems(names);
    box->setCurrentIndex(names.isEmpty() ? -1 : std::clamp(current, 0, static_cast<int>(names.size()) - 1));
}

} // namespace

CompareBar::CompareBar(QWidget* parent)
    : QWidget(parent), with_(new QComboBox(this)), sentence_(new SentenceField(this)),
      model_(new QPushButton(this)), modelMenu_(new QMenu(tr("Model to compare with"), model_)),
      branches_(new QComboBox(this)), steps_(new QComboBox(this)),
      headLabel_(new QLabel(tr("Head of B"), this)), heads_(new QComboBox(this)),
      alignedOnly_(new QCheckBox(tr("Only aligned tokens"), this)), busy_(new WrappedLabel(this)) {
    with_->addItems({tr("Compare with: a sentence"), tr("Compare with: a model"),
                     tr("Compare with: a branch"), tr("Compare with: a step"),
                     tr("Compare with: the original")});
    with_->setAccessibleName(tr("Comparison"));
    with_->setToolTip(tr("A is the run in the window. B is the run to compare with."));
    sentence_->setAccessibleName(tr("Sentence of B"));
    sentence_->setPlaceholderText(tr("another sentence, Enter"));
    sentence_->setToolTip(tr("Read by the same model with the same options and changes"));
    model_->setMenu(modelMenu_);
    model_->setAccessibleName(tr("Model of B"));
    branches_->setAccessibleName(tr("Branch of B"));
    steps_->setAccessibleName(tr("Step of B"));
    heads_->setAccessibleName(tr("Head of B"));
    heads_->setToolTip(tr("The head of B to compare with the selected head of A. The nearest is the head of "
                          "the same kind with the smallest mean divergence over aligned rows."));
    headLabel_->setBuddy(heads_);
    alignedOnly_->setToolTip(tr("Hide unmatched tokens in pictures and tables"));
    // Its room stays, so that nothing moves when something is done and when it has been done.
    busy_->setLines(1);
    busy_->setFixedWidth(listLetters * fontMetrics().averageCharWidth() * 2);
    for (QComboBox* box : {branches_, steps_, heads_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(listLetters);
    }
    auto* row = new FlowLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    auto* head = new QWidget(this); // a name and its box stay in one line
    auto* pair = new QHBoxLayout(head);
    pair->setContentsMargins(0, 0, 0, 0);
    pair->addWidget(headLabel_);
    pair->addWidget(heads_);
    for (QWidget* control : std::initializer_list<QWidget*>{with_, sentence_, model_, branches_, steps_, head,
                                                            alignedOnly_, busy_})
        row->addWidget(control);
    connect(with_, &QComboBox::currentIndexChanged, this, [this](int index) {
        followWith();
        Q_EMIT chosen(chooseWord("compare", "with", index));
    });
    limitText(sentence_, SentenceEdit::longestSentence);
    connect(sentence_, &QLineEdit::returnPressed, this, &CompareBar::enterSentence);
    connect(sentence_, &QLineEdit::editingFinished, this,
            [this] { choose("sentence", sentence().toStdString()); });
    for (auto [box, name] : {std::pair(branches_, "branch"), std::pair(steps_, "step")})
        connect(box, &QComboBox::currentIndexChanged, this,
                [this, name = name](int index) { choose(name, std::int64_t(index)); });
    connect(heads_, &QComboBox::currentIndexChanged, this, [this] { choose("head", toString(otherHead())); });
    connect(alignedOnly_, &QCheckBox::toggled, this, [this](bool on) { choose("aligned-only", on); });
    setModelName({});
    setBusy({});
    followWith();
}

void CompareBar::choose(const char* name, ChoiceValue value) {
    Q_EMIT chosen({.view = "compare", .name = name, .value = std::move(value)});
}

void CompareBar::followWith() {
    sentence_->setVisible(with() == With::Sentence);
    model_->setVisible(with() == With::Model);
    branches_->setVisible(with() == With::Branch);
    steps_->setVisible(with() == With::Step);
}

CompareBar::With CompareBar::with() const {
    return static_cast<With>(with_->currentIndex());
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
    const auto place = static_cast<std::size_t>(heads_->currentIndex());
    return heads_->currentIndex() < 0 || place >= choices_.size() ? OtherHead() : choices_[place];
}

void CompareBar::setBranches(const QStringList& names, int shown) {
    fillQuietly(branches_, names);
    if (auto* list = qobject_cast<QStandardItemModel*>(branches_->model()))
        for (int i = 0; i < list->rowCount(); ++i) {
            list->item(i)->setEnabled(i != shown);
            if (i == shown)
                list->item(i)->setToolTip(tr("A: the branch shown in the window."));
        }
    branches_->setEnabled(names.size() > 1);
    branches_->setToolTip(names.size() > 1 ? tr("The branch to compare with the shown one")
                                           : tr("There is one branch only."));
}

void CompareBar::setSteps(const QStringList& names) {
    fillQuietly(steps_, names);
    steps_->setEnabled(!names.isEmpty());
    steps_->setToolTip(names.isEmpty() ? tr("Nothing is decoded yet.")
                                       : tr("The step to compare with the shown one"));
}

void CompareBar::setModel(const trace::ModelSummary* model) {
    auto* list = qobject_cast<QStandardItemModel*>(with_->model());
    for (int i = 0; i < with_->count(); ++i) {
        const QString why = whyNotOffered(static_cast<With>(i), model);
        list->item(i)->setEnabled(why.isEmpty());
        list->item(i)->setToolTip(why);
    }
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
    model_->setToolTip(tr("The model is opened in memory of its own and reads the same sentence."));
}

void CompareBar::setHeads(const trace::ModelSummary* model, const trace::HeadAddress& head,
                          const OtherHead& chosen) {
    const auto kind = head.site.kind;
    const bool hasHead = model && head.site.layer < model->layers(kind) && head.head < model->heads(kind);
    QStringList names;
    choices_.clear();
    if (model && hasHead) {
        names += tr("the same");
        choices_.push_back({});
    }
    if (model) {
        names += tr("the nearest");
        choices_.push_back({.choice = OtherHead::Choice::Nearest});
        for (int layer = 0; layer < model->layers(kind); ++layer)
            for (int h = 0; h < model->heads(kind); ++h) {
                choices_.push_back({.choice = OtherHead::Choice::This, .head = {{kind, layer}, h}});
                names += address(choices_.back().head);
            }
    }
    const QSignalBlocker quiet(heads_);
    heads_->clear();
    heads_->addItems(names);
    const auto kept = std::ranges::find(choices_, chosen);
    heads_->setCurrentIndex(choices_.empty()         ? -1
                            : kept == choices_.end() ? 0
                                                     : static_cast<int>(kept - choices_.begin()));
    heads_->setEnabled(!choices_.empty());
}

void CompareBar::setBusy(const QString& words) {
    busy_->setText(words);
}

void CompareBar::setWith(With with) {
    with_->setCurrentIndex(static_cast<int>(with));
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
        heads_->setCurrentIndex(static_cast<int>(place - choices_.begin()));
}

void CompareBar::setAlignedOnly(bool only) {
    alignedOnly_->setChecked(only);
}

void CompareBar::startChoosing() {
    const std::array<QWidget*, 5> fields{sentence_, model_, branches_, steps_, with_};
    fields[static_cast<std::size_t>(with())]->setFocus(Qt::ShortcutFocusReason);
}

} // namespace headscope::widgets
