#include "model/text/hugging_face/tokenizer_refusal.h"

#include "model/files/findings.h"
#include "model/trace/refusal.h"

namespace headscope::text {

void refuseTokenizer(const std::string& where, const std::string& expected, const std::string& found) {
    throw trace::Refusal({.what = "This is no tokenizer that can be used",
                          .where = where,
                          .expected = expected,
                          .found = found,
                          .wayOut = "fetch the tokenizer's files again from where the model came from"});
}

void refuseType(const std::string& where, const std::string& known, const std::string& found) {
    throw trace::Refusal({.what = "The tokenizer has a part that Headscope does not support",
                          .where = where,
                          .expected = "one of " + known,
                          .found = "\"" + files::printable(found) + "\"",
                          .wayOut = "give the model token ids instead of text"});
}

} // namespace headscope::text
