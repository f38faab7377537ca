#include "app/window/search_entries.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

namespace {

using Kind = SearchEntry::Kind;

constexpr std::array prefixes{std::pair('>', Kind::Action), std::pair('#', Kind::Head),
                              std::pair('@', Kind::Token), std::pair(':', Kind::Step),
                              std::pair('!', Kind::Model)};

/// Costs: of a word by how it stands in a text, and of a text by what it is of an entry. Less is better.
constexpr int startOfWord = 2;
constexpr int insideWord = 8;
constexpr int typingError = 30;
constexpr int ofName = 10;
constexpr int ofSynonyms = 20;
constexpr int ofSummary = 60;
constexpr int ofPage = 15; ///< more than others
constexpr qsizetype tellingLetters = 4;
constexpr qsizetype lettersInside = 3;

/// Without case, accents and marks for mnemonics.
QString plain(const QString& text) {
    if (std::ranges::all_of(text, [](QChar c) { return c.unicode() < 0x80; }))
        return text.toLower(); // most are, and each letter that is typed asks for all of them
    QString letters;
    for (const QChar c : text.normalized(QString::NormalizationForm_KD))
        if (c.category() != QChar::Mark_NonSpacing)
            letters += c.toLower();
    return letters;
}

bool isStart(const QString& text, qsizetype i) {
    return i == 0 || !text[i - 1].isLetterOrNumber();
}

bool isEnd(const QString& text, qsizetype i) {
    return i == text.size() || !text[i].isLetterOrNumber();
}

/// The first letter is the same; of the others at most one is missing, added, wrong, or exchanged with the
/// next.
bool isNear(QStringView a, QStringView b) {
    if (a.front() != b.front())
        return false;
    while (!a.isEmpty() && !b.isEmpty() && a.front() == b.front())
        a = a.sliced(1), b = b.sliced(1);
    while (!a.isEmpty() && !b.isEmpty() && a.back() == b.back())
        a.chop(1), b.chop(1);
    const bool isExchanged = a.size() == 2 && b.size() == 2 && a[0] == b[1] && a[1] == b[0];
    return (a.size() <= 1 && b.size() <= 1) || isExchanged;
}

bool startsNearly(const QString& text, qsizetype start, const QString& word) {
    for (auto length = std::max(tellingLetters, word.size() - 1); length <= word.size() + 1; ++length)
        if (start + length <= text.size() && isNear(QStringView(text).sliced(start, length), word))
            return true;
    return false;
}

std::optional<int> costOfWord(const QString& word, const QString& text) {
    std::optional<int> best;
    const auto take = [&](int cost) { best = std::min(best.value_or(cost), cost); };
    for (qsizetype i = text.indexOf(word); i >= 0; i = text.indexOf(word, i + 1))
        if (isStart(text, i))
            take(isEnd(text, i + word.size()) ? 0 : startOfWord);
        else if (word.size() >= lettersInside)
            take(insideWord);
    for (qsizetype i = 0; !best && word.size() >= tellingLetters && i < text.size(); ++i)
        if (isStart(text, i) && startsNearly(text, i, word))
            take(typingError);
    return best;
}

std::optional<int> costOf(const QStringList& words, const QString& text) {
    int sum = 0;
    for (const QString& word : words) {
        const auto cost = costOfWord(word, text);
        if (!cost)
            return {};
        sum += *cost;
    }
    return sum;
}

/// The texts of an entry, in plain letters.
struct Texts {
    QString name;
    QStringList synonyms;
    QString summary;
};

Texts textsOf(const SearchEntry& entry) {
    Texts texts{.name = plain(entry.name), .synonyms = {}, .summary = plain(entry.summary)};
    for (const QString& each : entry.synonyms + entry.formerly)
        texts.synonyms += plain(each);
    return texts;
}

std::optional<int> costOf(const QStringList& words, const Texts& texts) {
    const QString typed = words.join(' ');
    if (texts.name == typed || texts.synonyms.contains(typed))
        return 0;
    if (const auto cost = costOf(words, texts.name))
        return ofName + *cost;
    const QString named = texts.name + '\n' + texts.synonyms.join('\n');
    if (const auto cost = costOf(words, named))
        return ofSynonyms + *cost;
    const auto cost = costOf(words, named + '\n' + texts.summary);
    return cost ? std::optional(ofSummary + *cost) : std::nullopt;
}

/// The letters are in the name, the first at the start of a word. Starts of words are tried first.
std::optional<int> costOfLetters(const QStringList& words, const Texts& texts) {
    const QString letters = words.join(QString());
    int cost = 0;
    qsizetype at = -1;
    for (const QChar letter : letters) {
        qsizetype next = texts.name.indexOf(letter, at + 1);
        const bool follows = at >= 0 && next == at + 1;
        for (qsizetype i = next; !follows && i >= 0; i = texts.name.indexOf(letter, i + 1))
            if (isStart(texts.name, i)) {
                next = i;
                break;
            }
        if (next < 0 || (at < 0 && !isStart(texts.name, next)))
            return {};
        cost += follows || isStart(texts.name, next) ? 0 : 1;
        at = next;
    }
    return cost;
}

/// For free text that nothing matches completely. Short words stand almost everywhere and are ignored.
std::optional<int> costOfSome(const QStringList& words, const Texts& texts) {
    const QString all = texts.name + '\n' + texts.synonyms.join('\n') + '\n' + texts.summary;
    const int count = std::ranges::count_if(words, [&](const QString& word) {
        const QString stem = word.endsWith('s') ? word.chopped(1) : word;
        return stem.size() >= tellingLetters && all.contains(stem);
    });
    return count > 0 ? std::optional(-count) : std::nullopt;
}

/// Among equal ones actions come first, and what can be done.
int rankOf(const SearchEntry& entry) {
    return (entry.kind == Kind::Action ? 0 : 2) + (entry.whyNot.isEmpty() ? 0 : 1);
}

} // namespace

SearchText searchText(const QString& typed) {
    const QString words = typed.trimmed();
    for (const auto& [prefix, kind] : prefixes)
        if (words.startsWith(QLatin1Char(prefix)))
            return {kind, words.mid(1).trimmed()};
    return {{}, words};
}

std::vector<const SearchEntry*> searched(const std::vector<SearchEntry>& entries, const QString& typed) {
    const auto [kind, text] = searchText(typed);
    const QStringList words = plain(text).split(' ', Qt::SkipEmptyParts);
    std::vector<const SearchEntry*> found;
    for (const auto& entry : entries)
        if (entry.kind == kind.value_or(words.isEmpty() ? Kind::Action : entry.kind))
            found.push_back(&entry);
    if (words.isEmpty())
        return found;
    std::vector<Texts> texts;
    for (const auto* entry : found)
        texts.push_back(textsOf(*entry));
    using Cost = std::optional<int> (*)(const QStringList&, const Texts&);
    for (const Cost cost : {static_cast<Cost>(costOf), static_cast<Cost>(costOfLetters), costOfSome}) {
        std::vector<std::pair<std::pair<int, int>, const SearchEntry*>> ranked;
        for (std::size_t i = 0; i < found.size(); ++i)
            if (const auto each = cost(words, texts[i])) {
                const int more = found[i]->kind == Kind::Page ? ofPage : 0;
                ranked.push_back({{*each + more, rankOf(*found[i])}, found[i]});
            }
        if (ranked.empty())
            continue;
        std::ranges::stable_sort(ranked, {}, [](const auto& each) { return each.first; });
        std::ranges::transform(ranked, found.begin(), [](const auto& each) { return each.second; });
        found.resize(ranked.size());
        return found;
    }
    return {};
}

} // namespace headscope::app
