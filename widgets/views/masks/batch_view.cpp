#include "widgets/views/masks/batch_view.h"

#include "model/trace/example_ids.h"
#include "model/trace/intervention.h"
#include "model/trace/refusal.h"
#include "widgets/controls/card_columns.h"
#include "widgets/controls/card_head.h"
#include "widgets/controls/text_limit.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/linked_maps.h"
#include "widgets/map/named_labels.h"
#include "widgets/view_spec.h"
#include "widgets/views/masks/batch_grid.h"
#include "widgets/views/masks/batch_words.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"
#include "widgets/words/typed_source.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTabBar>
#include <QVBoxLayout>

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

/// A long, a short and a medium sentence.
QStringList ofDifferentLengths(const std::vector<std::string>& samples) {
    QStringList sentences;
    for (const auto& sentence : samples)
        sentences += QString::fromStdString(sentence);
    if (sentences.size() < 3)
        return sentences;
    std::ranges::stable_sort(sentences, {}, &QString::size);
    return {sentences[sentences.size() - 2], sentences.front(), sentences[sentences.size() / 2]};
}

/// A path that forces the typed target as a whole; nullopt if the text does not hold ids although the model
/// needs them.
std::optional<trace::DecodePath> forcedPath(const QString& text, const trace::ModelSummary& model) {
    const auto typed = typedSource(text, model);
    if (!typed)
        return std::nullopt;
    if (const auto* sentence = std::get_if<std::string>(&*typed))
        return trace::DecodePath{.forced = *sentence, .newTokens = 0};
    trace::TargetIds target{std::get<trace::SourceIds>(*typed).ids};
    if (model.special.start)
        target.ids.insert(target.ids.begin(), *model.special.start);
    return trace::DecodePath{.forced = std::move(target), .newTokens = 0};
}

/// Returns the forced target of the shown sentence, as a user types it. Throws trace::Refusal if it cannot be
/// typed.
QString forcedText(const trace::Run& run) {
    const auto& path = run.request.paths.back();
    if (std::holds_alternative<std::monostate>(path.forced) || run.model->decoderLayers == 0)
        return {};
    const auto* text = std::get_if<std::string>(&path.forced);
    if (path.newTokens == 0 && text)
        return QString::fromStdString(*text);
    const auto* target = std::get_if<trace::TargetIds>(&path.forced);
    const bool begins = target && !target->ids.empty() && target->ids.front() == run.model->special.start;
    const bool isTyped = path.newTokens == 0 && begins && run.model->tokenizer.empty();
    if (isTyped)
        return joined({target->ids.begin() + 1, target->ids.end()});
    if (run.model->recorded)
        throw trace::Refusal(
            {.what = "A batch does not show the target of this trace",
             .where = "--view inputs",
             .wayOut = "draw it of the model that it was recorded from, with --source and --beside"});
    throw trace::Refusal({.what = "A batch does not show this target",
                          .where = "--view inputs",
                          .expected = "--target, without --continue",
                          .found = path.newTokens > 0 ? "--continue" : "--target-ids",
                          .wayOut = "force a whole target as it would be typed"});
}

/// Source and target of each sentence, alternating.
ChoiceValue sentencesOf(const BatchView& batch) {
    std::vector<std::string> texts;
    for (const auto& sentence : batch.sentences()) {
        texts.push_back(sentence.source.toStdString());
        texts.push_back(sentence.target.toStdString());
    }
    return texts;
}

void setSentencesOf(BatchView& batch, const std::vector<std::string>& texts) {
    std::vector<BatchSentence> sentences;
    for (std::size_t i = 0; i + 1 < texts.size(); i += 2)
        sentences.push_back(
            {.source = QString::fromStdString(texts[i]), .target = QString::fromStdString(texts[i + 1])});
    batch.setSentences(sentences);
}

int mostPadded(const std::vector<BatchedSentence>& sentences) {
    const auto most = std::ranges::max_element(sentences, {}, [](const BatchedSentence& sentence) {
        const auto& padding = sentence.run->request.padding;
        return padding.source + padding.target;
    });
    return most - sentences.begin();
}

} // namespace

void BatchView::setModel(std::shared_ptr<const trace::ModelSummary> model) {
    if (model == model_)
        return;
    model_ = std::move(model);
    line_->setText(!model_ ? QString()
                   : model_->special.padding
                       ? tr("Shorter sentences are padded with token %1").arg(*model_->special.padding)
                       : tr("This model does not define a padding token"));
    answer_.reset();
    whyNot_.clear();
    fillFields();
    showFields();
    showAnswer();
    Q_EMIT questionsChanged();
}

