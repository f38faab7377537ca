#include "model/checkpoint/save_model.h"

#include "model/checkpoint/configure_network.h"
#include "model/checkpoint/position_formula.h"
#include "model/checkpoint/tensor_lookup.h"
#include "model/files/atomic_file.h"
#include "model/files/available_memory.h"
#include "model/files/folder.h"
#include "model/files/read_file.h"
#include "model/files/safetensors.h"
#include "model/network/block_matrix.h"
#include "model/network/matrix_product.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <nlohmann/json.hpp>

#include <charconv>
#include <set>

namespace headscope::checkpoint {

namespace {

namespace fs = std::filesystem;

bool isPositionTable(const std::string& role) {
    return role == "source_positions" || role == "target_positions";
}

/// Joins parts so that the rows of a head, or of a group of heads, are together: [sum of the parts' rows,
/// ...].
at::Tensor interleaved(const std::vector<at::Tensor>& parts, std::int64_t units) {
    std::vector<at::Tensor> byUnit;
    for (const auto& part : parts)
        byUnit.push_back(part.unflatten(0, {units, -1})); // [units, rows of a unit, ...]
    return at::cat(byUnit, 1).flatten(0, 1);
}

/// Returns the tensors by saved name. Parts of fused tensors are joined, and transposed if the family stores
/// them so; tensors of two roles occur once.
std::map<std::string, at::Tensor> namedTensors(const ModelToSave& model, bool withPositions) {
    std::map<std::string, std::vector<at::Tensor>> parts;
    std::set<std::string> transposed;
    std::map<std::string, std::int64_t> units; // of tensors whose parts are woven
    const auto& stack = model.network.config().firstStack();
    for (const auto& [role, parameter] : model.network.parameters()) {
        if (!withPositions && isPositionTable(role))
            continue;
        const auto [name, isTransposed, part, count, division] =
            partOf(model.family.tensorName(role).value_or(role));
        parts[name].resize(count);
        // Blocks are widened when they are written, unless they are joined.
        parts[name][part] = count > 1 ? network::widened(parameter) : parameter;
        if (isTransposed)
            transposed.insert(name);
        if (division == TensorPart::Division::PerHead)
            units[name] = stack.heads;
        if (division == TensorPart::Division::PerGroup)
            units[name] = stack.sharedHeads();
    }
    std::map<std::string, at::Tensor> tensors;
    for (const auto& [name, list] : parts) {
        const auto whole = list.size() == 1       ? list.front()
                           : units.contains(name) ? interleaved(list, units.at(name))
                                                  : at::cat(list);
        tensors[name] = transposed.contains(name) ? whole.t() : whole;
    }
    return tensors;
}

at::ScalarType savedType(files::ElementType matrices) {
    switch (matrices) {
    case files::ElementType::Float16:
        return at::kHalf;
    case files::ElementType::BFloat16:
        return at::kBFloat16;
    default:
        return at::kFloat;
    }
}

void saveTensors(const ModelToSave& model, const fs::path& path, files::ElementType matrices,
                 bool withPositions, const std::stop_token& stop) {
    // Gains and biases keep full precision: they are small, and rounding them shifts every token alike.
    const auto typeOf = [&](const at::Tensor& tensor) {
        return tensor.dim() > 1 ? matrices : files::ElementType::Float32;
    };
    const auto named = namedTensors(model, withPositions);
    double needed = 0; // by tensors that are converted
    for (const auto& [name, tensor] : named)
        if (network::blocksOf(tensor) || tensor.scalar_type() != savedType(typeOf(tensor)) ||
            !tensor.is_contiguous())
            needed += static_cast<double>(tensor.numel()) * files::sizeOf(typeOf(tensor));
    if (const auto available = files::availableMemory(); available && needed > *available)
        throw files::memoryRefusal("The model could not be converted", needed,
                                   "choose the --precision of its file, or close other programs");
    std::vector<at::Tensor> kept; // keeps the bytes alive until they are written
    std::vector<files::TensorToSave> tensors;
    for (const auto& [name, tensor] : named) {
        trace::throwIfStopped(stop);
        const auto type = typeOf(tensor);
        const auto wide = network::blocksOf(tensor) ? network::widened(tensor) : tensor;
        kept.push_back(wide.to(savedType(type)).contiguous());
        const auto& saved = kept.back();
        if (type == files::ElementType::Float16 && !saved.isfinite().all().item<bool>() &&
            wide.isfinite().all().item<bool>())
            throw trace::Refusal({.what = "The model does not fit into half precision",
                                  .where = name,
                                  .expected = "numbers up to 65504",
                                  .found = "larger ones",
                                  .wayOut = "convert with --precision f32 or bf16"});
        tensors.push_back({.name = name,
                           .type = type,
                           .shape = saved.sizes().vec(),
                           .bytes = {static_cast<const std::byte*>(saved.data_ptr()), saved.nbytes()}});
    }
    // Tied tensors are stored once; as in other writers of the format, the metadata gives the stored name.
    std::map<std::string, std::string> metadata{{"format", "pt"}};
    const auto& config = model.network.config();
    const auto alias = [&](const char* role, const char* keptRole) {
        metadata[model.family.tensorName(role).value_or(role)] =
            model.family.tensorName(keptRole).value_or(keptRole);
    };
    const char* target = config.tiedSourceTarget ? "source_embedding.weight" : "target_embedding.weight";
    if (config.tiedSourceTarget)
        alias("target_embedding.weight", target);
    if (config.tiedGenerator && config.decoder.layers > 0)
        alias("generator.weight", target);
    else if (config.tiedGenerator)
        alias("masked_tokens.weight", "source_embedding.weight");
    files::saveSafetensors(path, std::move(tensors), metadata, stop);
}

/// Writes numbers as JSON numbers instead of strings, for people and other programs.
nlohmann::json jsonValue(const std::string& key, const std::string& text) {

    std::int64_t whole = 0;
    if (const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
        error == std::errc() && end == text.data() + text.size())
        return whole;
    // Only these settings are always numbers; others may name a formula or require an exact spelling.
    const bool isNumber = key.ends_with("_eps") || key == "position_base" || key == "label_smoothing";
    double number = 0;
    if (const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        isNumber && error == std::errc() && end == text.data() + text.size())
        return number;
    return text;
}

} // namespace

void prepareModelFolder(const std::vector<TokenizerFile>& tokenizerFiles, const fs::path& folder) {
    files::makeFolder(folder);
    std::set<std::string> ours{"model.safetensors", "config.json", "generation_config.json",
                               "ATTRIBUTION.txt", "samples.txt"};
    for (const auto& file : tokenizerFiles)
        ours.insert((file.folder.empty() ? file.path.filename() : file.folder).string());
    for (const auto& file : tokenizerFiles)
        if (!file.folder.empty())
            files::refuseUnlessReplaceable(folder / file.folder / file.path.filename());
    for (const auto& name : ours)
        if (!fs::is_directory(folder / name))
            files::refuseUnlessReplaceable(folder / name); // checked before any file is written
    std::string others;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (const auto name = entry.path().filename().string();
            !ours.contains(name) && !files::isUnfinished(name))
            others += (others.empty() ? "" : ", ") + name;
    if (!others.empty())
        throw trace::Refusal({.what = "The folder for the model holds other files",
                              .where = folder.string(),
                              .expected = "an empty folder, or one that this model was written to before",
                              .found = others,
                              .wayOut = "choose another folder, or remove these files"});
}

void saveModel(const ModelToSave& model, const fs::path& folder, files::ElementType matrices,
               const std::stop_token& stop) {
    const files::NewFolder removedIfEmpty(folder);
    prepareModelFolder(model.tokenizerFiles, folder);
    Settings settings = model.settings;
    settings.set("family", model.family.key, "");
    stateShape(settings, model.network.config());
    const double base = settings.number("position_base").value_or(10000);
    const auto formula =
        matrices == files::ElementType::Float32 ? std::nullopt : positionFormula(model.network, base);
    if (formula) {
        settings.set("positions", std::string(network::name(*formula)), "");
        settings.set("position_base", nlohmann::json(base).dump(), "");
    }
    if (model.family.tensorName("embedding_scale")) // saved as a setting instead of a tensor
        settings.set("embedding_scale", nlohmann::json(model.network.config().embeddingScale).dump(), "");
    // The largest file first: if the disk is full, nothing has been changed yet.
    saveTensors(model, folder / "model.safetensors", matrices, !formula, stop);
    for (const auto& [setting, path, text, inFolder] : model.tokenizerFiles) {
        const auto name = inFolder / path.filename();
        if (!inFolder.empty())
            files::makeFolder(folder / inFolder);
        files::saveAtomically(folder / name, text ? *text : files::readText(path));
        if (!setting.empty())
            settings.set(setting, name.string(), "");
    }
    if (model.attribution)
        files::saveAtomically(folder / "ATTRIBUTION.txt", files::readText(*model.attribution));
    if (!model.samples.empty())
        files::saveAtomically(folder / "samples.txt", model.samples);
    if (settings.textOr("generation", "") == "hugging-face")
        files::saveAtomically(folder / "generation_config.json", generationConfig(model.generation));
    nlohmann::ordered_json config;
    for (const auto& [key, value] : settings.all())
        if (key == "source_prefix" || key == "source_suffix")
            config[key] = settings.integers(key);
        else
            config[key] = jsonValue(key, value.text);
    files::saveAtomically(folder / "config.json", config.dump(4) + "\n");
}

} // namespace headscope::checkpoint
