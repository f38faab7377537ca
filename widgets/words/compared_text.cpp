#include "widgets/words/compared_text.h"

#include "widgets/drawing/token_label.h"
#include "widgets/words/plain_text.h"

namespace headscope::widgets {

namespace {

/// Text without the leading space; special tokens are omitted.
QString textOf(const std::vector<trace::Token>& tokens, const analysis::OutputWord& word) {
    QString text;
    for (std::size_t t = word.begin; t < word.end; ++t)
        if (!trace::isSpecial(tokens[t].role))
            text += tokenLabel(tokens[t]).text;
    return text;
}

bool anyPieceIsMarked(const std::vector<trace::Token>& tokens) {
    for (const auto& token : tokens)
        if (!tokenLabel(token).mark.isEmpty())
            return true;
    return false;
}

} // namespace

QString comparedText(const std::vector<trace::Token>& tokens, const std::vector<analysis::OutputWord>& words,
                     WordMark mark) {
    const QString form = mark == WordMark::StruckThrough ? QStringLiteral("<b><s>%1</s></b>")
                                                         : QStringLiteral("<b><u>%1</u></b>");
    const bool marked = anyPieceIsMarked(tokens);
    QString text;
    for (const auto& word : words) {
        const QString plain = breakable(textOf(tokens, word)).toHtmlEscaped();
        if (plain.isEmpty())
            continue;
        // If tokens mark the beginnings of words, a word without a mark follows without a space.
        const bool spaced = !marked || !tokenLabel(tokens[word.begin]).mark.isEmpty();
        text += (spaced && !text.isEmpty() ? QStringLiteral(" ") : QString()) +
                (word.changed ? QString(form).replace("%1", plain) : plain);
    }
    return text;
}

} // namespace headscope::widgets
