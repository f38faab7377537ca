#include "widgets/views/batch/batch_view.h"

#include "model/trace/example_ids.h"
#include "widgets/map/linked_maps.h"
#include "widgets/views/batch/batch_grid.h"
#include "widgets/views/batch/batch_words.h"
#include "widgets/words/trace_words.h"
#include "widgets/words/way_to_a_run.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTabBar>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

namespace {

QString joined(const std::vector<std::int64_t>& ids) {
    QStringList words;
    for (const auto id : ids)
        words += QString::number(id);
    return words.join(' ');
}

/// Ids of different lengths that the model can read.
QStringList idExamples(const trace::ModelSummary& model) {
    const auto ids = trace::exampleIds(model).ids;
    const auto suffix = model.special.sourceSuffix;
    QStringList examples;
    for (const std::size_t parts : {1, 2, 3}) {
        const auto own = ids.size() - suffix.size();
        std::vector<std::int64_t> part(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(own / parts));
        part.insert(part.end(), suffix.begin(), suffix.end());
        examples += joined(part);
    }
    return examples;
}

/// A longer one, a shorter one, and one between.
QStringList ofDifferentLengths(QStringList sentences) {
    if (sentences.size() < 3)
        return sentences;
    std::ranges::stable_sort(sentences, {}, &QString::size);
    return {sentences[sentences.size() - 2], sentences.front(), sentences[sentences.size() / 2]};
}

int mostPadded(const std::vector<BatchedSentence>& sentences) {
    const auto most = std::ranges::max_element(sentences, {}, [](const BatchedSentence& sentence) {
        const auto& padding = sentence.run->request.padding;
        return padding.source + padding.target;
    });
    return static_cast<int>(most - sentences.begin());
}

} // namespace

void BatchView::setSamples(const QStringList& samples, const QString& language) {
    samples_ = samples;
    language_ = language;
    fillFields();
}

void BatchView::setModel(std::shared_ptr<const trace::ModelSummary> model) {
    if (model == model_)
        return;
    const bool readsIds = model_ && model_->tokenizer.empty();
    model_ = std::move(model);
    answer_.reset();
    if (filled_ == sentences_ || readsIds != (model_ && model_->tokenizer.empty()))
        fillFields();
    showFields();
    showAnswer();
    Q_EMIT questionChanged();
}

void BatchView::forgetAnswer() {
    answer_.reset();
    showAnswer();
    Q_EMIT questionChanged();
}

/// Samples are of one language; a model that reads another one begins with empty fields.
void BatchView::fillFields() {
    if (!model_)
        return;
    const QString language = QString::fromStdString(model_->sourceLanguage);
    const QStringList examples = model_->tokenizer.empty()                     ? idExamples(*model_)
                                 : language.isEmpty() || language == language_ ? ofDifferentLengths(samples_)
                                                                               : QStringList();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        fields_[i].source->setText(examples.value(static_cast<qsizetype>(i)));
        fields_[i].source->setCursorPosition(0);
        fields_[i].target->clear();
    }
    commit();
    filled_ = sentences_;
}

void BatchView::setSentences(const std::vector<BatchSentence>& sentences) {
    count_ = std::clamp<std::size_t>(sentences.size(), 2, fields_.size());
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        fields_[i].source->setText(i < sentences.size() ? sentences[i].source : QString());
        fields_[i].source->setCursorPosition(0);
        fields_[i].target->setText(i < sentences.size() ? sentences[i].target : QString());
        fields_[i].target->setCursorPosition(0);
    }
    showFields();
    commit();
}

void BatchView::setCount(std::size_t count) {
    count_ = count;
    showFields();
    commit();
}

void BatchView::commit() {
    std::vector<BatchSentence> typed;
    for (std::size_t i = 0; i < count_; ++i)
        if (const QString source = fields_[i].source->text().trimmed(); !source.isEmpty())
            typed.push_back({.source = source, .target = fields_[i].target->text().trimmed()});
    sentences_ = std::move(typed);
    if (sentences_.empty() || (answer_ && !answer_->whyNot.isEmpty()))
        answer_.reset(); // Enter tries again what was refused
    showAnswer();
    Q_EMIT questionChanged();
}

