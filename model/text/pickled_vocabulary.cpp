#include "model/text/pickled_vocabulary.h"

#include "model/files/file_descriptor.h"
#include "model/files/torch/saved_object.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace headscope::text {

namespace {

using files::Pickle;
using files::PickleDict;
using files::PickleId;
using files::PickleList;
using files::PicklePlaceholder;
using files::PickleTuple;

std::optional<std::vector<std::string>> wordsOf(const Pickle& pickle, PickleId id) {
    const auto* list = pickle.as<PickleList>(id);
    if (!list)
        return std::nullopt;
    std::vector<std::string> words;
    words.reserve(list->items.size());
    std::size_t bytes = 0;
    for (const auto item : list->items) {
        const auto* word = pickle.as<std::string>(item);
        // Words that differ all stand in the file; one mentioned a million times would fill the memory.
        if (!word || (bytes += word->size()) > pickle.bytes)
            return std::nullopt;
        words.push_back(*word);
    }
    return words;
}

/// The last value under a key, as Python would have it.
std::optional<PickleId> valueOf(const Pickle& pickle, PickleId dict, std::string_view key) {
    std::optional<PickleId> value;
    if (const auto* members = pickle.as<PickleDict>(dict))
        for (const auto& [itemKey, itemValue] : members->items)
            if (const auto* text = pickle.as<std::string>(itemKey); text && *text == key)
                value = itemValue;
    return value;
}

/// The state of torchtext's vocabulary in C++: version, [id of unknown words] or [], words, tensors.
std::optional<PickledVocabulary> nativeVocabulary(const Pickle& pickle, PickleId state) {
    const auto* parts = pickle.as<PickleTuple>(state);
    if (!parts || parts->items.size() != 4)
        return std::nullopt;
    auto words = wordsOf(pickle, parts->items[2]);
    if (!words)
        return std::nullopt;
    PickledVocabulary vocabulary{.words = std::move(*words)};
    const auto* unknown = pickle.as<PickleList>(parts->items[1]);
    if (unknown && unknown->items.size() == 1)
        if (const auto* id = pickle.as<std::int64_t>(unknown->items.front()))
            vocabulary.unknown = *id;
    return vocabulary;
}

std::optional<PickledVocabulary> vocabularyOf(const Pickle& pickle, PickleId id) {
    if (auto words = wordsOf(pickle, id))
        return PickledVocabulary{.words = std::move(*words)};
    const auto* object = pickle.as<PicklePlaceholder>(id);
    if (!object || !object->state)
        return std::nullopt;
    if (const auto itos = valueOf(pickle, *object->state, "itos")) {
        auto words = wordsOf(pickle, *itos);
        if (!words)
            return std::nullopt;
        PickledVocabulary vocabulary{.words = std::move(*words)};
        if (const auto unknown = valueOf(pickle, *object->state, "unk_index"))
            if (const auto* number = pickle.as<std::int64_t>(*unknown))
                vocabulary.unknown = *number;
        return vocabulary;
    }
    const auto inner = valueOf(pickle, *object->state, "vocab");
    const auto* native = inner ? pickle.as<PicklePlaceholder>(*inner) : nullptr;
    return native && native->state ? nativeVocabulary(pickle, *native->state) : std::nullopt;
}

/// The lists "src" and "tgt" that OpenNMT-py saves under "vocab"; empty if they are not there.
std::vector<PickleId> ofCheckpoint(const Pickle& pickle) {
    const auto both = valueOf(pickle, pickle.root, "vocab");
    const auto source = both ? valueOf(pickle, *both, "src") : std::nullopt;
    const auto target = both ? valueOf(pickle, *both, "tgt") : std::nullopt;
    return source && target ? std::vector{*source, *target} : std::vector<PickleId>();
}

/// What stands there, with the names of what a pair holds.
std::string found(const Pickle& pickle, const std::vector<PickleId>& items) {
    std::string text = describe(pickle[pickle.root]);
    for (std::size_t i = 0; i < std::min<std::size_t>(items.size(), 4); ++i)
        text += (i == 0 ? ": " : ", ") + describe(pickle[items[i]]);
    return text;
}

} // namespace

bool isPickledVocabulary(const std::filesystem::path& path) {
    const auto file = files::openForReading(path);
    std::string start(std::min<std::uint64_t>(file.size, 4), '\0');
    files::readExactly(file.descriptor, std::as_writable_bytes(std::span(start)), path);
    return start.starts_with('\x80') || start == "PK\x03\x04";
}

bool holdsVocabularies(const std::filesystem::path& checkpoint) {
    if (!isPickledVocabulary(checkpoint))
        return false;
    const Pickle pickle = files::readSavedObject(checkpoint);
    const auto items = ofCheckpoint(pickle);
    return !items.empty() &&
           std::ranges::all_of(items, [&](PickleId item) { return vocabularyOf(pickle, item).has_value(); });
}

std::vector<PickledVocabulary> readPickledVocabularies(const std::filesystem::path& path) {
    const Pickle pickle = files::readSavedObject(path);
    if (auto only = vocabularyOf(pickle, pickle.root))
        return {std::move(*only)};
    std::vector<PickleId> items;
    if (const auto* tuple = pickle.as<PickleTuple>(pickle.root))
        items = tuple->items;
    else if (const auto* list = pickle.as<PickleList>(pickle.root))
        items = list->items;
    else
        items = ofCheckpoint(pickle);
    std::vector<PickledVocabulary> vocabularies;
    if (items.size() == 2)
        for (const auto item : items)
            if (auto vocabulary = vocabularyOf(pickle, item))
                vocabularies.push_back(std::move(*vocabulary));
    if (vocabularies.size() == 2)
        return vocabularies;
    throw trace::Refusal(
        {.what = "The file holds no vocabulary that can be read",
         .where = path.string(),
         .expected = "torchtext's Vocab, a list of words, or two of these",
         .found = found(pickle, items),
         .wayOut = "write the words into a text file, one a line, in the order of their ids"});
}

} // namespace headscope::text
