#include "widgets/words/captions.h"

#include "model/analysis/maps/recomputed_map.h"
#include "model/trace/intervention.h"
#include "model/trace/run_path.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/change_words.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/trace_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace headscope::widgets {

namespace {

using trace::AttentionKind;
using trace::HeadAddress;
using trace::Run;

struct CaptionsWords {
    Q_DECLARE_TR_FUNCTIONS(Captions)
};

/// "German token"; "source token" if the language is not known, and "token" of a model that has one side
/// only.
QString unitOf(const Run& run, MapUnit unit, const std::string& language, const QString& word,
               const QString& token) {
    const bool isWord = unit == MapUnit::Word;
    if (const QString name = languageName(language); !name.isEmpty())
        return (isWord ? CaptionsWords::tr("%1 word", "%1 is a language")
                       : CaptionsWords::tr("%1 token", "%1 is a language"))
            .arg(name);
    if (run.model && (run.model->isDecoderAlone() || run.model->decoderLayers == 0))
        return isWord ? CaptionsWords::tr("word") : CaptionsWords::tr("token");
    return isWord ? word : token;
}

QString sourceUnit(const Run& run, MapUnit unit) {
    return unitOf(run, unit, run.model ? run.model->sourceLanguage : std::string(),
                  CaptionsWords::tr("source word"), CaptionsWords::tr("source token"));
}

QString targetUnit(const Run& run, MapUnit unit) {
    return unitOf(run, unit, run.model ? run.model->targetLanguage : std::string(),
                  CaptionsWords::tr("target word"), CaptionsWords::tr("target token"));
}

/// Adds the address and the position among all layers and heads.
QString placedTitle(AttentionKind kind, const std::string& address, const QString& place) {
    return CaptionsWords::tr("%1 %2 (%3)", "Cross-attention cross.2.5 (of 3 layers, 8 heads per layer)")
        .arg(kindTitle(kind), QString::fromStdString(address), place);
}

QString layerPlace(const trace::ModelSummary& model, const trace::AttentionSite& site) {
    const int layers = model.layers(site.kind);
    return layers == 1 ? CaptionsWords::tr("the only layer") : CaptionsWords::tr("of %1 layers").arg(layers);
}

QString headPlace(const trace::ModelSummary& model, const trace::HeadAddress& head) {
    const int heads = model.heads(head.site.kind);
    const QString layers = layerPlace(model, head.site);
    return heads == 1 ? CaptionsWords::tr("%1, one head per layer").arg(layers)
                      : CaptionsWords::tr("%1, %2 heads per layer", "of 3 layers, 8 heads per layer")
                            .arg(layers)
                            .arg(heads);
}

/// Title of a layer if all heads share one map.
QString mapTitle(const Run& run, const HeadAddress& address, Quantity quantity) {
    if (isPerHead(quantity))
        return run.model ? ofModel(*run.model, headTitle(*run.model, address)) : kindTitle(address.site.kind);
    const QString layer = run.model ? layerTitle(*run.model, address.site) : kindTitle(address.site.kind);
    const QString title = CaptionsWords::tr("%1 and all previous layers, all heads").arg(layer);
    return run.model ? ofModel(*run.model, title) : title;
}

QString whatIsSeen(const Run& run, AttentionKind kind, Quantity quantity, MapUnit unit) {
    if (!isPerHead(quantity))
        return kind == AttentionKind::EncoderSelf
                   ? CaptionsWords::tr("contribution of each token to each position")
                   : CaptionsWords::tr("contribution of each token to each step");
    switch (kind) {
    case AttentionKind::EncoderSelf:
        return CaptionsWords::tr("what each %1 attends to within its sentence").arg(sourceUnit(run, unit));
    case AttentionKind::DecoderSelf:
        return CaptionsWords::tr("what each %1 attends to in the output so far").arg(targetUnit(run, unit));
    case AttentionKind::Cross:
        break;
    }
    return trace::readsReference(run)
               ? CaptionsWords::tr("what the model reads at each step of the forced target; each row shows "
                                   "the %1 that the model would have chosen")
                     .arg(targetUnit(run, unit))
               : CaptionsWords::tr("what the model reads while choosing each %1").arg(targetUnit(run, unit));
}

QString ofTwin(const Run& run, const QString& caption) {
    return run.request.randomTwin ? CaptionsWords::tr("Random twin, seed %1. %2")
                                        .arg(QString::number(*run.request.randomTwin), caption)
                                  : caption;
}

QString tokenName(const std::vector<trace::Token>& tokens, int index) {
    if (index < 0 || index >= std::ssize(tokens))
        return QString::number(index);
    return quoted(tokenLabel(tokens, index));
}

} // namespace

