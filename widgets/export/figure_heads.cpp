#include "widgets/export/figure_heads.h"

#include "widgets/words/counting_words.h"

#include <QStringList>

#include <variant>

namespace headscope::widgets {

QString listedHeads(const std::vector<trace::HeadAddress>& heads) {
    QStringList names;
    for (const auto& head : heads)
        names += address(head);
    names.removeDuplicates();
    return names.join(QStringLiteral(", "));
}

QString listedHeads(const std::vector<trace::Change>& changes) {
    std::vector<trace::HeadAddress> heads;
    for (const auto& change : changes)
        std::visit(
            [&](const auto& made) {
                if constexpr (requires { made.head; })
                    heads.push_back(made.head);
            },
            change);
    return listedHeads(heads);
}

} // namespace headscope::widgets
