#include "app/cli/options.h"

#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/traces/model_or_trace.h"
#include "model/files/npy.h"
#include "model/files/read_file.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

namespace headscope::app {

namespace {

constexpr int longest = 1'000'000;

std::string optionOf(std::string key) {
    std::replace(key.begin(), key.end(), '_', '-');
    return "--" + key;
}

/// Rejects invalid lists of ids before any file is opened.
CLI::Validator idList() {
    return CLI::Validator(
        [](const std::string& text) -> std::string {
            try {
                parseIds("", text);
                return {};
            } catch (const CLI::ValidationError& error) {
                return error.what();
            }
        },
        "ID,ID,...");
}

/// Accepts numbers in the syntax of the settings; CLI11's ranges also accept "0x8", "+8" and "nan".
template <class Number>
CLI::Validator plainNumber(Number least, Number most, const std::string& name) {
    return CLI::Validator(
        [=](const std::string& text) -> std::string {
            Number value{};
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool whole = error == std::errc() && end == text.data() + text.size();
            return whole && value >= least && value <= most ? std::string()
                                                            : "expected " + name + ", found \"" + text + "\"";
        },
        name);
}

/// Converts NumPy's default, float64, to float32, in which the model computes.
files::NamedArray asFloat32(files::NamedArray array) {
    if (array.type != files::ElementType::Float64)
        return array;
    std::vector<double> wide(array.bytes.size() / sizeof(double));
    std::memcpy(wide.data(), array.bytes.data(), array.bytes.size());
    const std::vector<float> values(wide.begin(), wide.end());
    return files::floatArray(array.name, array.shape, values);
}

trace::Matrix readEmbeddings(const std::string& path) {
    const auto bytes = files::readFile(path);
    const auto array = asFloat32(files::parseNpy(*bytes, path));
    if (array.shape.size() != 2)
        throw trace::Refusal({.what = "The source embeddings cannot be used",
                              .where = path,
                              .expected = "an array of shape [S, d_model]",
                              .found = "shape " + files::shapeText(array.shape),
                              .wayOut = "save one row a token"});
    return {static_cast<std::size_t>(array.shape[0]), static_cast<std::size_t>(array.shape[1]),
            files::floatsOf(array)};
}

} // namespace

std::vector<std::int64_t> parseIds(const std::string& option, const std::string& text) {
    std::vector<std::int64_t> ids;
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    while (true) {
        std::int64_t id = 0;
        const auto [next, error] = std::from_chars(at, end, id);
        if (error != std::errc() || id < 0 || (next != end && *next != ','))
            throw CLI::ValidationError(option,
                                       "expected ids from 0 on, separated by commas, found \"" + text + "\"");
        ids.push_back(id);
        if (next == end)
            return ids;
        at = next + 1;
    }
}

CLI::Validator wholeNumber(int least, int most) {
    return plainNumber(least, most, std::to_string(least) + " to " + std::to_string(most));
}

CLI::Validator seedNumber() {
    return plainNumber<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max(),
                                      "a whole number from 0 on");
}

void CommonOptions::addTo(CLI::App& command) {
    command.add_flag("--json", json, "Print results as JSON");
    command.add_flag("--quiet", quiet, "Print no progress on standard error");
    command.add_option("--device", device, "Device for all computation")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
        ->capture_default_str();
    command.add_option("--threads", threads, "Number of threads (default: chosen automatically)")
        ->check(wholeNumber(1, 1024));
}

engine::EngineOptions CommonOptions::engineOptions() const {
    return {
        .familyFolders = familyFolders(), .device = device, .samples = sampleSentences(), .threads = threads};
}

