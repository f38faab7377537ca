#include "model/text/tokenizer_pair.h"

#include <utility>

namespace headscope::text {

namespace {

class TokenizerPair : public Tokenizer {
  public:
    TokenizerPair(std::unique_ptr<Tokenizer> source, std::unique_ptr<Tokenizer> target)
        : source_(std::move(source)), target_(std::move(target)) {}

    std::vector<trace::Token> encode(std::string_view text) const override { return source_->encode(text); }
    std::vector<trace::Token> encodeTarget(std::string_view text) const override {
        return target_->encode(text);
    }
    std::string decode(std::span<const std::int64_t> ids) const override { return target_->decode(ids); }
    std::string piece(std::int64_t id) const override { return source_->piece(id); }
    std::string targetPiece(std::int64_t id) const override { return target_->piece(id); }
    std::int64_t size() const override { return source_->size(); }
    std::int64_t targetSize() const override { return target_->size(); }
    std::string description() const override {
        return source_->description() + "; of the target " + target_->description();
    }

  private:
    std::unique_ptr<Tokenizer> source_, target_;
};

} // namespace

std::unique_ptr<Tokenizer> pairOf(std::unique_ptr<Tokenizer> source, std::unique_ptr<Tokenizer> target) {
    return std::make_unique<TokenizerPair>(std::move(source), std::move(target));
}

} // namespace headscope::text