QString languageName(const std::string& code) {
    const QString text = QString::fromStdString(code);
    // "deu_Latn" and "en_XX" name a script or region that Qt may not know.
    const QLocale locale(text.section('_', 0, 0));
    return text.isEmpty() || locale.language() == QLocale::C ? text
                                                             : QLocale::languageToString(locale.language());
}

QString shortKindTitle(AttentionKind kind) {
    switch (kind) {
    case AttentionKind::EncoderSelf:
        return CaptionsWords::tr("Encoder");
    case AttentionKind::DecoderSelf:
        return CaptionsWords::tr("Decoder");
    case AttentionKind::Cross:
        break;
    }
    return CaptionsWords::tr("Cross");
}

QString kindTitle(AttentionKind kind) {
    switch (kind) {
    case AttentionKind::EncoderSelf:
        return CaptionsWords::tr("Encoder self-attention");
    case AttentionKind::DecoderSelf:
        return CaptionsWords::tr("Decoder self-attention");
    case AttentionKind::Cross:
        break;
    }
    return CaptionsWords::tr("Cross-attention");
}

QString headTitle(const trace::ModelSummary& model, const HeadAddress& address) {
    return placedTitle(address.site.kind, trace::toString(address), headPlace(model, address));
}

QString layerTitle(const trace::ModelSummary& model, const trace::AttentionSite& site) {
    return placedTitle(site.kind, trace::toString(site), layerPlace(model, site));
}

QString ofModel(const trace::ModelSummary& model, const QString& what) {
    return model.name.empty() ? what
                              : CaptionsWords::tr("%1 of %2", "a head, a model")
                                    .arg(what, QString::fromStdString(model.name));
}

QString lensModelName(const Run& run, const trace::Lens& lens) {
    const QString name = run.model ? QString::fromStdString(run.model->name) : QString();
    return lens.request.randomTwin ? CaptionsWords::tr("the random twin, seed %1, of %2")
                                         .arg(QString::number(*lens.request.randomTwin), name)
                                   : name;
}

QString withModel(const trace::ModelSummary& model, const QString& caption) {
    return model.name.empty() ? caption
                              : CaptionsWords::tr("%1 Model: %2.", "a caption, a model")
                                    .arg(caption, QString::fromStdString(model.name));
}

QString headCaption(const Run& run, const HeadAddress& address, Quantity quantity, MapUnit unit) {
    const QString title = mapTitle(run, address, quantity);
    return ofTwin(run,
                  CaptionsWords::tr("%1: %2. %3")
                      .arg(title, whatIsSeen(run, address.site.kind, quantity, unit),
                           quantity == Quantity::Weights ? weightsInWords(run) : quantityInWords(quantity)));
}

QString headsCaption(const Run& run, const trace::AttentionSite& site, const std::vector<int>& heads,
                     MapUnit unit) {
    if (heads.size() == 1)
        return headCaption(run, {site, heads.front()}, Quantity::Weights, unit);
    const int all = run.model ? run.model->heads(site.kind) : heads.size();
    QStringList numbers;
    for (const int head : heads)
        numbers += QString::number(head);
    const QString last = numbers.empty() ? QString() : numbers.takeLast();
    const QString which =
        std::ssize(heads) == all
            ? CaptionsWords::tr("all %1 heads").arg(all)
            : CaptionsWords::tr("heads %1 and %2").arg(numbers.join(CaptionsWords::tr(", ")), last);
    const QString title = CaptionsWords::tr("%1, %2", "a layer, its heads")
                              .arg(run.model ? layerTitle(*run.model, site) : kindTitle(site.kind), which);
    const QString words = weightsInWords(run);
    return ofTwin(run, CaptionsWords::tr("%1: %2. %3")
                           .arg(run.model ? ofModel(*run.model, title) : title,
                                whatIsSeen(run, site.kind, Quantity::Weights, unit),
                                words == quantityInWords(Quantity::Weights)
                                    ? CaptionsWords::tr("Weights; each row of each head sums to 1.")
                                    : words));
}

QString queryAxisTitle(const Run& run, AttentionKind kind, MapUnit unit) {
    switch (kind) {
    case AttentionKind::EncoderSelf:
        return CaptionsWords::tr("reading %1").arg(sourceUnit(run, unit));
    case AttentionKind::DecoderSelf:
        return CaptionsWords::tr("reading %1").arg(targetUnit(run, unit));
    case AttentionKind::Cross:
        break;
    }
    return trace::readsReference(run)
               ? CaptionsWords::tr("%1 the model would choose").arg(targetUnit(run, unit))
               : CaptionsWords::tr("chosen %1").arg(targetUnit(run, unit));
}

