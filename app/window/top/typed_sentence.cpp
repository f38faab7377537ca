#include "app/window/top/typed_sentence.h"

#include "app/models/resource_folders.h"
#include "app/window/top/language_box.h"
#include "app/window/top/sentence_panel.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/words/captions.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/typed_source.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <utility>

namespace headscope::app {

namespace {

bool predictsMasks(const trace::ModelSummary& model) {
    return model.tokenPrediction == trace::TokenPrediction::Masked && !model.maskPiece.empty();
}

/// Replaces the last word.
QString masked(QString sentence, const QString& mask) {
    static const QRegularExpression lastWord("\\w+(?=\\W*$)", QRegularExpression::UseUnicodePropertiesOption);
    return sentence.replace(lastWord, mask);
}

/// Returns the model's own samples if it has some, else English sentences. `model` may be null.
QStringList samplesOf(const trace::ModelSummary* model) {
    QStringList all;
    const bool hasOwn = model && !model->samples.empty();
    for (const auto& sentence : hasOwn ? model->samples : sampleSentences())
        all += QString::fromStdString(sentence);
    if (model && !hasOwn && predictsMasks(*model))
        for (QString& sentence : all)
            sentence = masked(sentence, QString::fromStdString(model->maskPiece));
    return all;
}

/// Returns the phenomenon of each bundled sample sentence; empty unless the model translates these sentences.
QStringList phenomenaOf(const trace::ModelSummary* model) {
    QStringList all;
    if (!model || (model->samples.empty() && model->decoderLayers > 0 && model->attendsToSource))
        for (const auto& phenomenon : samplePhenomena())
            all += QCoreApplication::translate("Samples", phenomenon.c_str());
    return all;
}

} // namespace

TypedSentence::TypedSentence(Document* document, Settings* settings, SentencePanel* panel,
                             std::optional<QString> first, QObject* parent)
    : QObject(parent), document_(document), settings_(settings), panel_(panel), first_(std::move(first)) {
    panel_->edit()->setSamples(samplesOf(nullptr), phenomenaOf(nullptr));
    if (const auto& sentences = sampleSentences(); !sentences.empty())
        panel_->edit()->setText(QString::fromStdString(sentences.front()));
    connect(document, &Document::modelChanged, this, &TypedSentence::followModel);
    for (const auto* edit : {panel->edit(), panel->second()})
        connect(edit, &widgets::SentenceEdit::submitted, this, &TypedSentence::submit);
    connect(panel->language(), &LanguageBox::languageChosen, this, &TypedSentence::followLanguage);
    // Languages in which the model could not be opened are not those of the open one.
    connect(document->opener(), &ModelOpener::gaveUp, this, &TypedSentence::showOpenLanguages);
    connect(document->opener(), &ModelOpener::refused, this, &TypedSentence::showOpenLanguages);
    connect(panel->sourceLanguage(), &LanguageBox::languageChosen, this, &TypedSentence::openLanguages);
}

QString TypedSentence::text() const {
    return panel_->edit()->text().trimmed();
}

void TypedSentence::followModel(const std::shared_ptr<const trace::ModelSummary>& model) {
    auto* opener = document_->opener();
    const auto samples = samplesOf(model.get());
    panel_->edit()->setSamples(samples, phenomenaOf(model.get()));
    panel_->second()->setSamples(samples);
    document_->setSamples(samples, model->samples.empty() ? "en" : model->sourceLanguage);
    panel_->setSecondShown(model->recorded ? model->recorded->second.has_value() : model->readsPairs);
    panel_->edit()->setHistory(settings_->history(opener->rememberedAs()));
    showLanguages(*model);
}

void TypedSentence::showLanguages(const trace::ModelSummary& model) {
    QStringList wanted;
    if (const auto chosen = settings_->targetLanguage(document_->opener()->openPath()))
        wanted += *chosen;
    if (!model.targetLanguage.empty())
        wanted += QString::fromStdString(model.targetLanguage);
    const bool hasTokens = model.targetLanguages.empty();
    if (hasTokens)
        panel_->language()->setSortedLanguages(model.languages, model.targetLanguage);
    else
        panel_->language()->setLanguages(model.targetLanguages, wanted, true);
    panel_->language()->setToolTip(
        hasTokens ? tr("The target language: type part of its name or code.")
                  : tr("The target language. A sentence that begins with its own code, such as >>fra<<, is "
                       "sent unchanged."));
    panel_->sourceLanguage()->setSortedLanguages(hasTokens ? model.languages : std::vector<std::string>(),
                                                 model.sourceLanguage);
}

void TypedSentence::showOpenLanguages() {
    if (const auto& model = document_->model())
        showLanguages(*model);
}

/// The code of a target language is part of the sentence, or it is a setting of the model.
void TypedSentence::followLanguage(const QString& language) {
    if (document_->model()->targetLanguages.empty())
        return openLanguages();
    settings_->setTargetLanguage(document_->opener()->openPath(), language);
    decode();
}

void TypedSentence::openLanguages() {
    ModelSettings languages;
    const auto add = [&](const char* key, const LanguageBox* box) {
        if (const QString language = box->language(); !language.isEmpty())
            languages[key] = language.toStdString();
    };
    add(engine::sourceLanguageKey, panel_->sourceLanguage());
    add(engine::targetLanguageKey, panel_->language());
    document_->opener()->openInLanguages(languages);
}

void TypedSentence::choose() {
    auto* edit = panel_->edit();
    const auto& model = *document_->model();
    const QString mask = QString::fromStdString(model.maskPiece);
    const QString own = !model.samples.empty() ? QString::fromStdString(model.samples.front())
                        : predictsMasks(model)
                            ? edit->text().contains(mask) ? edit->text() : masked(edit->text(), mask)
                        : !model.tokenizer.empty()                  ? QString()
                        : widgets::typedSource(edit->text(), model) ? edit->text()
                                                                    : widgets::exampleIdsText(model);
    if (first_) {
        edit->setText(*std::exchange(first_, std::nullopt));
    } else if (!own.isEmpty()) {
        if (kept_.isEmpty() && edit->text() != own)
            kept_ = edit->text();
        edit->setText(own);
    } else if (!kept_.isEmpty()) {
        edit->setText(std::exchange(kept_, QString()));
    }
}

void TypedSentence::showRecorded() {
    first_.reset();
    if (kept_.isEmpty())
        kept_ = panel_->edit()->text();
    panel_->edit()->setText(widgets::typedText(document_->model()->recorded->source));
    panel_->setSecondText(document_->model()->recorded->second);
    leaveCells();
}

/// Only sentences submitted by the user enter the history.
void TypedSentence::submit() {
    if (!decode())
        return;
    const QString remembered = document_->opener()->rememberedAs();
    settings_->addToHistory(remembered, text());
    panel_->edit()->setHistory(settings_->history(remembered));
}

void TypedSentence::decode(const QString& text) {
    panel_->edit()->setText(text);
    decode();
}

bool TypedSentence::refuse(const trace::RefusalText& text) {
    Q_EMIT refused(text);
    return false;
}

bool TypedSentence::decodeRecorded(const QString& text) {
    const auto& model = *document_->model();
    const QString known = widgets::typedText(model.recorded->source);
    if (text == known.trimmed() && panel_->secondText() == model.recorded->second) {
        Q_EMIT recordedWanted();
        return false;
    }
    panel_->edit()->setText(known); // the fields must match the shown run
    panel_->setSecondText(model.recorded->second);
    return refuse(
        {.what = tr("A trace holds one run but no model, so it cannot read another sentence").toStdString(),
         .where = model.path,
         .wayOut = tr("open the model that it was recorded from").toStdString()});
}

bool TypedSentence::decode() {
    const QString typed = text();
    const auto& model = document_->model();
    if (document_->isModelMissing())
        return refuse({.what = tr("No model is open").toStdString(),
                       .wayOut = widgets::fixForNoRun(*panel_).toStdString()});
    if (model && !model->recorded && model->sourceVocabulary == 0)
        return refuse({.what = tr("This model has no embedding of its own").toStdString(),
                       .where = model->path,
                       .expected = tr("input vectors instead of a sentence").toStdString(),
                       .wayOut = tr("use headscope-cli trace with --source-embeddings").toStdString()});
    if (!model)
        return false;
    if (model->recorded)
        return decodeRecorded(typed);
    if (typed.isEmpty())
        return refuse(
            {.what = (model->decoderLayers > 0 ? tr("There is nothing to decode")
                                               : tr("There is nothing to read"))
                         .toStdString(),
             .wayOut = tr("type a sentence, or choose one from the list next to the field").toStdString()});
    const QString code = model->targetLanguages.empty() ? QString() : panel_->language()->language();
    const auto source = widgets::typedSource(typed, *model, code);
    if (!source)
        return refuse({.what = tr("This model has no tokenizer").toStdString(),
                       .expected = tr("ids, such as %1").arg(widgets::exampleIdsText(*model)).toStdString(),
                       .wayOut = tr("type ids instead of a sentence").toStdString()});
    Q_EMIT aboutToDecode();
    leaveCells();
    document_->controller()->decode(*source, panel_->secondText());
    return true;
}

/// Pinned tokens belong to the previous sentence.
void TypedSentence::leaveCells() {
    document_->selection()->clearPinned();
    document_->selection()->setCursor({});
}

} // namespace headscope::app