QWidget* BatchView::canvasLine() const {
    return line_;
}

void BatchView::setRun(std::shared_ptr<const trace::Run> run) {
    targetLanguage_ = run ? languageCode(run->request.source) : std::string();
    const bool changed =
        run && (!trace::effective(run->request.interventions).empty() || run->request.randomTwin);
    if (std::exchange(runIsChanged_, changed) != changed)
        showMasks();
}

void BatchView::showPicture(const PictureOptions& options) {
    const auto& run = *context().document->run;
    setModel(run.model);
    std::vector<BatchSentence> sentences;
    if (const auto* source = std::get_if<std::string>(&run.request.source))
        sentences.push_back({.source = QString::fromStdString(*source), .target = forcedText(run)});
    else if (const auto* ids = std::get_if<trace::SourceIds>(&run.request.source);
             ids && run.model->tokenizer.empty())
        sentences.push_back({.source = joined(ids->ids), .target = forcedText(run)});
    for (const auto& sentence : options.beside)
        sentences.push_back({.source = QString::fromStdString(sentence)});
    setSentences(sentences);
}

/// Samples are in one language; the fields stay empty for a model that reads another.
void BatchView::fillFields() {
    if (!model_)
        return;
    const auto& samples = context().document->samples;
    const auto& language = model_->sourceLanguage;
    const QStringList examples = model_->tokenizer.empty() ? idExamples(*model_)
                                 : language.empty() || language == samples.language
                                     ? ofDifferentLengths(samples.sentences)
                                     : QStringList();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        fields_[i].source->setText(examples.value(static_cast<qsizetype>(i)));
        fields_[i].source->setCursorPosition(0);
        fields_[i].target->clear();
    }
    commit();
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
    if (std::exchange(whyNot_, {}) != QString()) { // Enter tries again what was wanted no more for a moment
        sentences_.clear();
        Q_EMIT questionsChanged();
    }
    const bool areOthers = std::exchange(sentences_, std::move(typed)) != sentences_;
    if (sentences_.empty())
        answer_.reset();
    showAnswer();
    Q_EMIT questionsChanged();
    if (areOthers)
        Q_EMIT intended(intents::Choose{"masks", "batch", sentencesOf(*this)});
}

void BatchView::noteIntent(const Intent& intent) {
    const auto* chosen = std::get_if<intents::Choose>(&intent);
    if (chosen && chosen->view == "masks" && chosen->name == "batch" && chosen->value != sentencesOf(*this))
        setSentencesOf(*this, std::get<std::vector<std::string>>(chosen->value));
}

/// What is answered stays so until something else is typed, whatever sentence is shown meanwhile.
std::optional<BatchQuestion> BatchView::question() const {
    if (!model_ || sentences_.empty())
        return std::nullopt;
    if (answer_ && answer_->question.sentences == sentences_ && answer_->question.model == model_)
        return answer_->question;
    return BatchQuestion{.sentences = sentences_, .model = model_, .requests = requests()};
}

std::vector<trace::Wanted> BatchView::questions() const {
    const auto asks = question();
    return asks && !asks->requests.empty() ? std::vector<trace::Wanted>{trace::Counted(*asks)}
                                           : std::vector<trace::Wanted>();
}

void BatchView::refresh() {
    const auto& shown = *context().document;
    if (shown.decoding != decoding_ || shown.newTokens != newTokens_) {
        decoding_ = shown.decoding;
        newTokens_ = shown.newTokens;
        answer_.reset();
        whyNot_.clear();
        showAnswer();
    }
    const auto asks = question();
    if (!asks)
        return;
    auto answer = context().known->of(*asks);
    const QString whyNot =
        asks->requests.empty()
            ? tr("This model has no tokenizer: type ids, such as %1.").arg(exampleIdsText(*asks->model))
            : inWords(context().known->refusalOf(trace::Counted(*asks)));
    if ((!answer && whyNot.isEmpty()) || (answer == answer_ && whyNot == whyNot_))
        return;
    const bool isFirst = !hasFigure();
    answer_ = std::move(answer);
    whyNot_ = whyNot;
    showAnswer();
    if (isFirst && hasFigure())
        choose(mostPadded(answer_->sentences)); // the sentence with most padding, whose masks show most
}

