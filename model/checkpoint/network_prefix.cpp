#include "model/checkpoint/network_prefix.h"

#include "model/files/findings.h"
#include "model/trace/joined.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <map>

namespace headscope::checkpoint {

namespace {

/// More names do not tell more about what stands before them.
constexpr std::size_t mostNames = 4096;

} // namespace

std::optional<std::string> nameInFamily(const std::string& name, const std::string& networkPrefix,
                                        const Family& family) {
    return name.starts_with(networkPrefix)
               ? std::optional(family.withoutPrefix(name.substr(networkPrefix.size())))
               : std::nullopt;
}

NetworkPrefix networkPrefix(const TensorShapes& shapes, const Family& family) {
    std::map<std::string, std::size_t> known{{"", 0}};
    std::size_t names = 0;
    for (const auto& [name, shape] : shapes) {
        if (++names > mostNames)
            break;
        for (std::size_t end = 0, dot = 0; dot != name.npos; end = dot + 1) {
            const auto rest = family.withoutPrefix(name.substr(end));
            if (family.knows(rest))
                ++known[name.substr(0, end)];
            dot = name.find('.', end);
        }
    }
    NetworkPrefix best{.known = known.at("")};
    for (const auto& [prefix, count] : known) {
        const bool isShorter = !best.text.empty() && prefix.size() < best.text.size();
        if (count > best.known || (count == best.known && isShorter))
            best = {.text = prefix, .known = count};
    }
    for (const auto& [prefix, count] : known) {
        const bool isInside = prefix.starts_with(best.text) || best.text.starts_with(prefix);
        if (count == best.known && !best.text.empty() && !isInside)
            best.equal.push_back(prefix);
    }
    return best;
}

void refuseSeveral(const NetworkPrefix& prefix, const std::string& where) {
    if (prefix.equal.empty())
        return;
    auto names = prefix.equal;
    names.push_back(prefix.text);
    std::ranges::sort(names);
    for (auto& name : names)
        name = "\"" + files::printable(name) + "\"";
    throw trace::Refusal(
        {.what = "The file holds several networks",
         .where = where,
         .expected = "the tensors of one network, all with the same beginning of their names",
         .found = "names that begin with " + trace::joined(names),
         .wayOut = "write the one that is meant into a headscope.json beside the weights, as "
                   "{\"prefix\": " +
                   names.front() + "}"});
}

} // namespace headscope::checkpoint
