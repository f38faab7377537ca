#include "widgets/figure_heads.h"

#include <QStringList>

#include <string>

namespace headscope::widgets {

namespace {

QString listed(QStringList names) {
    names.removeDuplicates();
    return names.join(QStringLiteral(", "));
}

} // namespace

QString listedHeads(const std::vector<trace::HeadAddress>& heads) {
    QStringList names;
    for (const auto& head : heads)
        names += QString::fromStdString(trace::toString(head));
    return listed(names);
}

QString listedKinds(const std::vector<trace::AttentionKind>& kinds) {
    QStringList names;
    for (const auto kind : kinds)
        names += QString::fromStdString(std::string(trace::name(kind)));
    return listed(names);
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
