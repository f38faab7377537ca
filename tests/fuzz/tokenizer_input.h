#pragma once

#include "model/files/utf8.h"
#include "model/text/hugging_face/hugging_face_tokenizer.h"
#include "tests/fuzz/hostile_input.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

/// A folder of a tokenizer's files, some of which are the input.
class TokenizerFolder {
  public:
    /// `names` are those of the input.
    explicit TokenizerFolder(const std::vector<const char*>& names) {
        std::string pattern = std::filesystem::temp_directory_path() / "fuzz-tokenizer-XXXXXX";
        require(mkdtemp(pattern.data()) != nullptr, "a folder could not be made");
        path_ = pattern;
        for (const char* name : names)
            std::filesystem::create_symlink(fileWith({}), path_ / name);
    }
    ~TokenizerFolder() { std::filesystem::remove_all(path_); }
    TokenizerFolder(const TokenizerFolder&) = delete;
    TokenizerFolder& operator=(const TokenizerFolder&) = delete;

    /// A file that is no input.
    void write(const char* name, const std::string& content) const { std::ofstream(path_ / name) << content; }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// Splits sentences and joins their tokens.
inline void useTokenizer(const headscope::text::Tokenizer& tokenizer) {
    using namespace headscope;
    constexpr std::array<std::string_view, 5> sentences{
        "", " the  Dog's 12345 sleeps<s>aaaaaaaaaaaaaaaaaaaaaaaaaaaa </s>",
        "\xc3\xa4 \xe2\x96\x81 \xef\xbd\x81 \xf0\x9f\x90\x95  e\xcc\x81\xcc\x88 \xef\xac\x81\xcc\x81\t\n\r\n",
        std::string_view("zero \0 byte", 11), "\xe8\x88\xb9\xe3\x81\xaf\xef\xb7\xba [MASK] <unk>"};
    tokenizer.languageTokens();
    tokenizer.specialTokens();
    for (const std::string_view sentence : sentences)
        readStranger([&] {
            const auto input = tokenizer.framed({.text = sentence, .second = sentence});
            require(input && input->parts.size() == input->tokens.size() &&
                        input->segments.size() == input->tokens.size(),
                    "lists of different lengths");
            for (const auto& token : input->tokens) {
                require(token.id >= 0 && token.id < tokenizer.size(), "an id outside the vocabulary");
                require(files::isUtf8(token.piece), "a token that is no UTF-8");
                require(!token.range ||
                            (token.range->begin <= token.range->end && token.range->end <= sentence.size()),
                        "a token outside its sentence");
            }
            require(files::isUtf8(tokenizer.decode(trace::idsOf(input->tokens))), "a text that is no UTF-8");
        });
    for (const std::int64_t id : {std::int64_t{-1}, std::int64_t{0}, tokenizer.size()})
        require(files::isUtf8(tokenizer.piece(id)), "a token that is no UTF-8");
}

/// Opens the tokenizer of a folder, and does that.
inline void useTokenizer(const std::filesystem::path& folder) {
    useTokenizer(*headscope::text::openHuggingFaceTokenizer(folder));
}

} // namespace fuzz
