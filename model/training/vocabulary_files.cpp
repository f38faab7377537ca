#include "model/training/vocabulary_files.h"

#include "model/files/atomic_file.h"
#include "model/files/folder.h"
#include "model/files/read_file.h"
#include "model/text/marian_tokenizer.h"
#include "model/text/sentence_piece.h"
#include "model/text/split_words.h"
#include "model/text/train_sentence_piece.h"
#include "model/text/word_tokenizer.h"
#include "model/trace/refusal.h"
#include "model/training/origin.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace headscope::training {

namespace {

namespace fs = std::filesystem;

enum class Sides { Source, Target, Both };

std::vector<std::string> textsOf(const std::vector<corpus::TextPair>& pairs, Sides sides) {
    std::vector<std::string> texts;
    for (const auto& pair : pairs) {
        if (sides != Sides::Target)
            texts.push_back(pair.source);
        if (sides != Sides::Source)
            texts.push_back(pair.target);
    }
    return texts;
}

/// Writes the most frequent words after the special ones; on ties in byte order.
void writeWords(const std::vector<std::string>& texts, const VocabularyConfig& config, const fs::path& path,
                const std::stop_token& stop) {
    std::map<std::string, std::int64_t> counts;
    for (const auto& text : texts) {
        trace::throwIfStopped(stop);
        for (const auto& word : config.splitting == "basic_english" ? text::splitBasicEnglish(text)
                                                                    : text::splitWhiteSpace(text))
            ++counts[word.text];
    }
    const std::vector<std::string> special{"<pad>", "<unk>", "<s>", "</s>"};
    std::vector<std::pair<std::string, std::int64_t>> words(counts.begin(), counts.end());
    std::erase_if(words, [&](const auto& word) {
        return word.second < config.minimumCount || std::ranges::find(special, word.first) != special.end();
    });
    std::ranges::stable_sort(words, [](const auto& a, const auto& b) { return a.second > b.second; });
    const std::size_t most = config.size - special.size();
    words.resize(std::min(words.size(), most));
    std::string list;
    for (const auto& word : special)
        list += word + "\n";
    for (const auto& [word, count] : words)
        list += word + "\n";
    files::saveAtomically(path, list);
}

/// Returns true if the existing vocabulary equals the one that would be made now. Throws trace::Refusal if it
/// does not although a saved state was trained with it. Without a fingerprint, returns true only if there is
/// a saved state.
bool isKept(const TrainingConfig& config, const std::string& made, const fs::path& fingerprint) {
    const bool isTrainedWith = files::isFile(config.state / "state.safetensors");
    if (!files::isFile(fingerprint))
        return isTrainedWith;
    const auto text = files::readText(fingerprint, files::defaultMaximumTextBytes, files::FileRole::Training);
    const Origin saved{{"vocabulary, or corpus that it is made of", text}};
    const Origin now{{saved.begin()->first, made}};
    if (isTrainedWith)
        refuseOtherOrigin(saved, now, config);
    return saved == now;
}

class Preparation {
  public:
    Preparation(const TrainingConfig& config, const std::vector<corpus::TextPair>& pairs, int threads,
                std::stop_token stop)
        : config_(config), pairs_(pairs), threads_(threads), stop_(std::move(stop)),
          oneSide_(config.vocabulary.shared || config.classifies()) {}

    TrainedVocabulary prepare() {
        const auto made = fingerprintOf(config_.vocabulary, pairs_);
        const auto fingerprint = config_.state / "vocabulary.fingerprint";
        kept_ = isKept(config_, made, fingerprint);
        std::error_code ignored;
        if (!kept_) // no fingerprint until all files are new
            fs::remove(fingerprint, ignored);
        makeFiles();
        trace::throwIfStopped(stop_);
        if (!kept_)
            files::saveAtomically(fingerprint, made, files::FileRole::Training);
        setIds();
        return std::move(made_);
    }

  private:
    void makeFiles() {
        if (config_.vocabulary.kind == "words")
            words();
        else if (oneSide_)
            onePieceModel();
        else
            twoPieceModels();
    }

    void setIds() {
        const auto set = [&](const char* key, std::int64_t id) {
            made_.settings.set(key, std::to_string(id), "the training");
        };
        set("pad_id", made_.pad);
        set("unknown_id", unknown_);
        if (!config_.classifies()) {
            set("start_id", made_.start);
            set("end_id", made_.end);
            set("source_suffix", made_.end);
        }
    }

