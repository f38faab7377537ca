#include "model/text/tokenizer_pair.h"

#include "model/trace/refusal.h"

#include <utility>

namespace headscope::text {

namespace {

constexpr const char* missingTarget =
    "The folder has no tokenizer for the decoder, whose vocabulary differs from the encoder's: its tokens "
    "are "
    "shown by their ids. Put its files into a folder decoder_tokenizer beside the weights, or give "
    "--target-vocabulary with their folder.";

class TokenizerPair : public Tokenizer {
  public:
    TokenizerPair(std::unique_ptr<Tokenizer> source, std::unique_ptr<Tokenizer> target,
                  std::int64_t targetSize)
        : source_(std::move(source)), target_(std::move(target)),
          targetSize_(target_ ? target_->size() : targetSize) {}

    std::vector<trace::Token> encode(std::string_view text) const override { return source_->encode(text); }
    std::vector<trace::Token> encodeTarget(std::string_view text) const override {
        if (!target_)
            throw trace::Refusal({.what = "The target cannot be given as text",
                                  .where = "the tokenizer of the decoder",
                                  .expected = "its files in a folder decoder_tokenizer beside the weights",
                                  .found = "no folder of this name",
                                  .wayOut =
                                      "give --target-vocabulary with the folder of these files, or give "
                                      "the target's ids"});
        return target_->encode(text);
    }
    std::optional<ModelInput> framed(const TypedInput& input) const override {
        return source_->framed(input);
    }
    std::string decode(std::span<const std::int64_t> ids) const override {
        if (target_)
            return target_->decode(ids);
        std::string text;
        for (const auto id : ids)
            text += (text.empty() ? "" : " ") + targetPiece(id);
        return text;
    }
    std::string piece(std::int64_t id) const override { return source_->piece(id); }
    std::string targetPiece(std::int64_t id) const override {
        return target_ ? target_->piece(id) : "#" + std::to_string(id);
    }
    std::int64_t size() const override { return source_->size(); }
    std::int64_t targetSize() const override { return targetSize_; }
    SpecialTokens specialTokens() const override {
        return target_ ? target_->specialTokens() : SpecialTokens();
    }
    std::string description() const override {
        return source_->description() + "; target: " + (target_ ? target_->description() : "none");
    }
    std::string note() const override {
        const auto ofSource = source_->note(), ofTarget = target_ ? target_->note() : missingTarget;
        return ofSource + (ofSource.empty() || ofTarget.empty() || ofSource == ofTarget ? "" : " ") +
               (ofSource == ofTarget ? "" : ofTarget);
    }

  private:
    std::unique_ptr<Tokenizer> source_;
    std::unique_ptr<Tokenizer> target_; ///< null: there is none
    std::int64_t targetSize_;
};

} // namespace

std::unique_ptr<Tokenizer> pairOfTokenizers(std::unique_ptr<Tokenizer> source,
                                            std::unique_ptr<Tokenizer> target, std::int64_t targetSize) {
    return std::make_unique<TokenizerPair>(std::move(source), std::move(target), targetSize);
}

} // namespace headscope::text
