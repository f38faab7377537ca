#include "app/cli/command.h"
#include "app/cli/picture_options.h"

#include "app/command_line_text.h"
#include "app/traces/read_trace.h"
#include "app/traces/trace_fields.h"
#include "model/trace/joined.h"
#include "model/trace/kernels.h"
#include "model/trace/recorded_runs.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>

namespace headscope::app {

namespace {

using nlohmann::ordered_json;

ordered_json optionalId(const std::optional<std::int64_t>& id) {
    return id ? ordered_json(*id) : ordered_json();
}

/// False if a trace of another program does not state a size of its model.
bool isSaid(const trace::ModelSummary& model, std::int64_t size) {
    return size != 0 || !model.recorded;
}

ordered_json toJson(const trace::ModelSummary& model) {
    const auto said = [&](std::int64_t size) {
        return isSaid(model, size) ? ordered_json(size) : ordered_json();
    };
    ordered_json flags;
    for (const auto& [key, value] : model.architecture)
        flags[key] = value;
    const auto& special = model.special;
    return {{"name", model.name},
            {"path", model.path},
            {"family", model.family},
            {"family_title", model.familyTitle},
            {"family_table", model.familyTable.empty() ? ordered_json() : ordered_json(model.familyTable)},
            {"links", model.links.empty() ? ordered_json::object()
                                          : ordered_json(std::map(model.links.begin(), model.links.end()))},
            {"architecture", flags},
            {"encoder_layers", model.encoderLayers},
            {"decoder_layers", model.decoderLayers},
            {"encoder_heads", model.encoderHeads},
            {"decoder_heads", model.decoderHeads},
            {"d_model", said(model.modelWidth)},
            {"d_ff", said(model.feedForwardWidth)},
            {"d_k", said(model.headWidth)},
            {"source_vocabulary", said(model.sourceVocabulary)},
            {"target_vocabulary", said(model.targetVocabulary)},
            {"classes", model.classes},
            {"separate_classes", model.areClassesSeparate},
            {"numbers", model.numbers},
            {"token_labels", model.tokenLabels},
            {"class_labels", model.classLabels},
            {"head_left_out", model.otherHead.empty() ? ordered_json() : ordered_json(model.otherHead)},
            {"maximum_positions", model.maximumPositions},
            {"stated_positions", model.statedPositions},
            {"parameters", said(model.parameters)},
            {"bytes", said(model.bytes)},
            {"maps", {{"tokens", said(model.mapTokens)}, {"bytes", said(model.mapBytes)}}},
            {"tokenizer", model.tokenizer.empty() ? ordered_json() : ordered_json(model.tokenizer)},
            {"special_tokens",
             {{"start", optionalId(special.start)},
              {"end", optionalId(special.end)},
              {"further_ends", special.furtherEnds},
              {"padding", optionalId(special.padding)},
              {"unknown", optionalId(special.unknown)},
              {"mask", optionalId(special.mask)},
              {"source_prefix", special.sourcePrefix},
              {"source_suffix", special.sourceSuffix}}},
            {"source_language", model.sourceLanguage},
            {"target_language", model.targetLanguage},
            {"languages", model.languages},
            {"label_smoothing", model.labelSmoothing},
            {"decoding",
             {{"beam", model.decoding.beam},
              {"length_penalty", model.decoding.lengthPenalty},
              {"max_length", model.newTokens},
              {"forbidden", model.decoding.forbidden},
              {"forced_first", optionalId(model.decoding.forcedFirst)},
              {"forced_end", optionalId(model.decoding.forcedEnd)},
              {"suppressed", model.decoding.suppressed},
              {"suppressed_first", model.decoding.suppressedFirst},
              {"repetition_penalty", model.decoding.repetitionPenalty},
              {"not_followed", model.unusedGeneration}}},
            {"ignored_tensors", model.ignoredTensors},
            {"notes", model.notes},
            {"attribution", model.attribution}};
}

std::string idText(const std::optional<std::int64_t>& id) {
    return id ? std::to_string(*id) : "-";
}

std::string idsText(const std::vector<std::int64_t>& ids) {
    std::string text;
    for (const auto id : ids)
        text += (text.empty() ? "" : ",") + std::to_string(id);
    return text.empty() ? "-" : text;
}

/// Names of the arrays in a trace file.
std::vector<std::string> arraysOf(const trace::Run& run) {
    const auto file = TraceFile::open(run.model->path, {});
    std::vector<std::string> names;
    for (const auto& entry : file->header().entries)
        names.push_back(entry.name);
    std::ranges::sort(names);
    return names;
}

/// Interventions as command line options.
std::vector<std::string> changesOf(const trace::Request& request) {
    auto changes = changeWords(request.interventions);
    if (request.randomTwin)
        changes.push_back("--random-twin=" + std::to_string(*request.randomTwin));
    return changes;
}

ordered_json toJson(const Trace& trace, const std::stop_token& stop) {
    const auto& run = *trace.run;
    const auto* sentence = std::get_if<std::string>(&run.request.source);
    const auto twin = trace::recordedTwin(*run.model);
    return {{"source", sentence ? ordered_json(*sentence) : ordered_json()},
            {"output", run.output},
            {"source_tokens", run.source.size()},
            {"target_tokens", run.target.size()},
            {"changes", changesOf(run.request)},
            {"undisturbed", trace::holdsOriginal(*run.model)},
            {"twin", twin ? ordered_json(*twin) : ordered_json()},
            {"self_check", selfCheckJson(run.selfCheck)},
            {"arrays", arraysOf(run)},
            {"views", viewsOfTrace(trace, stop)}};
}

void line(const std::string& label, const std::string& value) {
    std::cout << label << std::string(label.size() < 22 ? 22 - label.size() : 1, ' ') << value << '\n';
}

void printSelfCheck(const trace::SelfCheck& check) {
    line("self-check", std::string(nameOf(check.state())));
    for (const auto& [finding, key] : checkNames) {
        const auto& [state, largest, limit] = check.*finding;
        std::ostringstream words;
        words << nameOf(state);
        if (state == trace::CheckState::Ok || state == trace::CheckState::Failed)
            words << ", largest deviation " << largest << ", limit " << limit;
        std::string name(key);
        std::ranges::replace(name, '_', ' ');
        line("  " + name, words.str());
    }
    if (!check.kernels.empty())
        line("  kernels", check.kernels);
}

void print(const Trace& trace, const std::stop_token& stop) {
    const auto& run = *trace.run;
    line("trace", "one run of the model below, without the model");
    if (const auto* sentence = std::get_if<std::string>(&run.request.source))
        line("sentence", *sentence);
    if (!run.output.empty())
        line("output", run.output);
    line("tokens",
         std::to_string(run.source.size()) + " source, " + std::to_string(run.target.size()) + " target");
    printSelfCheck(run.selfCheck);
    for (const auto& change : changesOf(run.request))
        line("changed", shellQuoted(change));
    if (trace::holdsOriginal(*run.model))
        line("beside it", "the run without its changes");
    if (const auto twin = trace::recordedTwin(*run.model))
        line("beside it", "the random twin of seed " + std::to_string(*twin));
    auto arrays = arraysOf(run);
    std::erase_if(arrays, [](const auto& name) { return name.starts_with("beside/"); }); // printed above
    line("arrays", trace::joined(arrays));
    line("views", trace::joined(viewsOfTrace(trace, stop)));
}

void print(const trace::ModelSummary& model) {
    line("model", model.name);
    line("file", model.path);
    line("family", model.family.empty() ? model.familyTitle : model.family + " (" + model.familyTitle + ")");
    if (!model.familyTable.empty())
        line("family table", model.familyTable + " (your own)");
    for (const auto& [name, target] : model.links)
        line("link", name + " leads to " + target);
    line("layers", std::to_string(model.encoderLayers) + " encoder, " + std::to_string(model.decoderLayers) +
                       " decoder");
    line("heads",
         std::to_string(model.encoderHeads) + " encoder, " + std::to_string(model.decoderHeads) + " decoder");
    const auto said = [&](std::int64_t size) {
        return isSaid(model, size) ? std::to_string(size) : "not recorded";
    };
    line("d_model, d_ff, d_k",
         said(model.modelWidth) + ", " + said(model.feedForwardWidth) + ", " + said(model.headWidth));
    line("vocabulary", said(model.sourceVocabulary) + " source, " + said(model.targetVocabulary) + " target");
    for (const auto& [name, count] :
         {std::pair(model.areClassesSeparate ? "labels of a text" : "classes", model.classes),
          std::pair("numbers", model.numbers), std::pair("labels of a token", model.tokenLabels)}) {
        const std::string names = trace::joined(model.classLabels);
        if (count > 0)
            line(name, std::to_string(count) + (names.empty() ? "" : ": " + names));
    }
    if (!model.otherHead.empty())
        line("head", model.otherHead + " is not supported: opened without it");
    line("positions", model.maximumPositions > 0  ? std::to_string(model.maximumPositions)
                      : model.statedPositions > 0 ? std::to_string(model.statedPositions) +
                                                        " according to its files; longer texts are read, too"
                      : isSaid(model, model.modelWidth) ? "not limited"
                                                        : "not recorded");
    line("parameters", said(model.parameters));
    const auto megabytes = [](std::int64_t bytes) {
        return std::to_string((bytes + 500'000) / 1'000'000) + " MB";
    };
    line("memory", isSaid(model, model.bytes) ? megabytes(model.bytes) : "not recorded");
    if (model.mapTokens > 0)
        line("  maps", "about " + megabytes(model.mapBytes) + " more for " + std::to_string(model.mapTokens) +
                           " tokens");
    for (const auto& [key, value] : model.architecture)
        line("  " + key, value);
    line("tokenizer", !model.tokenizer.empty() ? model.tokenizer
                      : model.recorded         ? "not recorded"
                                               : "none: takes ids");
    const auto& special = model.special;
    line("special tokens",
         "start " + idText(special.start) + ", end " + idText(special.end) +
             (special.furtherEnds.empty() ? "" : "," + idsText(special.furtherEnds)) + ", padding " +
             idText(special.padding) + ", unknown " + idText(special.unknown) +
             (special.mask ? ", mask " + idText(special.mask) + " " + model.maskPiece : std::string()));
    if (!special.sourcePrefix.empty() || !special.sourceSuffix.empty())
        line("around the source",
             (special.sourcePrefix.empty() ? "nothing" : idsText(special.sourcePrefix)) + " before it, " +
                 (special.sourceSuffix.empty() ? "nothing" : idsText(special.sourceSuffix)) + " after it");
    if (!model.sourceLanguage.empty())
        line("languages", model.targetLanguage.empty()
                              ? model.sourceLanguage
                              : model.sourceLanguage + " to " + model.targetLanguage);
    if (model.decoderLayers > 0 && !model.recorded) // a trace is already decoded
        line("decoding", "beam " + std::to_string(model.decoding.beam) + ", at most " +
                             std::to_string(model.newTokens) + " tokens");
    if (!model.unusedGeneration.empty())
        line("not followed", model.unusedGeneration);
    for (const auto& note : model.notes)
        line("note", note);
    const auto ignored = trace::joined(model.ignoredTensors);
    line("ignored tensors", ignored.empty() ? "none" : ignored);
}

} // namespace

void addInfo(CLI::App& program, Action& chosen) {
    struct Options {
        CommonOptions common;
        ModelOptions model;
    };
    auto options = std::make_shared<Options>();
    auto* command = program.add_subcommand(
        "info", "Describes a model or a trace: sizes, architecture, tokenizer, recorded data");
    options->model.addTo(*command);
    options->common.addTo(*command);
    command->callback([options, &chosen] {
        chosen = [options](std::stop_token stop) {
            const auto source = options->model.source();
            const auto trace =
                isTrace(source.path) ? std::optional(readTrace(source.path, stop)) : std::nullopt;
            const auto engine = trace ? nullptr : startEngine(options->common);
            const auto model = trace ? trace->run->model : engine->open(source, stop);
            if (options->common.json) {
                auto json = toJson(*model);
                if (engine)
                    json.update({{"kernels", trace::nameOf(trace::kernelsInUse())},
                                 {"computes_with", engine->description()}});
                if (trace)
                    json["trace"] = toJson(*trace, stop);
                std::cout << json.dump(2, ' ', false, ordered_json::error_handler_t::replace) << '\n';
            } else {
                if (trace)
                    print(*trace, stop);
                print(*model);
                if (engine)
                    line("computes with", engine->description());
            }
            return 0;
        };
    });
}

} // namespace headscope::app