std::vector<trace::Request> BatchView::requests() const {
    std::vector<trace::Request> all;
    for (const auto& sentence : sentences_) {
        const auto source = typedSource(sentence.source, *model_, QString::fromStdString(targetLanguage_));
        const bool decodes = sentence.target.isEmpty() || model_->decoderLayers == 0;
        const auto path =
            decodes ? trace::DecodePath{.newTokens = newTokens_} : forcedPath(sentence.target, *model_);
        if (!source || !path)
            return {};
        all.push_back({.source = *source, .paths = {*path}, .decoding = decoding_});
    }
    return all;
}

int BatchView::chosen() const {
    return std::max(0, tabs_->currentIndex());
}

void BatchView::choose(int sentence) {
    tabs_->setCurrentIndex(sentence);
}

const BatchedSentence* BatchView::shown() const {
    const std::size_t at = chosen();
    return hasFigure() && at < answer_->sentences.size() ? &answer_->sentences[at] : nullptr;
}

QString BatchView::caption() const {
    if (!hasFigure())
        return wayThere();
    return batchCaption(*answer_) + ' ' + masksCaption();
}

QString BatchView::masksCaption() const {
    const QString words = batchMasksCaption(*answer_, chosen());
    return runIsChanged_
               ? words + ' ' +
                     tr("Changes to the shown run do not apply: the batch runs through the original model.")
               : words;
}

QString BatchView::wayThere() const {
    if (model_ && model_->recorded && !whyNot_.isEmpty())
        return whyNoBatch();
    if (!whyNot_.isEmpty())
        return whyNot_;
    if (!model_)
        return hintForNoRun(*this);
    if (sentences_.empty())
        return model_->tokenizer.empty()
                   ? tr("Type ids such as 5 6 7 into two of the fields and press Enter.")
                   : tr("Type two sentences into the fields and press Enter.");
    return tr("Running the batch...");
}

void BatchView::showAnswer() {
    cards_->setShown(masksFrame_, hasFigure());
    grid_->setVisible(hasFigure());
    missing_->setVisible(!hasFigure());
    showWayThere();
    detail_->setVisible(hasFigure());
    const auto count = hasFigure() ? static_cast<int>(answer_->sentences.size()) : 0;
    {
        const QSignalBlocker quiet(tabs_);
        while (tabs_->count() > count)
            tabs_->removeTab(tabs_->count() - 1);
        while (tabs_->count() < count)
            tabs_->addTab(tr("Sentence %1").arg(tabs_->count() + 1));
    }
    tabs_->updateGeometry(); // not done for a hidden bar
    grid_->setBatch(hasFigure() ? answer_->sentences : std::vector<BatchedSentence>());
    gridHead_->setHelp(hasFigure() ? batchCaption(*answer_)
                                   : tr("Shows your sentences as one padded batch: inputs of encoder and "
                                        "decoder, labels, and the masks caused by padding."));
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const bool isRun = hasFigure() && i < answer_->sentences.size();
        const QString output = isRun ? QString::fromStdString(answer_->sentences[i].run->output) : QString();
        fields_[i].target->setPlaceholderText(output.isEmpty()
                                                  ? tr("Decoded by the model, or type a target")
                                                  : tr("Decoded: %1", "the model's output").arg(output));
    }
    showMasks();
}

void BatchView::showMasks() {
    const BatchedSentence* one = shown();
    grid_->setChosen(chosen());
    masks_->setMaps(one ? batchMasks(*one) : std::vector<LinkedMap>());
    focus_->clearPinned(); // first: a hover that ends highlights the pinned tokens
    focus_->setCursor({});
    masksHead_->setHelp(one ? masksCaption() : QString());
    fitWidth();
    followFocus();
}

trace::FigureData BatchView::figureData() const {
    trace::FigureData data;
    if (!hasFigure())
        return data;
    QStringList kinds, tokens;
    std::vector<double> sentences, positions;
    for (std::size_t i = 0; i < answer_->sentences.size(); ++i) {
        const auto& row = answer_->sentences[i].row;
        const auto add = [&](const char* kind, std::size_t position, const trace::Token& token) {
            sentences.push_back(static_cast<double>(i));
            kinds += QLatin1String(kind);
            positions.push_back(static_cast<double>(position));
            tokens += tokenLabel(token).full();
        };
        for (std::size_t at = 0; at < row.source.size(); ++at)
            add("source", at, row.source[at]);
        for (std::size_t at = 0; at < row.input.size(); ++at)
            add("input", at, row.input[at]);
        for (std::size_t at = 0; at < row.labels.size(); ++at)
            if (row.labels[at])
                add("label", at, *row.labels[at]);
    }
    data.tables.push_back({.name = "tokens",
                           .columns = {dataColumn("sentence", sentences), dataColumn("row", kinds),
                                       dataColumn("position", positions), dataColumn("token", tokens)}});
    addLinkedMaps(data, masks_->maps());
    return data;
}

