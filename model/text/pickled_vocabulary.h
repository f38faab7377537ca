#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headscope::text {

/// The words of one vocabulary in the order of their ids.
struct PickledVocabulary {
    std::vector<std::string> words;
    std::optional<std::int64_t> unknown; ///< the id of words it lacks, if it says so
};

/// Whether the file starts as those of torch.save do, and not as a text would.
bool isPickledVocabulary(const std::filesystem::path& path);

/// The vocabularies in a `vocab.pt`, of which nothing is run: a list of words; an object with such a list as
/// `itos` (torchtext.vocab.Vocab up to 0.8, torchtext.legacy.vocab.Vocab, and classes written like them);
/// torchtext.vocab.vocab.Vocab since 0.10; a tuple or list of two of these, source and target; or the two
/// lists of a checkpoint of OpenNMT-py. Refuses everything else (trace::Refusal) by the name of the class.
std::vector<PickledVocabulary> readPickledVocabularies(const std::filesystem::path& path);

/// Whether a checkpoint holds such vocabularies of its own. Throws trace::Refusal.
bool holdsVocabularies(const std::filesystem::path& checkpoint);

} // namespace headscope::text
