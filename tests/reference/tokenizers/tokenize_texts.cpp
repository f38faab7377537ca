/// tokenize_texts FOLDER: reads a JSON list of texts, or of pairs of texts, from standard input, and writes
/// for each a line with the ids that a model of the folder reads, the byte ranges, token types and decoded
/// text.
#include "model/text/hugging_face/hugging_face_tokenizer.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <iostream>

using namespace headscope;
using nlohmann::json;

namespace {

json rangesOf(const text::ModelInput& input) {
    json ranges = json::array();
    for (const auto& token : input.tokens)
        ranges.push_back(token.range ? json{token.range->begin, token.range->end} : json());
    return ranges;
}

json tokenized(const text::Tokenizer& tokenizer, const json& typed) {
    const bool isPair = typed.is_array();
    const auto first = (isPair ? typed[0] : typed).get<std::string>();
    const auto second = isPair ? typed[1].get<std::string>() : std::string();
    const auto input = tokenizer.framed(
        {.text = first, .second = isPair ? std::optional<std::string_view>(second) : std::nullopt});
    const auto ids = trace::idsOf(input->tokens);
    return {{"ids", ids},
            {"ranges", rangesOf(*input)},
            {"segments", input->segments},
            {"decoded", tokenizer.decode(ids)}};
}

} // namespace

int main(int, char** arguments) {
    try {
        const auto tokenizer = text::openHuggingFaceTokenizer(arguments[1]);
        for (const auto& typed : json::parse(std::cin))
            std::cout << tokenized(*tokenizer, typed).dump() << '\n';
    } catch (const trace::Refusal& refusal) {
        std::cerr << refusal.what() << '\n';
        return 1;
    }
    return 0;
}
