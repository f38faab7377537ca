#include "widgets/views/masks/batch_words.h"

#include "model/analysis/architecture/architecture_blocks.h"
#include "widgets/map/mask_words.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::widgets {

namespace {

using trace::AttentionKind;

constexpr double accepted = 1e-5; ///< rounding differences between matrix products of different shapes

struct BatchWords {
    Q_DECLARE_TR_FUNCTIONS(Batch)
};

bool hasDecoder(const BatchAnswer& batch) {
    return batch.question.model && batch.question.model->decoderLayers > 0;
}

bool isClassifier(const BatchAnswer& batch) {
    return batch.question.model && batch.question.model->classes > 0;
}

std::size_t padTokens(const trace::Run& run, bool target) {
    return static_cast<std::size_t>(target ? run.request.padding.target : run.request.padding.source);
}

QString whyItChanges(const trace::Run& run) {
    const auto mask = run.model ? run.model->property("encoder_mask") : std::string();
    if (mask == "query-rows")
        return BatchWords::tr("this model's encoder masks the rows of pad tokens but not their keys, so real "
                              "tokens attend to padding");
    if (mask == "none")
        return BatchWords::tr("this model masks no padding, so real tokens attend to it");
    return BatchWords::tr("the masks do not show why");
}

QString effectInWords(const BatchedSentence& sentence) {
    const auto& effect = sentence.effect;
    if (!effect.where)
        return {};
    const QString change = QString::number(effect.largestChange, 'g', 2);
    const QString compared = QLocale().toString(static_cast<qulonglong>(effect.weights));
    if (effect.largestChange <= accepted)
        return BatchWords::tr(
                   "Compared with a run without padding, no attention weight between real tokens changed by "
                   "more than %1 (%2 weights of all heads), which is within 1e-5.")
            .arg(change, compared);
    const QString effects =
        std::isinf(effect.largestChange)
            ? BatchWords::tr("some attention weights between real tokens became NaN in one of the runs")
            : BatchWords::tr("attention weights between real tokens changed by up to %1").arg(change);
    return BatchWords::tr(
               "Compared with a run without padding, %1 (%2, among %3 weights of all heads), and pad "
               "tokens got weights of up to %4: %5.")
        .arg(effects, address(*effect.where), compared, QString::number(effect.largestOnPadding, 'g', 2),
             whyItChanges(*sentence.run));
}

const std::vector<trace::Token>& queriesOf(const BatchedSentence& sentence, AttentionKind kind) {
    return kind == AttentionKind::EncoderSelf ? sentence.row.source : sentence.row.input;
}

const std::vector<trace::Token>& keysOf(const BatchedSentence& sentence, AttentionKind kind) {
    return kind == AttentionKind::DecoderSelf ? sentence.row.input : sentence.row.source;
}

QString nameOf(const std::vector<trace::Token>& tokens, int index) {
    const std::size_t at = index;
    return at < tokens.size() ? quoted(tokenLabel(tokens, at)) : QString();
}

/// Explains the bars that occur in the batch.
QString barsInWords(const BatchAnswer& batch) {
    const auto has = [&](trace::TokenRole role) {
        const auto isIt = [role](const trace::Token& token) { return token.role == role; };
        return std::ranges::any_of(batch.sentences, [&](const BatchedSentence& sentence) {
            const auto& row = sentence.row;
            return std::ranges::any_of(row.source, isIt) || std::ranges::any_of(row.input, isIt) ||
                   std::ranges::any_of(row.labels, [&](const auto& label) { return label && isIt(*label); });
        });
    };
    const bool starts = has(trace::TokenRole::Start);
    const bool ends = has(trace::TokenRole::End);
    return starts && ends ? BatchWords::tr("; bars mark the start token and the end token")
           : starts       ? BatchWords::tr("; a bar marks the start token")
           : ends         ? BatchWords::tr("; a bar marks the end token")
                          : QString();
}

} // namespace