namespace {

constexpr int longestText = 2000; // of a sentence in a batch

// In lines of text: smaller maps are not readable, so the page scrolls instead.
constexpr int batchViewLowestMap = 13;
constexpr int batchViewNarrowestMap = 11;

} // namespace

BatchView::BatchView(QWidget* parent)
    : View(parent), focus_(new Selection(this)), add_(new QPushButton(tr("Add"), this)),
      remove_(new QPushButton(tr("Remove"), this)), line_(wrappedLabel(this)),
      cards_(new CardColumns(1, 1, this)), gridHead_(new CardHead(tr("The padded batch"), QString(), this)),
      grid_(new BatchGrid(this)), missing_(wrappedLabel(this)),
      masksHead_(new CardHead(tr("Masks"), tr("of one sentence of the batch"), this)),
      tabs_(new QTabBar(this)),
      masks_(new LinkedMaps(tr("Masks of one sentence of the batch"), focus_, this)),
      detail_(wrappedLabel(this)) {
    setAccessibleName(tr("Padded batch"));
    masks_->setWords(
        [this](auto kind, MapCell cell) {
            const BatchedSentence* one = shown();
            return one ? batchCellInWords(*one, kind, cell) : QString();
        },
        [this](auto kind, bool isQuery, int index) {
            const BatchedSentence* one = shown();
            return !one      ? QString()
                   : isQuery ? queryInWords(*one->run, kind, index)
                             : keyInWords(*one->run, kind, index);
        });
    cards_->add(0, buildGrid(), 1, 12);
    masksFrame_ = cards_->add(1, buildMasks(), 1, 0);
    static_cast<WrappedLabel*>(line_)->setLines(1);
    line_->setForegroundRole(QPalette::PlaceholderText);
    line_->hide(); // until it has a place
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(cards_);
    connect(tabs_, &QTabBar::currentChanged, this, &BatchView::showMasks);
    connect(grid_, &BatchGrid::sentenceChosen, this, &BatchView::choose);
    connect(focus_, &Selection::focusChanged, this, &BatchView::followFocus);
    connect(grid_, &BatchGrid::cursorMoved, this, [this](std::optional<MapCell> cell) {
        const auto& layout = grid_->gridLayout();
        TokenFocus focus;
        if (cell && layout.sentenceOf(cell->row) == chosen()) {
            if (layout.isSource(cell->row))
                focus = {.sourceQuery = cell->column, .sourceKey = cell->column};
            else
                focus = {.targetQuery = cell->column, .targetKey = cell->column};
        }
        focus_->setHover(focus);
        followFocus();
    });
    showFields();
    showAnswer();
}

QWidget* BatchView::buildFields() {
    auto* fields = new QWidget(this);
    auto* grid = new QGridLayout(fields);
    grid->setContentsMargins(0, 0, 0, 0);
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const auto number = static_cast<int>(i) + 1;
        Field& field = fields_[i];
        field.name = new QLabel(QString::number(number), fields);
        field.source = new QLineEdit(fields);
        field.source->setAccessibleName(tr("Sentence %1 of the batch").arg(number));
        field.source->setToolTip(tr("Press Enter to run the batch"));
        field.target = new QLineEdit(fields);
        field.target->setAccessibleName(tr("Target of sentence %1").arg(number));
        field.target->setToolTip(tr("Target to force on the decoder. Press Enter to run the batch"));
        field.name->setBuddy(field.source);
        for (QLineEdit* edit : {field.source, field.target}) {
            edit->setMinimumWidth(9 * edit->fontMetrics().averageCharWidth());
            limitText(edit, longestText);
            connect(edit, &QLineEdit::returnPressed, this, &BatchView::commit);
        }
        grid->addWidget(field.name, number, 0);
        grid->addWidget(field.source, number, 1);
        grid->addWidget(field.target, number, 2);
    }
    grid->setColumnStretch(1, 1);
    grid->addWidget(add_, 2, 3);
    grid->addWidget(remove_, 3, 3);
    add_->setAccessibleName(tr("Add a sentence"));
    add_->setToolTip(tr("Adds a third sentence to the batch"));
    remove_->setAccessibleName(tr("Remove the third sentence"));
    remove_->setToolTip(tr("Removes the third sentence from the batch"));
    connect(add_, &QPushButton::clicked, this, [this] { setCount(3); });
    connect(remove_, &QPushButton::clicked, this, [this] { setCount(2); });
    return fields;
}

