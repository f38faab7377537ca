#include "model/engine/open_tokenizer.h"

#include "model/files/findings.h"
#include "model/files/folder.h"
#include "model/files/gguf.h"
#include "model/text/character_tokenizer.h"
#include "model/text/hugging_face/hugging_face_tokenizer.h"
#include "model/text/hugging_face/tiktoken_file.h"
#include "model/text/marian_tokenizer.h"
#include "model/text/pickled_vocabulary.h"
#include "model/text/sentence_piece.h"
#include "model/text/tokenizer_pair.h"
#include "model/text/word_tokenizer.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <system_error>
#include <utility>

namespace headscope::engine {

namespace {

using checkpoint::ModelFolder;
using checkpoint::Settings;

constexpr std::int64_t mostSpareRows = 128; ///< row counts are rounded up to a multiple of 64 or 128
constexpr std::int64_t mostHuggingFaceSpareRows = 1024; ///< Phi-2 has 905

constexpr const char* folderOfDecoders = "decoder_tokenizer";

/// Whether a vocabulary is of Marian itself, whose first input is no token (files::takeMarianOptions()).
bool isOfMarian(const std::filesystem::path& vocabulary) {
    return vocabulary.extension() == ".yml";
}

text::WordSplitting splittingOf(const Settings& settings) {
    const auto stated = settings.textOr("tokenizer", "white_space");
    if (stated == "basic_english")
        return text::WordSplitting::BasicEnglish;
    if (stated != "white_space")
        settings.refuse("tokenizer",
                        "white_space or basic_english, because source_vocabulary names a list of words");
    return text::WordSplitting::WhiteSpace;
}

std::optional<text::Pattern> patternOf(const Settings& settings) {
    const auto stated = settings.find("tokenizer_pattern");
    if (!stated)
        return std::nullopt;
    if (stated->text.empty())
        settings.refuse("tokenizer_pattern", "a regular expression, such as . for characters");
    if (const auto other = settings.find("tokenizer"))
        throw trace::Refusal({.what = "A tokenizer and a pattern both say how text is split",
                              .where = other->origin,
                              .expected = "one of the two",
                              .found = "tokenizer \"" + files::printable(other->text) +
                                       "\" and tokenizer_pattern \"" + files::printable(stated->text) + "\"",
                              .wayOut = other->origin.starts_with("--")
                                            ? "leave out --tokenizer or --tokenizer-pattern"
                                            : "leave out --tokenizer-pattern; or remove \"tokenizer\" from "
                                              "that file, and name a list of words, one a line, with "
                                              "--source-vocabulary"});
    try {
        return text::Pattern::ofExpression(stated->text, stated->origin);
    } catch (const trace::Refusal& refusal) {
        settings.refuse("tokenizer_pattern", "a regular expression of ICU (" + refusal.text().found + ")");
    }
}

/// Refuses a pattern without a vocabulary to look its matches up in.
[[noreturn]] void refusePattern(const ModelFolder& folder, const Settings& settings) {
    const bool isGguf = files::isGguf(folder.weights);
    const auto words = settings.textOr("source_vocabulary", "");
    throw trace::Refusal(
        {.what = "There is no vocabulary to look up the matches of the pattern",
         .where = folder.folder.string(),
         .expected = "a list of words, or a vocabulary of Hugging Face beside the weights",
         .found = isGguf          ? "a GGUF file, which says itself how text is split"
                  : words.empty() ? "neither"
                                  : "no file " + files::printable(words),
         .wayOut = std::string(isGguf ? "leave out --tokenizer-pattern, or add" : "add") +
                   " --source-vocabulary with a text file, one token a line in the order of their ids"});
}

/// Returns the vocabulary of a setting; nothing if only the program that saved the model named it and it is
/// not there.
std::optional<std::filesystem::path> vocabulary(const ModelFolder& folder, const Settings& settings,
                                                const std::string& key) {
    const auto file = checkpoint::statedFile(folder, settings, key);
    if (!file || files::isFile(*file))
        return file;
    const auto origin = settings.find(key)->origin;
    const bool isUsual =
        origin == checkpoint::originOfDefaults || origin.starts_with(folder.weights.string());
    return isUsual ? std::nullopt : file;
}

OpenedTokenizer openWords(const std::filesystem::path& source, const ModelFolder& folder,
                          const Settings& settings) {
    text::WordFiles files{.source = source,
                          .target = vocabulary(folder, settings, "target_vocabulary"),
                          .splitting = splittingOf(settings),
                          .pattern = patternOf(settings),
                          .unknown = settings.integer("unknown_id")};
    for (const char* key : {"start_id", "end_id", "pad_id"})
        for (const auto id : settings.integers(key))
            files.controls.push_back(id);
    OpenedTokenizer opened{.tokenizer = text::openWordTokenizer(files),
                           .vocabulary = source,
                           .spareRows = isOfMarian(source) ? 1 : 0};
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

/// The same of Marian itself, which has a vocabulary in YAML or a SentencePiece file in its place.
std::optional<OpenedTokenizer> openOwnMarian(const std::filesystem::path& source, const ModelFolder& folder,
                                             const Settings& settings) {
    const auto target = vocabulary(folder, settings, "target_vocabulary");
    if (source.extension() == ".spm") {
        OpenedTokenizer opened{.tokenizer = text::openSentencePiece(source),
                               .vocabulary = source,
                               .files = {{"source_vocabulary", source}},
                               .spareRows = mostSpareRows};
        if (!target || target->filename() == source.filename())
            return opened;
        if (target->extension() != ".spm")
            settings.refuse("target_vocabulary", "a SentencePiece file (.spm), as that of the source is");
        opened.tokenizer =
            text::pairOfTokenizers(std::move(opened.tokenizer), text::openSentencePiece(*target));
        opened.files.push_back({"target_vocabulary", *target});
        return opened;
    }
    text::MarianFiles files{.sourcePieces = folder.folder / "source.spm",
                            .targetPieces = folder.folder / "target.spm",
                            .vocabulary = source};
    if (!isOfMarian(source) || !files::isFile(files.sourcePieces) || !files::isFile(files.targetPieces))
        return std::nullopt;
    OpenedTokenizer opened{.vocabulary = source, .files = {{"source_vocabulary", source}}, .spareRows = 1};
    if (target && target->filename() != source.filename()) {
        files.targetVocabulary = target;
        opened.files.push_back({"target_vocabulary", *target});
    }
    for (const auto& path : {files.sourcePieces, files.targetPieces})
        opened.files.push_back({"", path});
    opened.tokenizer = text::openMarianTokenizer(files);
    return opened;
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

OpenedTokenizer openHuggingFace(const std::filesystem::path& folder,
                                const std::optional<text::Pattern>& pattern = {}) {
    OpenedTokenizer opened{.tokenizer = text::openHuggingFaceTokenizer(folder, pattern),
                           .spareRows = mostHuggingFaceSpareRows};
    const auto paths = text::huggingFaceTokenizerFiles(folder);
    opened.vocabulary = paths.front();
    for (const auto& path : paths)
        opened.files.push_back({"", path});
    return opened;
}

/// Opens the tokenizer in a GGUF file; nothing if there is none.
OpenedTokenizer openGguf(const ModelFolder& folder) {
    const auto where = folder.weights.string();
    const auto metadata = files::readGgufMetadata(folder.weights);
    const auto model = metadata.value("tokenizer.ggml.model", nlohmann::json());
    if (model.is_null() || model == "no_vocab" || model == "none")
        return {};
    const auto stages = text::ggufTokenizer(metadata, where);
    return {.tokenizer = text::openHuggingFaceTokenizer(stages, where),
            .vocabulary = folder.weights,
            .files = {{"", folder.folder / "tokenizer.json", stages.tokenizer.dump()},
                      {"", folder.folder / "tokenizer_config.json", stages.settings.dump(2)}},
            .spareRows = mostHuggingFaceSpareRows};
}

OpenedTokenizer openCharacters(const std::filesystem::path& file) {
    return {.tokenizer = text::openCharacterTokenizer(file),
            .vocabulary = file,
            .files = {{"tokenizer", file}},
            .spareRows = mostSpareRows};
}

/// Opens what the setting `tokenizer` names; its content tells what it is.
OpenedTokenizer openStated(const std::filesystem::path& path) {
    std::error_code ignored;
    const bool isFolder = std::filesystem::is_directory(path, ignored);
    if (isFolder || path.extension() == ".json" || path.extension() == ".txt" || text::isTiktokenFile(path)) {
        const auto place = isFolder ? path : path.parent_path();
        if (text::hasHuggingFaceTokenizer(place))
            return openHuggingFace(place);
        throw trace::Refusal(
            {.what = "There is no tokenizer of Hugging Face",
             .where = place.string(),
             .expected = "a tokenizer.json, or the older files such as vocab.json and merges.txt",
             .found = "none of them",
             .wayOut = "give --tokenizer with the folder that holds these files"});
    }
    if (text::isPickle(path))
        return openCharacters(path);
    return {.tokenizer = text::openSentencePiece(path),
            .vocabulary = path,
            .files = {{"tokenizer", path}},
            .spareRows = mostSpareRows};
}

/// Opens the tokenizer of a decoder whose vocabulary is not the encoder's: of the folder that is stated, or
/// of one with a usual name; nothing if there is none.
std::optional<OpenedTokenizer> openOfDecoder(const ModelFolder& folder, const Settings& settings) {
    if (const auto stated = vocabulary(folder, settings, "target_vocabulary"))
        return openStated(*stated);
    for (const char* usual : {folderOfDecoders, "target_tokenizer", "tokenizer_decoder", "decoder"})
        if (text::hasHuggingFaceTokenizer(folder.folder / usual))
            return openHuggingFace(folder.folder / usual);
    return std::nullopt;
}

/// Joins the tokenizer of an encoder with that of a decoder of `targetRows` tokens, 0 without one, whose
/// vocabulary may be another.
OpenedTokenizer withDecoders(OpenedTokenizer opened, const ModelFolder& folder, const Settings& settings,
                             std::int64_t targetRows) {
    const auto spare = targetRows - opened.tokenizer->targetSize();
    auto target = targetRows > 0 ? openOfDecoder(folder, settings) : std::nullopt;
    if (targetRows == 0 || (!target && spare >= 0 && spare <= opened.spareRows))
        return opened;
    opened.tokenizer = text::pairOfTokenizers(std::move(opened.tokenizer),
                                              target ? std::move(target->tokenizer) : nullptr, targetRows);
    for (std::size_t i = 0; target && i < target->files.size(); ++i)
        opened.files.push_back({.path = target->files[i].path, .folder = folderOfDecoders});
    return opened;
}

/// Opens the words that a checkpoint of OpenNMT-py holds itself. They are saved as lists.
OpenedTokenizer openOwnWords(const ModelFolder& folder, const Settings& settings) {
    auto opened = openWords(folder.weights, folder, settings);
    const auto& tokenizer = *opened.tokenizer;
    std::string source, target;
    for (std::int64_t id = 0; id < tokenizer.size(); ++id)
        source += tokenizer.piece(id) + "\n";
    for (std::int64_t id = 0; id < tokenizer.targetSize(); ++id)
        target += tokenizer.targetPiece(id) + "\n";
    opened.files = {{"source_vocabulary", folder.folder / "source_words.txt", std::move(source)},
                    {"target_vocabulary", folder.folder / "target_words.txt", std::move(target)}};
    return opened;
}

/// Returns nanoGPT's characters: beside the weights, or with the data from which its programs take them.
std::optional<std::filesystem::path> characterFile(const ModelFolder& folder, const Settings& settings) {
    constexpr const char* name = "meta.pkl";
    if (auto beside = folder.folder / name; files::isFile(beside))
        return beside;
    const std::filesystem::path dataset(settings.textOr("dataset", ""));
    if (dataset.empty() || dataset != dataset.filename() || dataset == ".." || dataset == ".")
        return std::nullopt;
    auto ofData = folder.folder / ".." / "data" / dataset / name;
    return files::isFile(ofData) ? std::optional(ofData.lexically_normal()) : std::nullopt;
}

} // namespace

OpenedTokenizer openTokenizer(const ModelFolder& folder, const Settings& settings, std::int64_t targetRows) {
    constexpr const char* ownWords = "of the checkpoint"; // in the table of a family
    if (settings.textOr("source_vocabulary", "") == ownWords)
        return text::holdsVocabularies(folder.weights) ? openOwnWords(folder, settings) : OpenedTokenizer();
    const bool lacksTarget = !settings.textOr("target_vocabulary", "").empty() &&
                             !vocabulary(folder, settings, "target_vocabulary");
    if (const auto source = vocabulary(folder, settings, "source_vocabulary"); source && !lacksTarget) {
        auto ofMarian = openOwnMarian(*source, folder, settings);
        return ofMarian ? std::move(*ofMarian) : openWords(*source, folder, settings);
    }
    const auto pattern = patternOf(settings);
    if (pattern && !text::hasHuggingFaceTokenizer(folder.folder))
        refusePattern(folder, settings);
    if (!settings.find("tokenizer") && files::isGguf(folder.weights))
        return openGguf(folder);
    if (!pattern && !settings.find("tokenizer"))
        if (const auto files = marianFiles(folder))
            return openMarian(*files);
    if (const auto file = pattern ? std::nullopt : checkpoint::tokenizerFile(folder, settings))
        return openStated(*file);
    if (settings.find("tokenizer"))
        return {};
    if (text::hasHuggingFaceTokenizer(folder.folder))
        return withDecoders(openHuggingFace(folder.folder, pattern), folder, settings, targetRows);
    const auto characters = characterFile(folder, settings);
    return characters ? openCharacters(*characters) : OpenedTokenizer();
}

} // namespace headscope::engine