QString batchCaption(const BatchAnswer& batch) {
    if (batch.sentences.empty())
        return {};
    const auto& first = batch.sentences.front().row;
    const bool readsPrompts = batch.question.model && batch.question.model->isDecoderAlone();
    const QString tokens = QString::number(first.source.size());
    const QString count = QString::number(batch.sentences.size());
    QString words =
        batch.sentences.size() > 1
            ? (readsPrompts ? BatchWords::tr("A padded batch of %1 sentences (prompt length: %2)")
                            : BatchWords::tr("A padded batch of %1 sentences (source length: %2)"))
                  .arg(count, tokens)
        : readsPrompts ? BatchWords::tr("A batch of one sentence (prompt length: %1)").arg(tokens)
                       : BatchWords::tr("A batch of one sentence (source length: %1)").arg(tokens);
    if (!hasDecoder(batch))
        return words + BatchWords::tr(". Hatched: padding%1. No token has a label: %2.")
                           .arg(barsInWords(batch),
                                isClassifier(batch)
                                    ? BatchWords::tr("a classifier is scored on one class per sentence")
                                    : BatchWords::tr("an encoder alone is not scored"));
    words +=
        BatchWords::tr(
            "; at each of %1 positions the decoder is fed the upper token and scored on the label below, the "
            "target shifted by one. Hatched: padding, or a position without a label; neither is scored%2.")
            .arg(QString::number(first.input.size()), barsInWords(batch));
    QStringList typed;
    for (std::size_t i = 0; i < batch.question.sentences.size(); ++i)
        if (!batch.question.sentences[i].target.isEmpty())
            typed += QString::number(i + 1);
    words += ' ';
    if (typed.empty())
        return words + BatchWords::tr("The targets were decoded by the model.");
    return words +
           (typed.size() == static_cast<qsizetype>(batch.sentences.size())
                ? BatchWords::tr("The targets were typed and forced.")
                : BatchWords::tr("The target of sentence %1 was typed and forced, the others were decoded.")
                      .arg(typed.join(BatchWords::tr(", "))));
}

QString batchMasksCaption(const BatchAnswer& batch, std::size_t sentence) {
    if (sentence >= batch.sentences.size())
        return {};
    const auto& one = batch.sentences[sentence];
    const auto source = padTokens(*one.run, false);
    // Fed but not scored: the end token of a shorter target, and padding.
    const auto unscored = std::ranges::count_if(one.row.labels, [](const auto& label) { return !label; });
    const QString which = QString::number(sentence + 1);
    const QString made =
        hasDecoder(batch)
            ? BatchWords::tr(
                  "Masks of sentence %1 as the model applied them in a run with its padding, the same in "
                  "every layer and head. Pad tokens after the source: %2; positions of the target that "
                  "are not scored: %3.")
                  .arg(which, QString::number(source), QString::number(unscored))
            : BatchWords::tr(
                  "The mask of sentence %1 as the model applied it in a run with its padding, the same in "
                  "every layer and head. Pad tokens after the source: %2.")
                  .arg(which, QString::number(source));
    return made + ' ' + effectInWords(one);
}

std::vector<LinkedMap> batchMasks(const BatchedSentence& sentence) {
    std::vector<LinkedMap> maps;
    for (const auto kind : trace::attentionKinds) {
        const auto* record = sentence.run ? sentence.run->record({kind, 0}) : nullptr;
        if (!record || record->mask.empty())
            continue;
        LinkedMap map = allowedCells(record->mask);
        map.kind = kind;
        map.title = kindTitle(kind);
        map.rowLabels = tokenLabels(queriesOf(sentence, kind), record->mask.rows());
        map.columnLabels = tokenLabels(keysOf(sentence, kind), record->mask.columns());
        maps.push_back(std::move(map));
    }
    return maps;
}

QString batchCellInWords(const BatchedSentence& sentence, AttentionKind kind, MapCell cell) {
    const auto why = analysis::whyClosed(*sentence.run, {{kind, 0}, 0}, cell.row, cell.column);
    return BatchWords::tr("%1 [%2 \u2192 %3]: %4.")
        .arg(kindTitle(kind), nameOf(queriesOf(sentence, kind), cell.row),
             nameOf(keysOf(sentence, kind), cell.column),
             why ? closedInWords(*why) : BatchWords::tr("allowed"));
}

} // namespace headscope::widgets