    bool isMade(const fs::path& path) const { return kept_ && files::isFile(path); }
    Sides all() const { return config_.classifies() ? Sides::Source : Sides::Both; }

    void words() {
        const auto source = config_.state / (oneSide_ ? "vocabulary.txt" : "source-vocabulary.txt");
        if (!isMade(source))
            writeWords(textsOf(pairs_, oneSide_ ? all() : Sides::Source), config_.vocabulary, source, stop_);
        made_.files.push_back({"source_vocabulary", source});
        text::WordFiles files{.source = source,
                              .target = {},
                              .splitting = config_.vocabulary.splitting == "basic_english"
                                               ? text::WordSplitting::BasicEnglish
                                               : text::WordSplitting::WhiteSpace,
                              .unknown = unknown_,
                              .controls = {made_.pad, made_.start, made_.end}};
        if (!oneSide_) {
            files.target = config_.state / "target-vocabulary.txt";
            if (!isMade(*files.target))
                writeWords(textsOf(pairs_, Sides::Target), config_.vocabulary, *files.target, stop_);
            made_.files.push_back({"target_vocabulary", *files.target});
        }
        made_.settings.set("tokenizer", config_.vocabulary.splitting, "the training");
        made_.tokenizer = text::openWordTokenizer(files);
    }

    void train(const fs::path& path, Sides sides) const {
        trace::throwIfStopped(stop_); // the following cannot be stopped
        if (!isMade(path))
            text::trainSentencePiece(
                textsOf(pairs_, sides),
                {.kind = config_.vocabulary.kind, .size = config_.vocabulary.size, .threads = threads_},
                path);
    }

    void onePieceModel() {
        const auto path = config_.vocabulary.file.value_or(config_.state / "spm.model");
        if (!config_.vocabulary.file)
            train(path, all());
        made_.tokenizer = text::openSentencePiece(path);
        made_.files.push_back({"tokenizer", path});
        made_.pad = idOf("<pad>", path);
        unknown_ = idOf("<unk>", path);
        if (config_.classifies())
            return;
        made_.start = idOf("<s>", path);
        made_.end = idOf("</s>", path);
    }

    /// Returns the id of a special token that a given model must have.
    std::int64_t idOf(const std::string& piece, const fs::path& path) const {
        for (std::int64_t id = 0; id < made_.tokenizer->size(); ++id)
            if (made_.tokenizer->piece(id) == piece)
                return id;
        throw trace::Refusal({.what = "This tokenizer cannot be trained with",
                              .where = path.string(),
                              .expected = "the pieces <pad>, <unk>, <s> and </s>",
                              .found = "none called " + piece,
                              .wayOut = "leave vocabulary.file out, so that one is made"});
    }

    /// As in Marian: two models, and a list of ids for each.
    void twoPieceModels() {
        const text::MarianFiles files{.sourcePieces = config_.state / "source.spm",
                                      .targetPieces = config_.state / "target.spm",
                                      .vocabulary = config_.state / "vocab.json",
                                      .targetVocabulary = config_.state / "target_vocab.json"};
        train(files.sourcePieces, Sides::Source);
        train(files.targetPieces, Sides::Target);
        writeIds(files.sourcePieces, files.vocabulary);
        writeIds(files.targetPieces, *files.targetVocabulary);
        for (const auto& path :
             {files.sourcePieces, files.targetPieces, files.vocabulary, *files.targetVocabulary})
            made_.files.push_back({"", path});
        made_.tokenizer = text::openMarianTokenizer(files);
    }

    static void writeIds(const fs::path& pieces, const fs::path& path) {
        const auto model = text::openSentencePiece(pieces);
        nlohmann::ordered_json ids;
        for (std::int64_t id = 0; id < model->size(); ++id)
            ids[model->piece(id)] = id;
        files::saveAtomically(path, ids.dump(0));
    }

    const TrainingConfig& config_;
    const std::vector<corpus::TextPair>& pairs_;
    int threads_;
    std::stop_token stop_;
    bool oneSide_;
    bool kept_ = false; ///< files of an earlier start are reused
    std::int64_t unknown_ = 1;
    TrainedVocabulary made_;
};

} // namespace

TrainedVocabulary prepareVocabulary(const TrainingConfig& config, const std::vector<corpus::TextPair>& pairs,
                                    int threads, std::stop_token stop) {
    return Preparation(config, pairs, threads, std::move(stop)).prepare();
}

} // namespace headscope::training
