#include "model/engine/open_tokenizer.h"

#include "model/files/folder.h"
#include "model/text/hugging_face/hugging_face_tokenizer.h"
#include "model/text/marian_tokenizer.h"
#include "model/text/sentence_piece.h"
#include "model/text/word_tokenizer.h"

#include <optional>
#include <system_error>
#include <utility>

namespace headscope::engine {

namespace {

using checkpoint::ModelFolder;
using checkpoint::Settings;

constexpr std::int64_t mostSpareRows = 128; ///< row counts are rounded up to a multiple of 64 or 128
constexpr std::int64_t mostHuggingFaceSpareRows = 1024; ///< Phi-2 has 905

text::WordSplitting splittingOf(const Settings& settings) {
    const auto stated = settings.textOr("tokenizer", "white_space");
    if (stated == "basic_english")
        return text::WordSplitting::BasicEnglish;
    if (stated != "white_space")
        settings.refuse("tokenizer",
                        "white_space or basic_english, because source_vocabulary names a list of words");
    return text::WordSplitting::WhiteSpace;
}

OpenedTokenizer openWords(const std::filesystem::path& source, const ModelFolder& folder,
                          const Settings& settings) {
    text::WordFiles files{.source = source,
                          .target = checkpoint::statedFile(folder, settings, "target_vocabulary"),
                          .splitting = splittingOf(settings),
                          .unknown = settings.integer("unknown_id")};
    for (const char* key : {"start_id", "end_id", "pad_id"})
        for (const auto id : settings.integers(key))
            files.controls.push_back(id);
    OpenedTokenizer opened{.tokenizer = text::openWordTokenizer(files), .vocabulary = source};
    opened.files.push_back({"source_vocabulary", source});
    if (files.target)
        opened.files.push_back({"target_vocabulary", *files.target});
    return opened;
}

/// Returns nullopt unless the folder contains all files of a Marian model.
std::optional<text::MarianFiles> marianFiles(const ModelFolder& folder) {
    text::MarianFiles files{.sourcePieces = folder.folder / "source.spm",
                            .targetPieces = folder.folder / "target.spm",
                            .vocabulary = folder.folder / "vocab.json"};
    if (!files::isFile(files.sourcePieces) || !files::isFile(files.targetPieces) ||
        !files::isFile(files.vocabulary))
        return std::nullopt;
    if (auto own = folder.folder / "target_vocab.json"; files::isFile(own))
        files.targetVocabulary = std::move(own);
    return files;
}

/// Marian's files have fixed names, so no setting names them.
OpenedTokenizer openMarian(const text::MarianFiles& files) {
    OpenedTokenizer opened{.tokenizer = text::openMarianTokenizer(files), .vocabulary = files.vocabulary};
    for (const auto& path : {files.sourcePieces, files.targetPieces, files.vocabulary})
        opened.files.push_back({"", path});
    if (files.targetVocabulary)
        opened.files.push_back({"", *files.targetVocabulary});
    return opened;
}

OpenedTokenizer openHuggingFace(const std::filesystem::path& folder) {
    OpenedTokenizer opened{.tokenizer = text::openHuggingFaceTokenizer(folder),
                           .spareRows = mostHuggingFaceSpareRows};
    const auto paths = text::huggingFaceTokenizerFiles(folder);
    opened.vocabulary = paths.front();
    for (const auto& path : paths)
        opened.files.push_back({"", path});
    return opened;
}

} // namespace

OpenedTokenizer openTokenizer(const ModelFolder& folder, const Settings& settings) {
    if (const auto source = checkpoint::statedFile(folder, settings, "source_vocabulary"))
        return openWords(*source, folder, settings);
    if (!settings.find("tokenizer"))
        if (const auto files = marianFiles(folder))
            return openMarian(*files);
    if (const auto file = checkpoint::tokenizerFile(folder, settings))
        return {.tokenizer = text::openSentencePiece(*file),
                .vocabulary = *file,
                .files = {{"tokenizer", *file}},
                .spareRows = mostSpareRows};
    if (!settings.find("tokenizer") && text::hasHuggingFaceTokenizer(folder.folder))
        return openHuggingFace(folder.folder);
    return {};
}

} // namespace headscope::engine
