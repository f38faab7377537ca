#include "model/engine/encoded_source.h"

#include "model/engine/best_candidates.h"
#include "model/engine/run_memory.h"
#include "model/engine/run_recorder.h"
#include "model/engine/tensor_values.h"
#include "model/files/available_memory.h"
#include "model/network/attention_mask.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace headscope::engine {

namespace {

using trace::Refusal;
using trace::Token;

void refuseUnknownIds(const std::vector<std::int64_t>& ids, std::int64_t vocabulary) {
    std::string found;
    for (const auto id : ids)
        if (id < 0 || id >= vocabulary)
            found += (found.empty() ? "" : ", ") + std::to_string(id);
    if (!found.empty())
        throw Refusal({.what = "The source has ids that the model does not know",
                       .where = "the source ids",
                       .expected = "ids from 0 to " + std::to_string(vocabulary - 1),
                       .found = found,
                       .wayOut = "use the ids of this model's vocabulary"});
}

/// Tokens of the source, and the text that each belongs to (empty: all to the first).
struct ReadSource {
    std::vector<Token> tokens;
    std::vector<std::int64_t> segments;
    std::optional<trace::TokenIndex> second; ///< first token of the second text
};

/// Position of the first value that `isSecond`; empty if there is none, or nothing before it.
template <class Values, class IsSecond>
std::optional<trace::TokenIndex> beginOfSecond(const Values& values, IsSecond isSecond) {
    const auto found = std::ranges::find_if(values, isSecond);
    return found == values.begin() || found == values.end()
               ? std::nullopt
               : std::optional<trace::TokenIndex>(found - values.begin());
}

/// Reads one text, or two, with what the tokenizer's own files put around them.
std::optional<ReadSource> framedText(const OpenModel& model, const std::string& text,
                                     const std::optional<std::string>& second) {
    auto input =
        model.tokenizer->framed({.text = text, .second = second, .language = model.summary->sourceLanguage});
    if (!input)
        return std::nullopt;
    for (std::size_t i = 0; i < input->tokens.size(); ++i)
        if (input->parts[i] != text::InputPart::First)
            input->tokens[i].range.reset(); // no range of the first text
    for (auto& token : input->tokens)
        if (!isSpecial(token.role))
            if (const auto role = model.token(token.id).role; isSpecial(role))
                token.role = role;
    const auto begin = beginOfSecond(input->parts, [](auto part) { return part == text::InputPart::Second; });
    return ReadSource{
        .tokens = std::move(input->tokens), .segments = std::move(input->segments), .second = begin};
}

ReadSource readText(const OpenModel& model, const std::string& text,
                    const std::optional<std::string>& second) {
    if (!model.tokenizer)
        throw Refusal({.what = "This model reads ids only: it has no tokenizer",
                       .where = model.summary->path,
                       .expected = "a tokenizer's file beside the weights",
                       .found = "none",
                       .wayOut = "give --tokenizer, or look at it by ids: trace --source-ids 5,6,7"});
    if (second && !model.summary->readsPairs)
        throw Refusal({.what = "This model does not read pairs of texts",
                       .where = "the second text",
                       .expected = "one text: only an encoder alone joins two, as its tokenizer's files say",
                       .found = "two",
                       .wayOut = "leave the second text out"});
    if (auto framed = framedText(model, text, second))
        return *std::move(framed);
    const auto& special = model.summary->special;
    ReadSource read;
    for (const auto id : special.sourcePrefix)
        read.tokens.push_back(model.token(id));
    for (auto& token : model.tokenizer->encode(text))
        read.tokens.push_back(std::move(token));
    for (const auto id : special.sourceSuffix)
        read.tokens.push_back(model.token(id));
    return read;
}

void refuseSegments(const std::vector<std::int64_t>& segments, std::size_t tokens, std::int64_t rows) {
    const bool fit =
        std::ranges::all_of(segments, [&](auto segment) { return segment >= 0 && segment < rows; });
    if (segments.empty() || (fit && segments.size() == tokens))
        return;
    throw Refusal({.what = "The segments do not fit the source",
                   .where = "the segments of the source",
                   .expected = rows == 0 ? "none: the model has no embedding of segments"
                                         : std::to_string(tokens) + " numbers, one a token, from 0 to " +
                                               std::to_string(rows - 1),
                   .found = std::to_string(segments.size()) + " numbers" +
                            (fit ? "" : ", up to " + std::to_string(*std::ranges::max_element(segments))),
                   .wayOut = "give a segment for each id, or none"});
}

ReadSource readSource(const OpenModel& model, const trace::Request& request) {
    const auto& source = request.source;
    if (model.summary->sourceVocabulary == 0 && !std::holds_alternative<trace::SourceEmbeddings>(source))
        throw Refusal({.what = "This model has no embedding of its own",
                       .where = model.summary->path,
                       .expected = "vectors to run on, [S, d_model] with positions inside",
                       .found = "a sentence or ids",
                       .wayOut = "give --source-embeddings FILE.npy"});
    if (const auto* text = std::get_if<std::string>(&source))
        return readText(model, *text, request.second);
    ReadSource read;
    auto& tokens = read.tokens;
    if (const auto* given = std::get_if<trace::SourceIds>(&source)) {
        refuseUnknownIds(given->ids, model.summary->sourceVocabulary);
        for (const auto id : given->ids)
            tokens.push_back(model.token(id));
        refuseSegments(given->segments, tokens.size(), model.network->config().segments);
        read.segments = given->segments;
        read.second = beginOfSecond(given->segments, [](auto segment) { return segment > 0; });
        return read;
    }
    const auto& embeddings = std::get<trace::SourceEmbeddings>(source).values;
    if (std::cmp_not_equal(embeddings.columns(), model.summary->modelWidth))
        throw Refusal(
            {.what = "The source embeddings do not fit the model",
             .where = "the source embeddings",
             .expected = "rows of " + std::to_string(model.summary->modelWidth) + " numbers (d_model)",
             .found = "rows of " + std::to_string(embeddings.columns()),
             .wayOut = "give embeddings that were made for this model"});
    for (std::size_t row = 0; row < embeddings.rows(); ++row)
        tokens.push_back({.id = -1, .piece = "[" + std::to_string(row + 1) + "]"});
    return read;
}

void refuseImpossibleLength(std::int64_t most, std::size_t tokens) {
    if (tokens == 0)
        throw Refusal({.what = "There is nothing to read",
                       .where = "the source",
                       .expected = "at least one token",
                       .found = "none",
                       .wayOut = "type a sentence"});
    if (most > 0 && std::cmp_greater(tokens, most))
        throw Refusal({.what = "The source is longer than the model's positions",
                       .where = "the source",
                       .expected = "at most " + std::to_string(most) + " tokens",
                       .found = std::to_string(tokens) + " tokens",
                       .wayOut = "shorten the sentence"});
}

/// The prompt of a decoder alone, which has nothing to encode.
EncodedSource promptOf(const OpenModel& model, const trace::Request& request) {
    const auto width = model.network->config().modelWidth;
    EncodedSource prompt{
        .embedded = at::zeros({0, width}), .output = at::zeros({0, width}), .open = at::ones({0}, at::kBool)};
    const bool isEmpty =
        std::holds_alternative<std::string>(request.source) && std::get<std::string>(request.source).empty();
    if (std::holds_alternative<trace::SourceEmbeddings>(request.source))
        throw Refusal({.what = "A decoder alone cannot be run on vectors",
                       .where = "the prompt",
                       .expected = "a text or ids",
                       .found = "embeddings",
                       .wayOut = "give --source or --source-ids"});
    if (request.padding.source > 0)
        throw Refusal({.what = "The prompt of a decoder alone cannot be padded",
                       .where = "the prompt",
                       .wayOut = "leave the padding out, or pad the target"});
    if (!isEmpty)
        prompt.tokens = readSource(model, request).tokens;
    if (prompt.tokens.empty() && model.summary->special.start)
        prompt.tokens.push_back(model.token(*model.summary->special.start));
    refuseImpossibleLength(model.summary->maximumPositions, prompt.tokens.size());
    return prompt;
}

/// Segment of each token, [n] int64; undefined if the model has no embedding of segments. Missing ones are 0.
at::Tensor segmentTensor(const OpenModel& model, std::vector<std::int64_t> segments, std::int64_t n) {
    const auto rows = model.network->config().segments;
    if (rows == 0)
        return {};
    segments.resize(n);
    refuseSegments(segments, segments.size(), rows);
    return at::tensor(segments, at::kLong);
}

/// Computes what the head on the encoder output predicts, if there is one.
void predict(EncodedSource& encoded, const OpenModel& model, const trace::Request& request) {
    const auto& network = *model.network;
    const auto& summary = *model.summary;
    if (summary.classes > 0)
        encoded.classLogProbabilities = floats(network.classLogProbabilities(encoded.output));
    if (summary.numbers > 0)
        encoded.numbers = floats(network.classLogits(encoded.output));
    if (summary.tokenPrediction == trace::TokenPrediction::Replaced)
        encoded.replacedProbabilities = floats(network.replacedProbabilities(encoded.output));
    if (summary.tokenPrediction == trace::TokenPrediction::Span)
        encoded.spanLogProbabilities = matrix(network.spanLogProbabilities(encoded.output));
    if (!summary.answersAtTokens())
        return;
    const bool labels = summary.tokenPrediction == trace::TokenPrediction::Labels;
    const std::size_t count = labels ? summary.tokenLabels : request.candidates;
    for (std::size_t i = 0; i < encoded.tokens.size(); ++i) {
        const auto& token = encoded.tokens[i];
        if (labels ? isSpecial(token.role) : token.id != summary.special.mask)
            continue;
        const auto row = encoded.output.narrow(0, static_cast<std::int64_t>(i), 1);
        encoded.maskCandidates[i] = bestCandidates(model, floats(network.tokenLogProbabilities(row)), count);
    }
    if (request.recording.logProbabilities)
        encoded.logProbabilities = matrix(network.tokenLogProbabilities(encoded.output));
}

trace::HeadStack stacked(const std::vector<at::Tensor>& residuals) {
    return residuals.empty() ? trace::HeadStack() : headStack(at::stack(residuals));
}

} // namespace

