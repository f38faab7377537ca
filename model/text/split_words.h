#pragma once

#include "model/text/hugging_face/pattern.h"
#include "model/trace/token.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope::text {

struct Word {
    std::string text;       ///< as it is looked up
    trace::ByteRange range; ///< the bytes of the sentence it comes from
    bool isUnknown = false; ///< whatever the vocabulary has
};

/// At white space, as Python's str.split() without arguments does. `sentence` is well-formed UTF-8, here and
/// below.
std::vector<Word> splitWhiteSpace(std::string_view sentence);

/// As torchtext's `basic_english` does: lower case; . , ( ) ! ? and ' are words of their own; quotation marks
/// (") vanish even inside a word; ; : and "<br />" are white space.
std::vector<Word> splitBasicEnglish(std::string_view sentence);

/// A word for every match, and unknown ones for the text between matches, which ends at white space.
std::vector<Word> splitByPattern(std::string_view sentence, const Pattern& pattern);

} // namespace headscope::text
