#include "model/text/typed_text.h"

#include "model/files/utf8.h"
#include "model/trace/refusal.h"

namespace headscope::text {

void refuseUnlessUtf8(std::string_view sentence) {
    if (!files::isUtf8(sentence))
        throw trace::Refusal({.what = "The sentence cannot be read",
                              .where = "the sentence",
                              .expected = "text in UTF-8",
                              .found = "bytes that are no characters",
                              .wayOut = "save or paste the sentence as UTF-8"});
}

} // namespace headscope::text
