#include "model/files/marian_options.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

#include "model/files/folder.h"
#include "model/files/yaml.h"

namespace headscope::files {

namespace {

using nlohmann::json;

constexpr std::string_view optionsName = "special:model.yml";
constexpr float neverChosen = -200; ///< its exponential is 0

/// What the operations of a sublayer are without dropout, which only training has.
std::string withoutDropout(const json& options, const char* key) {
    auto operations =
        options.contains(key) && options[key].is_string() ? options[key].get<std::string>() : "";
    std::erase(operations, 'd');
    return operations;
}

/// Appends a row to a matrix, or an element to a vector; all of it has the value.
void append(StoredTensor& tensor, std::size_t dimension, float value) {
    auto shape = tensor.shape;
    ++shape[dimension];
    const auto before = tensor.bytes->size() - tensor.offset;
    const auto added = *checkedProduct(shape) * sizeof value - before;
    FileBytes bytes(before + added);
    std::memcpy(bytes.data(), tensor.bytes->data() + tensor.offset, before);
    for (std::size_t at = before; at < bytes.size(); at += sizeof value)
        std::memcpy(bytes.data() + at, &value, sizeof value);
    tensor.shape = shape;
    tensor.strides = contiguousStrides(shape);
    tensor.offset = 0;
    tensor.bytes = std::make_shared<const FileBytes>(std::move(bytes));
}

/// Says which of the vocabularies that the model was trained with lie beside it, by their plain names.
void addVocabularies(TensorFile& file, const json& options, const std::string& where) {
    const auto found = options.find("vocabs");
    if (found == options.end() || !found->is_array())
        return;
    for (std::size_t i = 0; i < std::min<std::size_t>(found->size(), 2); ++i)
        if (const auto& path = (*found)[i]; path.is_string()) {
            const auto name = std::filesystem::path(path.get<std::string>()).filename();
            if (isFile(std::filesystem::path(where).parent_path() / name))
                file.values["vocabularies." + std::to_string(i)] = json(name.string()).dump();
        }
}

void addStart(TensorFile& file) {
    for (auto& tensor : file.tensors) {
        if (tensor.type != ElementType::Float32 || tensor.shape.size() != 2)
            continue; // quantised: refused where it is read
        const bool isTable = tensor.name == "Wemb" || tensor.name == "encoder_Wemb" ||
                             tensor.name == "decoder_Wemb" || tensor.name == "decoder_ff_logit_out_Wt";
        if (isTable && tensor.name != "encoder_Wemb")
            file.values["start_id"] = std::to_string(tensor.shape[0]);
        if (isTable)
            append(tensor, 0, 0);
        if (tensor.name == "decoder_ff_logit_out_b" && tensor.shape[0] == 1)
            append(tensor, 1, neverChosen);
    }
}

} // namespace

void takeMarianOptions(TensorFile& file, const std::string& where) {
    const auto found = std::ranges::find(file.tensors, optionsName, &StoredTensor::name);
    if (found == file.tensors.end() || sizeOf(found->type) != 1)
        return;
    std::string text(reinterpret_cast<const char*>(found->bytes->data()), found->bytes->size());
    while (text.ends_with('\0'))
        text.pop_back();
    const auto options = parseYaml(text, where + ", " + std::string(optionsName));
    file.tensors.erase(found);
    if (!options.is_object())
        return;
    for (const auto& [key, value] : options.items())
        file.values[key] = value.dump();
    file.values["norms"] = json(withoutDropout(options, "transformer-preprocess") + "|" +
                                withoutDropout(options, "transformer-postprocess"))
                               .dump();
    addVocabularies(file, options, where);
    addStart(file);
}

} // namespace headscope::files
