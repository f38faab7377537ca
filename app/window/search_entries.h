#pragma once

#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

namespace headscope::app {

/// Something that the search of the window finds.
struct SearchEntry {
    enum class Kind { Action, Head, Token, Step, Model, Page };
    Kind kind = Kind::Action;
    QString name;
    QString detail = {};       ///< beside the name, such as keys or roles
    QStringList synonyms = {}; ///< words and phrases that find it, too
    QStringList formerly = {}; ///< the same: its names and keys in earlier versions
    QString summary = {};      ///< found last
    QString whyNot = {};       ///< empty: it can be triggered
    std::function<void()> trigger;
};

/// Typed text without its prefix (> # @ : !), and the kind of entry that the prefix limits the search to.
struct SearchText {
    std::optional<SearchEntry::Kind> kind;
    QString words;
};
SearchText searchText(const QString& typed);

/// Returns the entries that match, best first: every word stands in name, synonyms or summary, at most one
/// letter wrong; else the letters are in the name in this order, the first at the start of a word; else some
/// of the words match. If nothing is typed, all entries of the kind, or all actions.
std::vector<const SearchEntry*> searched(const std::vector<SearchEntry>& entries, const QString& typed);

} // namespace headscope::app