std::vector<trace::Token> readTokens(const OpenModel& model, const std::string& text,
                                     const std::optional<std::string>& second) {
    return readText(model, text, second).tokens;
}

void refuseTooLong(std::int64_t queries, std::int64_t keys, std::int64_t heads, std::int64_t layers) {
    constexpr double most = 2e9; // bytes, for scores and weights
    const double perCell = 2.0 * sizeof(float) * static_cast<double>(heads) * static_cast<double>(layers);
    const double needed = perCell * static_cast<double>(queries) * static_cast<double>(keys);
    if (needed <= most)
        return;
    const auto gigabytes = [](double bytes) {
        return std::to_string(std::lround(bytes / 1e8) / 10.0).substr(0, 5) + " GB";
    };
    throw Refusal({.what = "The attention of so long a sentence does not fit into memory",
                   .where = std::to_string(queries) + " x " + std::to_string(keys) + " tokens in " +
                            std::to_string(heads * layers) + " heads",
                   .expected = "at most " + gigabytes(most) + " of maps",
                   .found = gigabytes(needed),
                   .wayOut = "shorten it to about " + std::to_string(std::lround(std::sqrt(most / perCell))) +
                             " tokens"});
}

EncodedSource encodeSource(const OpenModel& model, const trace::Request& request,
                           const network::Interventions& interventions, const trace::Task& work) {
    if (model.summary->isDecoderAlone())
        return promptOf(model, request);
    EncodedSource encoded;
    auto read = readSource(model, request);
    encoded.tokens = std::move(read.tokens);
    encoded.second = read.second;
    const auto padding = model.summary->special.padding;
    if ((request.padding.source > 0 || request.padding.target > 0) && !padding)
        model.settings.refuse("pad_id", "the id of the padding token, because padding was asked for");
    const auto* embeddings = std::get_if<trace::SourceEmbeddings>(&request.source);
    if (embeddings && request.padding.source > 0)
        throw Refusal({.what = "Embeddings cannot be padded",
                       .where = "the source",
                       .wayOut = "leave the padding out, or give ids instead of embeddings"});
    // Embeddings already include positions, so the length is not limited by them.
    refuseImpossibleLength(embeddings ? 0 : model.summary->maximumPositions,
                           encoded.tokens.size() + request.padding.source);
    for (int i = 0; i < request.padding.source; ++i)
        encoded.tokens.push_back(model.token(*padding));

    const auto length = static_cast<std::int64_t>(encoded.tokens.size());
    refuseTooLittleMemory(model.network->config(), length, request.recording.longestMap,
                          files::availableMemory());
    std::vector<std::int64_t> ids;
    for (const auto& token : encoded.tokens)
        ids.push_back(token.id);
    const auto idTensor = at::tensor(ids, at::kLong);
    at::Tensor x; // [S, d_model]
    if (embeddings) {
        x = at::tensor(embeddings->values.values(), at::kFloat).view({length, model.summary->modelWidth});
        encoded.open = at::ones({length}, at::kBool);
    } else {
        const auto& embedding = model.network->sourceEmbedding();
        const auto& table = embedding.positionTable();
        const auto places =
            table.defined() ? interventions.places(0, length, length, table.size(0)) : at::Tensor();
        encoded.segments = segmentTensor(model, std::move(read.segments), length);
        x = embedding(idTensor, 0, places, encoded.segments);
        encoded.positions = matrix(embedding.positions(0, length, places));
        encoded.open = network::allowedKeys(idTensor, padding);
    }
    encoded.embedded = x;
    const auto& config = model.network->config();
    RunRecorder recorder(
        request.recording, work, RunRecorder::Tokens::Newest,
        {.attentions = static_cast<std::size_t>(config.encoder.layers), .rows = encoded.embedded.size(0)});
    encoded.output = model.network->encode(
        x, encoded.open,
        {.observer = &recorder, .interventions = &interventions, .longestMap = request.recording.longestMap});
    predict(encoded, model, request);
    encoded.records = std::move(recorder.encoder);
    encoded.residual = stacked(recorder.residuals);
    return encoded;
}

} // namespace headscope::engine
