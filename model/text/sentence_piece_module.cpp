#include "model/text/sentence_piece.h"

#include "model/files/atomic_file.h"
#include "model/files/read_file.h"
#include "model/text/sentence_piece_check.h"
#include "model/text/train_sentence_piece.h"
#include "model/text/typed_text.h"
#include "model/trace/refusal.h"

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <utility>

namespace headscope::text {

namespace {

using trace::Refusal;

constexpr std::uint64_t largestFile = 64u << 20;

void throwIfBad(const sentencepiece::util::Status& status, const std::string& what,
                const std::string& where) {
    if (!status.ok())
        throw Refusal({.what = what,
                       .where = where,
                       .expected = "what the tokenizer's own program wrote",
                       .found = "an error of SentencePiece",
                       .wayOut = "check that the tokenizer's file belongs to this model",
                       .details = std::string(status.message())});
}

class SentencePiece : public SentencePieceModel {
  public:
    explicit SentencePiece(const std::filesystem::path& path) {
        const std::string bytes = files::readText(path, largestFile);
        checkSentencePieceModel(bytes, path.string());
        const auto status = processor_.LoadFromSerializedProto(bytes);
        if (!status.ok())
            throw Refusal({.what = "This is no SentencePiece model that can be used",
                           .where = path.string(),
                           .expected = "a file written by SentencePiece's trainer",
                           .found = "one that SentencePiece itself refuses",
                           .wayOut = "copy the tokenizer's file from where the model was trained again",
                           .details = std::string(status.message())});
    }

    std::vector<trace::Token> encode(std::string_view text) const override {
        refuseUnlessUtf8(text);
        sentencepiece::ImmutableSentencePieceText encoded;
        throwIfBad(processor_.Encode({text.data(), text.size()}, encoded.mutable_proto()),
                   "The tokenizer could not split the sentence", "the sentence");
        std::vector<trace::Token> tokens;
        tokens.reserve(encoded.pieces_size());
        for (const auto& piece : encoded.pieces()) {
            const auto id = static_cast<std::int64_t>(piece.id());
            tokens.push_back({.id = id,
                              .piece = piece.piece(),
                              .role = processor_.IsUnknown(piece.id()) ? trace::TokenRole::Unknown
                                                                       : trace::TokenRole::Text,
                              .range = trace::ByteRange{piece.begin(), piece.end()}});
        }
        return tokens;
    }

    std::string decode(std::span<const std::int64_t> ids) const override {
        std::vector<int> known;
        for (const auto id : ids)
            if (id >= 0 && id < size())
                known.push_back(id);
        std::string text;
        throwIfBad(processor_.Decode(known, &text), "The tokenizer could not join the tokens", "the output");
        return text;
    }

    std::string join(std::span<const std::string> pieces) const override {
        std::string text;
        throwIfBad(processor_.Decode(std::vector<std::string>(pieces.begin(), pieces.end()), &text),
                   "The tokenizer could not join the pieces", "the output");
        return text;
    }

    std::string piece(std::int64_t id) const override {
        if (id < 0 || id >= size())
            return "#" + std::to_string(id);
        return processor_.IdToPiece(id);
    }

    std::int64_t size() const override { return processor_.GetPieceSize(); }

    std::string description() const override {
        return "SentencePiece, " + std::to_string(size()) + " pieces";
    }

  private:
    sentencepiece::SentencePieceProcessor processor_;
};

class Sentences : public sentencepiece::SentenceIterator {
  public:
    explicit Sentences(const std::vector<std::string>& sentences) : sentences_(sentences) {}
    bool done() const override { return at_ == sentences_.size(); }
    void Next() override { ++at_; }
    const std::string& value() const override { return sentences_[at_]; }
    sentencepiece::util::Status status() const override { return {}; }

  private:
    const std::vector<std::string>& sentences_;
    std::size_t at_ = 0;
};

void train(const std::vector<std::string>& sentences, const SentencePieceTraining& training,
           const std::filesystem::path& path) {
    const std::unordered_map<std::string, std::string> options{
        {"model_type", training.kind},
        {"vocab_size", std::to_string(training.size)},
        {"hard_vocab_limit", "false"}, // a small corpus has fewer
        {"pad_id", "0"},
        {"unk_id", "1"},
        {"bos_id", "2"},
        {"eos_id", "3"},
        {"character_coverage", "1.0"},
        {"input_sentence_size", "400000"},
        {"num_threads", std::to_string(training.threads)},
        {"minloglevel", "2"}};
    Sentences iterator(sentences);
    std::string model;
    const auto status = sentencepiece::SentencePieceTrainer::Train(options, &iterator, &model);
    if (!status.ok()) {
        const std::string message(status.message());
        // Each character of the corpus is a piece: there have to be at least as many.
        const bool isTooSmall = message.find("required_chars") != message.npos;
        const auto size = std::to_string(training.size);
        throw Refusal(
            {.what = "The vocabulary could not be made",
             .where = path.string(),
             .expected = isTooSmall ? "a corpus of fewer different characters than " + size + " pieces"
                                    : "a corpus that " + size + " pieces can be found in",
             .found = isTooSmall ? "more of them" : "an error of SentencePiece",
             .wayOut = isTooSmall ? "choose a larger vocabulary, or take rare characters out of the corpus"
                                  : "choose a smaller vocabulary, or words instead of pieces",
             .details = message});
    }
    files::saveAtomically(path, model);
}

} // namespace

} // namespace headscope::text

/// The module's ways in (sentence_piece.cpp): opens a model.
extern "C" __attribute__((visibility("default"))) std::unique_ptr<headscope::text::SentencePieceModel>
headscopeOpenSentencePiece(const std::filesystem::path& path) {
    return std::make_unique<headscope::text::SentencePiece>(path);
}

/// The other way in: trains a model.
extern "C" __attribute__((visibility("default"))) void
headscopeTrainSentencePiece(const std::vector<std::string>& sentences,
                            const headscope::text::SentencePieceTraining& training,
                            const std::filesystem::path& path) {
    headscope::text::train(sentences, training, path);
}