std::optional<BatchQuestion> BatchView::wanted() const {
    if (!model_ || sentences_.empty())
        return std::nullopt;
    return BatchQuestion{.sentences = sentences_, .model = model_};
}

std::optional<BatchQuestion> BatchView::question() const {
    auto question = isVisible() ? wanted() : std::nullopt;
    return answer_ && question == answer_->question ? std::nullopt : question;
}

void BatchView::setAnswer(BatchAnswer answer) {
    if (answer.question != wanted())
        return;
    const bool isFirst = !hasFigure();
    answer_ = std::move(answer);
    showAnswer();
    if (isFirst && hasFigure())
        choose(mostPadded(answer_->sentences)); // there the masks have something to say
    Q_EMIT questionChanged();
}

int BatchView::chosen() const {
    return std::max(0, tabs_->currentIndex());
}

void BatchView::choose(int sentence) {
    tabs_->setCurrentIndex(sentence);
}

const BatchedSentence* BatchView::shown() const {
    const auto at = static_cast<std::size_t>(chosen());
    return hasFigure() && at < answer_->sentences.size() ? &answer_->sentences[at] : nullptr;
}

QString BatchView::caption() const {
    if (!hasFigure())
        return wayThere();
    return batchCaption(*answer_) + ' ' + masksCaption();
}

QString BatchView::masksCaption() const {
    const QString words = batchMasksCaption(*answer_, static_cast<std::size_t>(chosen()));
    return runIsChanged_ ? words + ' ' +
                               tr("The changes of the shown run are left out: a batch is run "
                                  "through the model as it is.")
                         : words;
}

void BatchView::setRunIsChanged(bool changed) {
    if (changed == runIsChanged_)
        return;
    runIsChanged_ = changed;
    showMasks();
}

QString BatchView::wayThere() const {
    if (model_ && model_->recorded && answer_ && !answer_->whyNot.isEmpty())
        return whyNoBatch();
    if (answer_ && !answer_->whyNot.isEmpty())
        return answer_->whyNot;
    if (!model_)
        return wayToARun(*this);
    if (sentences_.empty())
        return model_->tokenizer.empty()
                   ? tr("Type ids such as 5 6 7 into two of the fields and press Enter.")
                   : tr("Type two sentences into the fields and press Enter.");
    return tr("The batch is being run.");
}

void BatchView::showAnswer() {
    scroll_->setVisible(hasFigure());
    detail_->setVisible(hasFigure());
    const auto count = hasFigure() ? static_cast<int>(answer_->sentences.size()) : 0;
    {
        const QSignalBlocker quiet(tabs_);
        while (tabs_->count() > count)
            tabs_->removeTab(tabs_->count() - 1);
        while (tabs_->count() < count)
            tabs_->addTab(tr("Sentence %1").arg(tabs_->count() + 1));
    }
    tabs_->updateGeometry(); // which a hidden bar leaves undone
    grid_->setBatch(hasFigure() ? answer_->sentences : std::vector<BatchedSentence>());
    gridCaption_->setText(hasFigure() ? batchCaption(*answer_) : QString());
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const bool isRun = hasFigure() && i < answer_->sentences.size();
        const QString output = isRun ? QString::fromStdString(answer_->sentences[i].run->output) : QString();
        fields_[i].target->setPlaceholderText(output.isEmpty()
                                                  ? tr("Decoded by the model, or type a target")
                                                  : tr("Decoded: %1", "the model's output").arg(output));
    }
    showMasks();
    update();
}

void BatchView::showMasks() {
    const BatchedSentence* one = shown();
    grid_->setChosen(chosen());
    masks_->setMaps(one ? batchMasks(*one) : std::vector<LinkedMap>());
    focus_->clearPinned(); // first: a hover that ends lights what is pinned
    focus_->setCursor({});
    masksCaption_->setText(one ? masksCaption() : QString());
    fitWidth();
    followFocus();
}

} // namespace headscope::widgets
