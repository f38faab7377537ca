#pragma once

#include "model/checkpoint/settings.h"
#include "model/trace/refusal.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headscope::checkpoint {

/// A model family: the tensor names of one training program, and the properties fixed by its code. Read from
/// a table (a JSON file in a families folder), so that new families need no code.
struct Family {
    std::string key;
    std::string title;
    std::filesystem::path ownTable; ///< path of the user's own table; empty if bundled
    /// Values of "model_type" in a config.json that name the family; they take precedence over tensor names.
    std::vector<std::string> modelTypes;
    std::vector<std::string> recognisedBy; ///< a file belongs to the family if it has all these tensors ...
    std::vector<std::string> lacks;        ///< ... and none of these
    /// Some of these matrices' names in other programs stand for the transposed ones.
    std::vector<std::string> tall; ///< matrices that have more rows than columns in files of the family
    std::vector<std::string> wide; ///< matrices that have more columns than rows
    /// Beginnings of tensor names that a file may have or lack, such as "transformer."; the names in this
    /// table have none.
    std::vector<std::string> prefixes;
    /// Endings of older tensor names -> those of this table, such as ".gamma" -> ".weight".
    std::map<std::string, std::string> olderEndings;
    /// Values that "architectures" in a config.json may begin with; empty: any.
    std::vector<std::string> architectures;
    /// Key of the configuration, or "object.key", or of the checkpoint's values -> the only value, as JSON,
    /// that the network can compute; a key may be missing.
    std::map<std::string, std::string> required;
    std::vector<std::string> ignored; ///< names of stored tensors that are not used, with "{layer}" or ".*"

    int firstLayer = 0; ///< what the number of the first layer is in tensor names
    /// Name of the program's own configuration, if it is none of Hugging Face: "*" stands for the name of the
    /// weights.
    std::string configFile;

    /// Role -> tensor name, with "{layer}" in place of a layer number and "{expert}" in place of an expert's.
    /// Roles are defined by network::Transformer; the family has no bias that is not listed.
    std::map<std::string, std::string> tensors;
    std::set<std::string> names;       ///< of the stored tensors in `tensors`
    std::vector<std::string> tied;     ///< roles that may share a tensor: each can replace a missing one
    std::vector<std::string> optional; ///< roles and patterns that a file may lack; "*.bias" means every bias
    std::map<std::string, std::string> settings; ///< defaults fixed by the program's code
    /// Setting -> keys of the program's own config.json, in order of precedence; "object.key" is a key within
    /// an object.
    std::map<std::string, std::vector<std::string>> configKeys;
    /// Setting -> paths of what a checkpoint holds beside its tensors (files::TensorFile::values), such as
    /// "model_args.n_head".
    std::map<std::string, std::vector<std::string>> checkpointKeys;
    /// Setting -> a value in the program's words -> the same in ours, for those keys; "*" stands for any
    /// text.
    std::map<std::string, std::map<std::string, std::string>> words;

    /// Returns the tensor name of a role such as "encoder.2.self.query.weight"; empty if the family lacks the
    /// role. "name[1/3]" means the second third of the tensor's rows, "name^T" the transposed tensor,
    /// "name^T[1/3]" the second third of its columns, transposed; for parts by heads see TensorPart.
    std::optional<std::string> tensorName(const std::string& role) const;
    bool isOptional(const std::string& role) const;
    /// Returns a name in a file without its prefix and with the newer ending.
    std::string withoutPrefix(const std::string& name) const;
    /// Whether the table has a tensor of this name, in any layer; `name` without prefix.
    bool knows(const std::string& name) const;
    /// Whether a stored tensor is no parameter, such as a mask; `name` without prefix.
    bool isIgnored(const std::string& name) const;
    /// Whether the family has a stack: "encoder" or "decoder".
    bool hasStack(const std::string& stack) const {
        return tensorName(stack + ".0.self.query.weight").has_value();
    }
    /// Name of the stack whose first layer tells the sizes: "encoder", or "decoder" of a decoder alone.
    std::string firstStack() const { return hasStack("encoder") ? "encoder" : "decoder"; }
    /// Whether all layers of the encoder have the same weights, in every checkpoint of the family.
    bool sharesLayers() const {
        return shareTensor("encoder.0.self.query.weight", "encoder.1.self.query.weight");
    }
    /// Whether two roles share one tensor in every checkpoint of the family.
    bool shareTensor(const std::string& role, const std::string& other) const;
};

/// Parses one table. "modules" is a shorthand for "tensors": a linear layer's role stands for its weight and
/// bias, a norm's role for its gain and bias with the suffixes in "norm_endings" (default: weight and bias);
/// "no_bias" lists modules without bias. Throws trace::Refusal naming `where`.
Family parseFamily(const std::string& json, const std::string& where);

/// Loads every *.json of the folders, the bundled folder first. A family in a later folder replaces an
/// earlier one with the same key. Missing folders are skipped. Invalid tables are skipped and reported in
/// `broken`, so that they do not affect models of other families.
std::vector<Family> loadFamilies(const std::vector<std::filesystem::path>& folders,
                                 std::vector<trace::RefusalText>& broken);

using TensorShapes = std::map<std::string, std::vector<std::int64_t>>; ///< by the tensors' names

/// What a checkpoint tells about its family.
struct FamilyHints {
    std::optional<Settings::Value> key;       ///< named by the user or the folder
    std::optional<Settings::Value> modelType; ///< "model_type" of the config.json
    TensorShapes shapes;
};
/// Returns the family called `key`, else the one with the model type, of several the one that recognises the
/// tensors; else the first one that recognises them as they are, else the one that knows most of their names
/// without the network's prefix (networkPrefix()), and that belongs to no other model type. Throws
/// trace::Refusal that names the nearest family, and what is missing and unknown.
const Family& chooseFamily(const std::vector<Family>& families, const FamilyHints& hints,
                           const std::string& where);

} // namespace headscope::checkpoint
