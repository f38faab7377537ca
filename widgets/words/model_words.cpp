#include "widgets/words/model_words.h"

#include "widgets/drawing/token_label.h"
#include "widgets/words/captions.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace headscope::widgets {

namespace {

struct ModelWords {
    Q_DECLARE_TR_FUNCTIONS(headscope::widgets::ModelWords)
};

QString ofEncoder(const trace::ModelSummary& model) {
    if (model.classes > 0)
        return ModelWords::tr("This model classifies texts.");
    if (model.tokenPrediction == trace::TokenPrediction::Masked)
        return ModelWords::tr("This model predicts masked words.");
    if (model.tokenPrediction == trace::TokenPrediction::Replaced)
        return ModelWords::tr("This model finds replaced words.");
    if (model.tokenPrediction == trace::TokenPrediction::Labels)
        return ModelWords::tr("This model labels words.");
    if (model.tokenPrediction == trace::TokenPrediction::Span)
        return ModelWords::tr("This model finds the answer to a question in a second text.");
    if (model.numbers > 0)
        return ModelWords::tr("This model predicts a number for a text.");
    return model.otherHead.empty()
               ? ModelWords::tr("This model encodes texts.")
               : ModelWords::tr("This model encodes texts. It was opened without its head, which is not "
                                "supported (%1).")
                     .arg(QString::fromStdString(model.otherHead));
}

std::vector<trace::Token> unknownIn(const trace::Run& run) {
    std::vector<trace::Token> unknown;
    std::ranges::copy_if(run.source, std::back_inserter(unknown),
                         [](const auto& token) { return token.role == trace::TokenRole::Unknown; });
    return unknown;
}

std::ptrdiff_t tokensOfText(const trace::Run& run) {
    return std::ranges::count_if(run.source, [](const auto& token) { return !isSpecial(token.role); });
}

} // namespace

QString taskInWords(const trace::ModelSummary& model) {
    if (model.recorded)
        return ModelWords::tr("This recording contains one run of a model.");
    if (model.decoderLayers == 0)
        return ofEncoder(model);
    if (model.isDecoderAlone())
        return ModelWords::tr("This model continues a text.");
    if (model.sourceLanguage.empty() || model.targetLanguage.empty())
        return ModelWords::tr("This model turns one sentence into another.");
    return ModelWords::tr("This model translates %1 to %2.")
        .arg(languageName(model.sourceLanguage), languageName(model.targetLanguage));
}

QString layersInWords(const trace::ModelSummary& model) {
    const int layers = model.encoderLayers + model.decoderLayers;
    if (model.encoderLayers > 0 && model.decoderLayers > 0)
        return ModelWords::tr("%1 + %2 layers").arg(model.encoderLayers).arg(model.decoderLayers);
    return layers == 1 ? ModelWords::tr("1 layer") : ModelWords::tr("%1 layers").arg(layers);
}

QString sizeInWords(const trace::ModelSummary& model) {
    const int heads = std::max(model.encoderHeads, model.decoderHeads);
    QStringList words;
    if (!model.family.empty())
        words += QString::fromStdString(model.family);
    words += layersInWords(model);
    words +=
        heads == 1 ? ModelWords::tr("1 head per layer") : ModelWords::tr("%1 heads per layer").arg(heads);
    return words.join(QStringLiteral(", "));
}

QString unknownInShort(const trace::Run& run) {
    const auto unknown = unknownIn(run);
    return unknown.empty() ? QString()
                           : ModelWords::tr("%1 of %2 unknown").arg(unknown.size()).arg(tokensOfText(run));
}

QString unknownInWords(const trace::Run& run) {
    constexpr qsizetype mostNamed = 3;
    const auto unknown = unknownIn(run);
    if (unknown.empty())
        return {};
    QStringList names;
    for (const auto& token : unknown)
        names += quoted(tokenLabel(token));
    names.removeDuplicates();
    const bool areMore = names.size() > mostNamed;
    return ModelWords::tr("%1 of %2 tokens are unknown to the model: %3.")
        .arg(QString::number(unknown.size()), QString::number(tokensOfText(run)),
             names.mid(0, mostNamed).join(QStringLiteral(", ")) + (areMore ? ", ..." : ""));
}

} // namespace headscope::widgets
