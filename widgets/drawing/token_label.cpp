#include "widgets/drawing/token_label.h"

#include <QCoreApplication>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace headscope::widgets {

namespace {

struct TokenLabelWords {
    Q_DECLARE_TR_FUNCTIONS(TokenLabel)
};

constexpr QChar spaceCharacter(0x2581);

bool isInvisible(char32_t c) {
    const auto category = QChar::category(c);
    return category == QChar::Other_Format || category == QChar::Other_Control ||
           category == QChar::Other_PrivateUse || category == QChar::Separator_Line ||
           category == QChar::Separator_Paragraph || (category == QChar::Separator_Space && c != U' ') ||
           c == 0x115F || c == 0x3164;
}

QString codeOf(char32_t c) {
    return QStringLiteral("[U+%1]").arg(static_cast<uint>(c), 4, 16, QChar('0')).toUpper();
}

void appendVisibly(QString& text, char32_t c) {
    if (c < 0x20)
        text += QChar(static_cast<char16_t>(0x2400 + c));
    else if (c == 0x7F)
        text += QChar(0x2421);
    else if (c == U' ')
        text += QChar(0x2423);
    else if (isInvisible(c))
        text += codeOf(c);
    else
        text += QString::fromUcs4(&c, 1);
}

/// Joiners shape emoji and Indic scripts, and tags form flags: after a visible character they are kept.
bool isJoiner(char32_t c) {
    return c == 0x200C || c == 0x200D;
}

bool isTag(char32_t c) {
    return c >= 0xE0020 && c <= 0xE007F;
}

bool isCombining(char32_t c) {
    const auto category = QChar::category(c);
    return category == QChar::Mark_NonSpacing || category == QChar::Mark_SpacingCombining ||
           category == QChar::Mark_Enclosing;
}

/// Variation selectors modify the preceding character and are invisible themselves.
bool isVariationSelector(char32_t c) {
    return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF);
}

QString visible(const QString& piece) {
    constexpr QChar dottedCircle(0x25CC);
    QString text;
    const auto points = piece.toUcs4();
    for (qsizetype i = 0; i < points.size(); ++i) {
        const char32_t c = points[i];
        const bool joins = (isJoiner(c) && i + 1 < points.size()) || isTag(c);
        if (joins && i > 0) {
            text += QString::fromUcs4(&c, 1);
        } else if (i == 0 && isVariationSelector(c)) {
            text += codeOf(c);
        } else {
            if (i == 0 && isCombining(c))
                text += dottedCircle;
            appendVisibly(text, c);
        }
    }
    return text;
}

/// Returns the byte of a token such as "<0xE2>".
std::optional<unsigned char> byteOf(const trace::Token& token) {
    const std::string_view piece = token.piece;
    if (token.role != trace::TokenRole::Text || piece.size() != 6 || !piece.starts_with("<0x") ||
        piece.back() != '>')
        return std::nullopt;
    unsigned char byte = 0;
    const char* last = piece.data() + 5;
    const auto [end, error] = std::from_chars(piece.data() + 3, last, byte, 16);
    return error == std::errc() && end == last ? std::optional(byte) : std::nullopt;
}

/// Returns the length of the UTF-8 character that begins with `first`; 1 if it begins none.
std::size_t lengthFrom(unsigned char first) {
    return first >= 0xF0 && first < 0xF8 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
}

/// Sets the character of each run of byte tokens that forms one.
void nameCharacters(std::vector<TokenLabel>& labels, const std::vector<trace::Token>& tokens) {
    for (std::size_t i = 0; i < tokens.size();) {
        const auto first = byteOf(tokens[i]);
        const std::size_t wanted = first ? lengthFrom(*first) : 1;
        QByteArray bytes;
        for (std::size_t k = i; k < std::min(tokens.size(), i + wanted); ++k)
            if (const auto byte = byteOf(tokens[k]))
                bytes += static_cast<char>(*byte);
        const auto points = QString::fromUtf8(bytes).toUcs4();
        const bool isWhole = first && std::cmp_equal(bytes.size(), wanted) && points.size() == 1 &&
                             points.front() != QChar::ReplacementCharacter;
        for (std::size_t k = i; isWhole && k < i + wanted; ++k)
            labels[k].character = visible(QString::fromUtf8(bytes));
        i += isWhole ? wanted : 1;
    }
}

} // namespace

TokenLabel tokenLabel(const trace::Token& token) {
    // Only malicious vocabularies have longer tokens, and laying them out would block the window.
    constexpr qsizetype longest = 512;
    if (const auto byte = byteOf(token))
        return {.text = QString::number(*byte, 16).rightJustified(2, '0').toUpper(), .byte = true};
    QString piece = QString::fromUtf8(token.piece.data(), static_cast<qsizetype>(token.piece.size()));
    if (piece.size() > longest)
        piece = piece.left(longest / 2) + QChar(0x2026) + piece.right(longest / 2);
    TokenLabel label{.special = token.role != trace::TokenRole::Text};
    if (piece.startsWith(spaceCharacter)) {
        label.mark = spaceCharacter;
        piece.remove(0, 1);
    }
    label.text = visible(piece);
    if (label.full().isEmpty())
        label.text = QChar(0x2205);
    return label;
}

std::vector<TokenLabel> tokenLabels(const std::vector<trace::Token>& tokens) {
    std::vector<TokenLabel> labels;
    labels.reserve(tokens.size());
    for (const auto& token : tokens)
        labels.push_back(tokenLabel(token));
    nameCharacters(labels, tokens);
    return labels;
}

std::vector<TokenLabel> tokenLabels(const std::vector<trace::Token>& tokens, std::size_t count) {
    auto labels = tokenLabels(tokens);
    labels.resize(count);
    return labels;
}

TokenLabel tokenLabel(const std::vector<trace::Token>& tokens, std::size_t index) {
    // A UTF-8 character has at most four bytes.
    constexpr std::size_t mostNeighbours = 3;
    const std::size_t first = index - std::min(index, mostNeighbours);
    const std::size_t last = std::min(tokens.size(), index + mostNeighbours + 1);
    const auto near = tokenLabels({tokens.begin() + static_cast<std::ptrdiff_t>(first),
                                   tokens.begin() + static_cast<std::ptrdiff_t>(last)});
    return near.at(index - first);
}

QString isolated(const QString& text) {
    return QChar(0x2068) + text + QChar(0x2069);
}

QString quoted(const TokenLabel& label) {
    constexpr QChar openBox(0x2423);
    if (label.byte)
        return isolated(
            label.character.isEmpty()
                ? TokenLabelWords::tr("byte %1").arg(label.text)
                : TokenLabelWords::tr("byte %1 of \u201C%2\u201D").arg(label.text, label.character));
    return isolated(QChar(0x201C) + (label.text.isEmpty() ? QString(openBox) : label.text) + QChar(0x201D));
}

QString exactly(const TokenLabel& label) {
    const bool spaced = !label.mark.isEmpty() && !label.text.isEmpty();
    return spaced ? TokenLabelWords::tr("%1 after a space").arg(quoted(label)) : quoted(label);
}

} // namespace headscope::widgets
