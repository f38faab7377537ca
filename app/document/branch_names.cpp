#include "app/document/branch_names.h"

#include "model/trace/run_path.h"
#include "widgets/drawing/token_label.h"

#include <QCoreApplication>

#include <algorithm>

namespace headscope::app {

namespace {

constexpr std::size_t wordsInName = 3; ///< in tokens

struct BranchNamesWords {
    Q_DECLARE_TR_FUNCTIONS(BranchNames)
};

std::vector<std::int64_t> idsOf(const trace::Run& run, std::size_t path) {
    std::vector<std::int64_t> ids;
    for (const auto node : run.tree.path(run.paths[path].leaf))
        ids.push_back(run.tree.node(node).token.id);
    return ids;
}

/// Returns the longest prefix, in tokens, that a path shares with any other path.
std::size_t sharedTokens(const trace::Run& run, std::size_t path) {
    const auto own = idsOf(run, path);
    std::size_t most = 0;
    for (std::size_t i = 0; i < run.paths.size(); ++i) {
        const auto other = i == path ? std::vector<std::int64_t>() : idsOf(run, i);
        const auto parted = std::ranges::mismatch(own, other).in1;
        most = std::max<std::size_t>(most, parted - own.begin());
    }
    return most;
}

QString firstWords(const trace::Run& run, std::size_t path) {
    const auto nodes = run.tree.path(run.paths[path].leaf);
    const std::size_t begin = std::max<std::size_t>(1, sharedTokens(run, path));
    const std::size_t end = std::min(nodes.size(), begin + wordsInName);
    std::vector<trace::Token> tokens;
    for (std::size_t i = begin; i < end; ++i)
        tokens.push_back(run.tree.node(nodes[i]).token);
    const QString text = QString::fromStdString(trace::joinedText(tokens)).trimmed();
    if (text.isEmpty())
        return begin < nodes.size() ? BranchNamesWords::tr("the end") : BranchNamesWords::tr("the same");
    return (begin > 1 ? QStringLiteral("\u2026 ") : QString()) + text +
           (end < nodes.size() ? QStringLiteral(" \u2026") : QString());
}

} // namespace

BranchNames::Named* BranchNames::find(const trace::Run& run, std::size_t path) {
    const auto& forced = run.request.paths[path].forced;
    auto found = std::ranges::find(named_, forced, &Named::forced);
    if (found == named_.end()) {
        const auto ids = idsOf(run, path);
        found = std::ranges::find_if(named_, [&](const Named& named) {
            return named.ids.size() <= ids.size() &&
                   std::equal(named.ids.begin(), named.ids.end(), ids.begin());
        });
    }
    return found == named_.end() ? nullptr : &*found;
}

QStringList BranchNames::names(const trace::Run& run) {
    if (source_ != run.request.source) {
        named_.clear();
        source_ = run.request.source;
    }
    QStringList names;
    for (std::size_t i = 0; i < run.paths.size(); ++i) {
        Named* named = find(run, i);
        if (named) {
            named->forced = run.request.paths[i].forced;
            named->ids = idsOf(run, i);
        }
        names += named ? named->name : firstWords(run, i);
    }
    return names;
}

QString BranchNames::given(const trace::Run& run, std::size_t path) {
    const auto* named = source_ == run.request.source ? find(run, path) : nullptr;
    return named ? named->name : QString();
}

void BranchNames::rename(const trace::Run& run, std::size_t path, const QString& name) {
    if (const auto* named = find(run, path))
        named_.erase(named_.begin() + (named - named_.data()));
    if (!name.isEmpty())
        named_.push_back({run.request.paths[path].forced, idsOf(run, path), name});
}

} // namespace headscope::app