void ModelOptions::addTo(CLI::App& command) {
    command
        .add_option("MODEL", model,
                    "A folder, a weights file, the name of a bundled model, or ORG/NAME of one in Hugging "
                    "Face's cache")
        ->required();
    const CLI::Validator stated(
        [](const std::string& text) {
            return text.empty() ? std::string("expected a value, found none") : "";
        },
        std::string());
    const auto add = [&](const char* key, const char* help) {
        return command.add_option(optionOf(key), settings[key], help)->check(stated)->group(groups::model);
    };
    add("base", "The model that an adapter's folder belongs to");
    add("family", "Program whose tensor names it uses");
    add("heads", "Attention heads per layer")->check(wholeNumber(1, 65536));
    add("norm", "Norm before or after each sublayer")->check(CLI::IsMember({"pre", "post"}));
    add("final_norm", "Whether each stack ends with a norm")->check(CLI::IsMember({"yes", "no"}));
    add("norm_eps", "Epsilon of the norms")->check(plainNumber(0.0, 1.0, "a number from 0 to 1"));
    add("activation", "Activation of the feed-forward network")
        ->check(CLI::IsMember({"relu", "gelu", "gelu_new", "silu"}));
    add("tokenizer", "Tokenizer file; for word lists, white_space or basic_english");
    add("source_vocabulary", "Word list of the source, one word per line");
    add("target_vocabulary", "Word list of the target, one word per line");
    add("tokenizer_pattern", "Regular expression whose matches are the tokens; . for characters");
    for (const char* key : {"start_id", "end_id", "pad_id", "unknown_id"})
        add(key, "A special token's id")
            ->check(plainNumber<std::int64_t>(0, std::numeric_limits<std::int64_t>::max(), "an id"));
    add("source_language", "Source language, for models with language tokens");
    add("target_language", "Target language, for models with language tokens");
    add("source_prefix", "Ids that the tokenizer adds before the source")->check(idList());
    add("source_suffix", "Ids that the tokenizer adds after the source")->check(idList());
}

engine::ModelSource ModelOptions::source() const {
    engine::ModelSource source{.path = resolveModel(model)};
    for (const auto& [key, value] : settings)
        if (!value.empty())
            source.settings.push_back({key, key == "base" ? resolveModel(value).string() : value});
    return source;
}

void DecodingOptions::addTo(CLI::App& command) {
    addSearchTo(command);
    command.add_option("--pad-source", padSource, "Number of pad tokens after the source")
        ->check(wholeNumber(0, longest))
        ->group(groups::decoding);
    command.add_option("--pad-target", padTarget, "Number of pad tokens after the target")
        ->check(wholeNumber(0, longest))
        ->group(groups::decoding);
}

void DecodingOptions::addSearchTo(CLI::App& command) {
    const std::string group = groups::decoding;
    constexpr int widest = 1000;
    command.add_option("--beam", beam, "Beam width; 1 is greedy (default: the model's, or 1)")
        ->check(wholeNumber(1, widest))
        ->group(group);
    command
        .add_option("--length-penalty", lengthPenalty,
                    "A in: score = log-probability / length^A (default: the model's, or 0)")
        ->check(plainNumber(-100.0, 100.0, "a number from -100 to 100"))
        ->group(group);
    command
        .add_option("--max-length", maximumLength,
                    "Maximum number of generated tokens (default: the model's, or 60)")
        ->check(wholeNumber(1, longest))
        ->group(group);
    command.add_option("--min-length", minimumLength, "Minimum number of target tokens before the end token")
        ->check(wholeNumber(0, longest))
        ->group(group);
    command.add_option("--no-repeat", noRepeat, "Never repeat a sequence of N tokens")
        ->check(wholeNumber(0, longest))
        ->group(group);
    addSamplingTo(command, group);
}

void DecodingOptions::addSamplingTo(CLI::App& command, const std::string& group) {
    auto* sampling =
        command.add_flag("--sample", sample, "Sample tokens instead of choosing the most probable")
            ->group(group);
    command.add_option("--temperature", temperature, "Below 1 sharpens the distribution (default: 1)")
        ->check(plainNumber(1e-6, 1e6, "a number above 0"))
        ->needs(sampling)
        ->group(group);
    command.add_option("--top-k", topK, "Sample from the K most probable tokens")
        ->check(wholeNumber(1, longest))
        ->needs(sampling)
        ->group(group);
    command.add_option("--top-p", topP, "Sample from the smallest set of tokens with this total probability")
        ->check(plainNumber(1e-9, 1.0, "a number above 0, up to 1"))
        ->needs(sampling)
        ->group(group);
    command.add_option("--seed", seed, "Seed of the sampling (default: 0)")
        ->check(seedNumber())
        ->needs(sampling)
        ->group(group);
}

void DecodingOptions::check() const {
    if (sample && beam.value_or(1) > 1)
        throw CLI::ValidationError("--sample", "expected --sample or a --beam above 1, not both");
}

