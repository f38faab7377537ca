#include "model/text/hugging_face/unicode.h"

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf16.h>

#include <array>
#include <memory>
#include <stdexcept>

namespace headscope::text {

namespace {

/// True if a character is in a version of Unicode. Some stages use tables of old versions.
bool isInUnicode(int version, char32_t code) {
    UVersionInfo age;
    u_charAge(static_cast<UChar32>(code), age);
    return age[0] <= version;
}

bool hasCategory(char32_t code, std::uint32_t mask) {
    return (U_GET_GC_MASK(static_cast<UChar32>(code)) & mask) != 0;
}

const icu::Normalizer2& normalizerOf(NormalForm form) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* normalizer = nullptr;
    switch (form) {
    case NormalForm::Nfc:
        normalizer = icu::Normalizer2::getNFCInstance(status);
        break;
    case NormalForm::Nfd:
        normalizer = icu::Normalizer2::getNFDInstance(status);
        break;
    case NormalForm::Nfkc:
        normalizer = icu::Normalizer2::getNFKCInstance(status);
        break;
    case NormalForm::Nfkd:
        normalizer = icu::Normalizer2::getNFKDInstance(status);
        break;
    }
    if (U_FAILURE(status))
        throw std::runtime_error("ICU has no data for normalization");
    return *normalizer;
}

icu::UnicodeString unicodeStringOf(std::span<const Character> text) {
    icu::UnicodeString string;
    for (const auto& character : text)
        string.append(static_cast<UChar32>(character.code));
    return string;
}

void appendAligned(AlignedText& text, const icu::UnicodeString& string, trace::ByteRange range) {
    for (std::int32_t at = 0; at < string.length(); at = string.moveIndex32(at, 1))
        text.push_back({static_cast<char32_t>(string.char32At(at)), range});
}

} // namespace

bool isUnicodeSpace(char32_t code) {
    return u_isUWhiteSpace(static_cast<UChar32>(code));
}

bool isNumber(char32_t code) {
    return hasCategory(code, U_GC_N_MASK);
}

bool isMark(char32_t code) {
    return hasCategory(code, U_GC_M_MASK) && isInUnicode(9, code);
}

bool isNonspacingMark(char32_t code) {
    return hasCategory(code, U_GC_MN_MASK) && isInUnicode(8, code);
}

bool isWordCharacter(char32_t code) {
    return u_hasBinaryProperty(static_cast<UChar32>(code), UCHAR_ALPHABETIC) ||
           u_hasBinaryProperty(static_cast<UChar32>(code), UCHAR_JOIN_CONTROL) ||
           hasCategory(code, U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK);
}

bool isPunctuation(char32_t code) {
    if (code < 0x80)
        return hasCategory(code, U_GC_P_MASK | U_GC_S_MASK);
    return hasCategory(code, U_GC_P_MASK) && isInUnicode(8, code);
}

bool isOther(char32_t code) {
    return hasCategory(code, U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK) && isInUnicode(8, code);
}

void normalize(AlignedText& text, NormalForm form) {
    const auto& normalizer = normalizerOf(form);
    AlignedText normalized;
    normalized.reserve(text.size());
    for (std::size_t begin = 0; begin < text.size();) {
        // Characters between two boundaries do not combine with others.
        std::size_t end = begin + 1;
        while (end < text.size() && !normalizer.hasBoundaryBefore(static_cast<UChar32>(text[end].code)))
            ++end;
        const auto sequence = std::span(text).subspan(begin, end - begin);
        const auto original = unicodeStringOf(sequence);
        UErrorCode status = U_ZERO_ERROR;
        const auto changed = normalizer.normalize(original, status);
        if (changed == original)
            normalized.insert(normalized.end(), sequence.begin(), sequence.end());
        else
            appendAligned(normalized, changed, rangeOf(sequence));
        begin = end;
    }
    text = std::move(normalized);
}

void lowerEach(AlignedText& text) {
    AlignedText lowered;
    lowered.reserve(text.size());
    for (const auto& character : text) {
        icu::UnicodeString one(static_cast<UChar32>(character.code));
        one.toLower(icu::Locale::getRoot());
        appendAligned(lowered, one, character.range);
    }
    text = std::move(lowered);
}

std::vector<std::size_t> graphemeLengths(const AlignedText& text) {
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::BreakIterator> breaks(
        icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
    if (U_FAILURE(status))
        throw std::runtime_error("ICU has no data for grapheme clusters");
    const auto string = unicodeStringOf(text);
    breaks->setText(string);
    std::vector<std::size_t> lengths;
    for (std::int32_t begin = 0, end = breaks->next(); end != icu::BreakIterator::DONE;
         end = breaks->next()) {
        lengths.push_back(string.countChar32(begin, end - begin));
        begin = end;
    }
    return lengths;
}

Utf16Text utf16Of(std::span<const Character> text) {
    Utf16Text encoded;
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::array<char16_t, 2> units{};
        std::int32_t length = 0;
        U16_APPEND_UNSAFE(units, length, static_cast<UChar32>(text[at].code));
        encoded.units.append(units.data(), length);
        encoded.characterAt.resize(encoded.units.size(), at);
    }
    encoded.characterAt.push_back(text.size());
    return encoded;
}

} // namespace headscope::text
