#pragma once

#include "model/checkpoint/settings.h"
#include "model/trace/refusal.h"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headscope::checkpoint {

/// How one program names the tensors of its transformer, and what its code does that the tensors do not say.
/// Read from a table (a JSON file in a families folder), so that a new family needs no new program.
struct Family {
    std::string key;
    std::string title;
    std::filesystem::path ownTable;        ///< path of the user's own table; empty if bundled
    std::vector<std::string> recognisedBy; ///< a file that has all of these ...
    std::vector<std::string> lacks;        ///< ... and none of these is of this family

    /// Role -> tensor name, both with "{layer}" where a layer's number stands. Roles are those that
    /// network::Transformer asks for; a bias that is not listed is one the family does not have.
    std::map<std::string, std::string> tensors;
    std::vector<std::string> tied;     ///< roles that may be one tensor: any of them stands for a missing one
    std::vector<std::string> optional; ///< role patterns that a file may lack; "*.bias" stands for every bias
    std::map<std::string, std::string> settings; ///< defaults: what the program's code fixes
    /// Setting -> keys of the program's own config.json that say it, the first that is there counts.
    std::map<std::string, std::vector<std::string>> configKeys;

    /// The tensor of a role such as "encoder.2.self.query.weight"; nothing if the family has no such role.
    /// "name[1/3]" is the second third of the tensor's rows.
    std::optional<std::string> tensorName(const std::string& role) const;
    bool isOptional(const std::string& role) const;
    /// Whether two roles are one tensor in every checkpoint of the family.
    bool shareTensor(const std::string& role, const std::string& other) const;
};

/// Reads one table. "modules" is short for "tensors": a linear map's role stands for its weight and bias, a
/// norm's for its gain and bias, with the endings of "norm_endings" (usually weight and bias); "no_bias"
/// lists modules without one. Throws trace::Refusal naming `where`.
Family parseFamily(const std::string& json, const std::string& where);

/// Every *.json of the folders, the bundled one first; a later folder's family replaces an earlier one of the
/// same key. Folders that do not exist are skipped. A table that cannot be used is left out and added to
/// `broken`, so that it stops no model of another family.
std::vector<Family> loadFamilies(const std::vector<std::filesystem::path>& folders,
                                 std::vector<trace::RefusalText>& broken);

/// The family called `key`, or the one that recognises the names. Throws trace::Refusal with what is nearest.
const Family& chooseFamily(const std::vector<Family>& families, const std::optional<Settings::Value>& key,
                           const std::set<std::string>& names, const std::string& where);

} // namespace headscope::checkpoint
