#include "app/traces/trace_metadata.h"
#include "tests/fuzz/hostile_input.h"

using namespace headscope;

namespace {

/// What is held against each other is of one length, and every path of the tree leads to its beginning.
void check(const app::RunWords& words) {
    fuzz::require(words.next.size() == words.target.size(), "a row chose no token");
    fuzz::require(words.candidates.size() == words.target.size(), "a row has no candidates");
    fuzz::require(words.forcedRows <= words.target.size(), "more rows are forced than there are");
    if (words.tree)
        for (const auto& path : words.tree->paths)
            fuzz::require(words.tree->tree.path(path.leaf).front() == 0, "a path begins nowhere");
}

} // namespace

/// The words of a trace, without its arrays.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    fuzz::readStranger([&] {
        const auto words = app::parseTokensJson(text, "input");
        check(words);
        for (const auto& beside : words.beside)
            check(beside);
    });
    return 0;
}