/// Only while it is seen, as whether there is a model is known later than without one nothing is shown.
void BatchView::showWayThere() {
    missing_->setText(hasFigure() || !isVisible() ? QString() : wayThere());
}

void BatchView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    showWayThere();
}

QWidget* BatchView::buildGrid() {
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    missing_->setAlignment(Qt::AlignCenter);
    column->addWidget(gridHead_);
    column->addWidget(buildFields());
    column->addWidget(grid_);
    column->addWidget(missing_, 1);
    column->addStretch();
    content->installEventFilter(this);
    return content;
}

QWidget* BatchView::buildMasks() {
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(masksHead_);
    column->addWidget(tabs_, 0, Qt::AlignLeft);
    column->addWidget(masks_, 1);
    column->addWidget(detail_);
    tabs_->setAccessibleName(tr("Sentence whose masks are shown"));
    tabs_->setDrawBase(false);
    masks_->installEventFilter(this);
    return content;
}

void BatchView::showFields() {
    const bool hasDecoder = !model_ || model_->decoderLayers > 0;
    auto* grid = static_cast<QGridLayout*>(add_->parentWidget()->layout());
    grid->setColumnStretch(2, hasDecoder ? 1 : 0); // without targets, sources use the whole width
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const bool inSight = i < count_;
        fields_[i].name->setVisible(inSight);
        fields_[i].source->setVisible(inSight);
        fields_[i].target->setVisible(inSight && hasDecoder);
    }
    add_->setVisible(count_ < fields_.size());
    remove_->setVisible(count_ == fields_.size());
}

/// The grid is as high as its width makes it; maps keep a size at which they can be read.
void BatchView::fitWidth() {
    grid_->setRoom(std::max(120, grid_->parentWidget()->width()));
    const int line = fontMetrics().height();
    const int count = std::max(1, static_cast<int>(masks_->maps().size()));
    const int columns = std::clamp(masks_->width() / (batchViewNarrowestMap * line), 1, count);
    masks_->setMinimumHeight((count + columns - 1) / columns * batchViewLowestMap * line);
}

bool BatchView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        fitWidth();
    return View::eventFilter(watched, event);
}

void BatchView::followFocus() {
    const TokenFocus& focus = focus_->focus();
    std::vector<int> source;
    std::vector<int> target;
    for (const auto& index : {focus.sourceQuery, focus.sourceKey})
        if (index)
            source.push_back(*index);
    for (const auto& index : {focus.targetQuery, focus.targetKey})
        if (index)
            target.push_back(*index);
    grid_->setLit(source, target);
    const auto cursor = grid_->cursorCell();
    const QString words = !shown() ? QString()
                          : cursor ? grid_->cellInWords(*cursor)
                                   : masks_->focusInWords();
    detail_->setText(words.isEmpty() ? tr("Hover a token or a cell, or use the arrow keys, to read about it.")
                                     : words);
    if (!focus.isEmpty() && !cursor)
        describeForReaders(masks_, words);
}

void BatchView::setSpaceMarksShown(bool shown) {
    grid_->setSpaceMarksShown(shown);
    masks_->setSpaceMarksShown(shown);
}

void BatchView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitWidth();
}

std::optional<FigureBlocks> BatchView::figureBlocks() const {
    constexpr QSizeF least(976, 312);
    if (!hasFigure())
        return std::nullopt;
    auto figure = masks_->figure(caption(), least);
    figure.picture = stacked({grid_->block(), figure.picture});
    return figure;
}

std::optional<PictureOptions> BatchView::picture(PictureOptions options) const {
    return ofView(std::move(options), "inputs");
}

FigureText BatchView::figureText() const {
    QStringList sentences;
    if (hasFigure())
        for (const BatchSentence& sentence : answer_->question.sentences)
            sentences += sentence.source;
    const QString model = model_ ? QString::fromStdString(model_->name) : QString();
    return {.title = tr("Padded batch"),
            .caption = caption(),
            .provenance = QStringLiteral("%1; %2").arg(model, sentences.join(" / ")),
            .quantity = tr("masks")};
}

void BatchView::addChoices(ViewChoices& choices) {
    choices.add(
        "masks", "batch", [this] { return sentencesOf(*this); },
        [this](const ChoiceValue& value) {
            setSentencesOf(*this, std::get<std::vector<std::string>>(value));
        });
    choices.addWhole(
        "masks", "sentence", [this] { return chosen(); }, [this](int sentence) { choose(sentence); });
}

View* views::makers::batch(Selection* /*selection*/, QWidget* parent) {
    return new BatchView(parent);
}

} // namespace headscope::widgets