trace::Decoding DecodingOptions::decoding(const trace::ModelSummary& model) const {
    auto decoding = model.decoding;
    decoding.sample = sample;
    decoding.beam = sample ? 1 : beam.value_or(decoding.beam);
    decoding.lengthPenalty = lengthPenalty.value_or(decoding.lengthPenalty);
    decoding.minimumLength = minimumLength.value_or(decoding.minimumLength);
    decoding.noRepeat = noRepeat.value_or(decoding.noRepeat);
    decoding.temperature = temperature.value_or(decoding.temperature);
    decoding.topK = topK.value_or(decoding.topK);
    decoding.topP = topP.value_or(decoding.topP);
    decoding.seed = seed.value_or(decoding.seed);
    return decoding;
}

void InputOptions::addTo(CLI::App& command) {
    const auto group = groups::input;
    command.add_option("--source", source, "The sentence")->group(group);
    command.add_option("--second", second, "The second text of a pair")->group(group);
    addIdsTo(command);
    command
        .add_option("--source-embeddings", sourceEmbeddings,
                    "An .npy file of shape [S, d_model], positions included")
        ->group(group);
    command.add_option("--target", target, "Force this target and decode nothing after it")->group(group);
    command
        .add_option("--target-ids", targetIds, "Exact ids for the decoder, beginning with the start token")
        ->check(idList())
        ->group(group);
    command.add_flag("--continue", goOn, "Continue decoding after a forced target")->group(group);
}

void InputOptions::addIdsTo(CLI::App& command) {
    command.add_option("--source-ids", sourceIds, "Exact ids for the encoder, or of the prompt")
        ->check(idList())
        ->group(groups::input);
    command.add_option("--source-segments", sourceSegments, "The segment of each id (default: all 0)")
        ->check(idList())
        ->group(groups::input);
}

void InputOptions::checkIds(const CLI::App& command) const {
    const bool areGiven = command.count("--source-ids") > 0;
    if (command.count("--source-segments") > 0 && !areGiven)
        throw CLI::ValidationError("--source-segments", "expected --source-ids, which they belong to");
    for (const char* text : {"TEXT", "--input", "--second"})
        if (areGiven && command.get_option_no_throw(text) && command.count(text) > 0)
            throw CLI::ValidationError("INPUT", std::string("expected one of ") + text +
                                                    " and --source-ids, not both");
}

void InputOptions::check(const CLI::App& command) const {
    const auto given = [&](const char* option) { return command.count(option) > 0; };
    if (given("--source") + given("--source-ids") + given("--source-embeddings") != 1)
        throw CLI::ValidationError("INPUT",
                                   "expected exactly one of --source, --source-ids, --source-embeddings");
    if (given("--source-embeddings") && sourceEmbeddings.empty())
        throw CLI::ValidationError("--source-embeddings", "expected a file's path");
    if (given("--second") && !given("--source"))
        throw CLI::ValidationError("--second", "expected the first text of the pair, --source");
    checkIds(command);
    if (given("--target") && given("--target-ids"))
        throw CLI::ValidationError("INPUT", "expected one of --target and --target-ids, not both");
    if (goOn && !given("--target") && !given("--target-ids"))
        throw CLI::ValidationError("--continue", "expected a forced target to go on from");
}

trace::Source InputOptions::sourceValue() const {
    if (!sourceIds.empty())
        return trace::SourceIds{.ids = parseIds("--source-ids", sourceIds),
                                .segments = sourceSegments.empty()
                                                ? std::vector<std::int64_t>()
                                                : parseIds("--source-segments", sourceSegments)};
    if (!sourceEmbeddings.empty())
        return trace::SourceEmbeddings{readEmbeddings(sourceEmbeddings)};
    return source;
}

trace::DecodePath InputOptions::path(int newTokens) const {
    trace::DecodePath path{.newTokens = newTokens};
    if (!targetIds.empty())
        path.forced = trace::TargetIds{parseIds("--target-ids", targetIds)};
    else if (target)
        path.forced = *target;
    if (!std::holds_alternative<std::monostate>(path.forced) && !goOn)
        path.newTokens = 0;
    return path;
}

std::string commandFor(const trace::ModelSummary& model) {
    if (model.decoderLayers > 0)
        return model.isDecoderAlone() ? "generate" : "translate";
    return model.hasNoHead() ? "trace" : "predict";
}

std::unique_ptr<engine::Engine> startEngine(const CommonOptions& options) {
    return withTraces(loadEngine(options.engineOptions()));
}

} // namespace headscope::app