QString keyAxisTitle(const Run& run, AttentionKind kind, MapUnit unit) {
    return CaptionsWords::tr("%1 read").arg(kind == AttentionKind::DecoderSelf ? targetUnit(run, unit)
                                                                               : sourceUnit(run, unit));
}

QString queryInWords(const Run& run, AttentionKind kind, int query) {
    if (kind != AttentionKind::Cross)
        return tokenName(run.queryTokens(kind), query);
    const QString words = trace::readsReference(run) ? CaptionsWords::tr("after %1, where it would choose %2")
                                                     : CaptionsWords::tr("after %1, choosing %2");
    return words.arg(tokenName(run.target, query), tokenName(run.next, query));
}

QString answerName(const Run& run, int answer) {
    const QString place = QString::number(answer + 1);
    const bool areLabels = run.model && run.model->tokenLabels > 0;
    return !run.target.empty() ? CaptionsWords::tr("step %1").arg(place)
           : areLabels && std::cmp_less(answer, run.maskCandidates.size())
               ? CaptionsWords::tr("token %1")
                     .arg(tokenName(run.source, std::next(run.maskCandidates.begin(), answer)->first))
           : !run.maskCandidates.empty()                 ? CaptionsWords::tr("mask %1").arg(place)
           : run.answerKind() == trace::AnswerKind::Ends ? answer == 0
                                                               ? CaptionsWords::tr("the start of the answer")
                                                               : CaptionsWords::tr("the end of the answer")
           : run.answerKind() == trace::AnswerKind::Numbers
               ? CaptionsWords::tr("number %1").arg(tokenName(run.answers(), answer))
               : CaptionsWords::tr("class %1").arg(tokenName(run.answers(), answer));
}

QString keyInWords(const Run& run, AttentionKind kind, int key) {
    return tokenName(run.keyTokens(kind), key);
}

QString numberText(double value) {
    if (std::isnan(value))
        return CaptionsWords::tr("not a number");
    if (std::isinf(value))
        return value > 0 ? CaptionsWords::tr("infinite") : CaptionsWords::tr("minus infinite");
    constexpr double least = 0.00005; // smaller values are not shown as zero
    if (value != 0 && std::abs(value) < least)
        return shownNumber(QString::number(value, 'g', 2));
    return shownNumber(QString::number(value == 0 ? 0.0 : value, 'f', 4));
}

QString cellStatus(const Run& run, const HeadAddress& address, int query, int key, Quantity quantity) {
    const trace::AttentionRecord* record = run.record(address.site);
    if (!record || query < 0 || key < 0 || std::cmp_greater_equal(query, record->queries()) ||
        std::cmp_greater_equal(key, record->keys()))
        return {};
    const std::size_t row = query;
    const std::size_t column = key;
    const auto head = address.head;
    QString amount;
    if (quantity != Quantity::Scores && isRowClosed(*record, row))
        amount = CaptionsWords::tr("masked (the whole row)");
    else if (quantity != Quantity::Scores && !record->isOpen(row, column))
        amount = CaptionsWords::tr("masked");
    else if (head < record->heads()) {
        const auto values = analysis::headRow(*record, head, row);
        const auto& shown = isScore(quantity) ? values.scores : values.weights;
        if (column < shown.size())
            amount = numberText(shown[column]);
    }
    return QStringLiteral("%1 [%2 \u2192 %3] %4")
        .arg(widgets::address(address), queryInWords(run, address.site.kind, query),
             keyInWords(run, address.site.kind, key), amount);
}

/// The first changes as command line options, and the number of further ones.
QString changesInShort(const Run& run) {
    constexpr int named = 3;
    const auto changes = trace::effective(run.request.interventions);
    QStringList words;
    for (const auto& change : changes)
        if (words.size() < named)
            words += changeOption(change);
    const auto further = std::ssize(changes) - words.size();
    return further > 0 ? CaptionsWords::tr("%1 and %2 more").arg(words.join(' ')).arg(further)
                       : words.join(' ');
}

QString provenance(const Run& run) {
    QString text;
    if (run.model)
        text = modelTitle(*run.model);
    if (const QString changes = changesInShort(run); !changes.isEmpty())
        text += CaptionsWords::tr(", changed: %1").arg(changes);
    if (const auto* sentence = std::get_if<std::string>(&run.request.source))
        text += QStringLiteral("; ") + QString::fromStdString(*sentence);
    if (run.request.second)
        text += QStringLiteral(" | ") + QString::fromStdString(*run.request.second);
    return text;
}

bool isRowClosed(const trace::AttentionRecord& record, std::size_t row) {
    return std::ranges::none_of(record.allowedKeys(row), [](std::uint8_t open) { return open != 0; });
}

} // namespace headscope::widgets
