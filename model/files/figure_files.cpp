#include "model/files/figure_files.h"

#include "model/files/atomic_file.h"
#include "model/files/csv.h"
#include "model/files/npy.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <deque>
#include <span>

namespace headscope::files {

namespace {

using Json = nlohmann::ordered_json;
using Column = std::vector<double>;
using Paths = std::vector<std::filesystem::path>;

Json toJson(const std::vector<double>& numbers) {
    Json list = Json::array();
    for (const double number : numbers)
        list.push_back(std::isfinite(number) ? Json(number)
                       : std::isnan(number)  ? Json()
                                             : Json(number > 0 ? "Infinity" : "-Infinity"));
    return list;
}

Json toJson(const std::vector<std::string>& texts) {
    return texts;
}

NamedArray doubles(std::string name, const std::vector<std::size_t>& shape, std::span<const double> values) {
    NamedArray array{.name = std::move(name), .type = ElementType::Float64};
    array.shape.assign(shape.begin(), shape.end());
    array.bytes.resize(values.size_bytes());
    if (!values.empty())
        std::memcpy(array.bytes.data(), values.data(), values.size_bytes());
    return array;
}

/// Replaces slashes, which would create folders.
std::string partName(std::string name) {
    std::replace(name.begin(), name.end(), '/', '-');
    return name;
}

std::vector<NamedArray> arraysOf(const trace::FigureData& data) {
    std::vector<NamedArray> arrays;
    for (const auto& array : data.arrays)
        arrays.push_back(doubles(partName(array.name), array.shape, array.values));
    for (const auto& table : data.tables)
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (const auto* numbers = std::get_if<Column>(&table.columns[i].values))
                arrays.push_back(
                    doubles(partName(table.name) + "/" + std::to_string(i), {numbers->size()}, *numbers));
    return arrays;
}

/// Keeps letters, digits, '.' and '_', which every file system accepts; other characters become dashes.
std::string fileName(const std::string& part) {
    std::string name;
    for (const char c : part) {
        const bool isPlain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
        if (isPlain || (!name.empty() && name.back() != '-'))
            name += isPlain ? c : '-';
    }
    return name.substr(0, name.find_last_not_of('-') + 1);
}

/// "map-received.csv"; a number is appended if the name is among `others`.
std::filesystem::path pathOfPart(const std::filesystem::path& path, const std::string& name,
                                 const Paths& others) {
    const auto named = [&](const std::string& part) {
        return path.parent_path() / (path.stem().string() + "-" + part + path.extension().string());
    };
    auto free = named(fileName(name));
    for (int number = 2; std::find(others.begin(), others.end(), free) != others.end(); ++number)
        free = named(fileName(name) + "-" + std::to_string(number));
    return free;
}

/// Paths of all parts in writing order. A single part uses `path` itself.
Paths pathsOfParts(const std::filesystem::path& path, const trace::FigureData& data) {
    if (data.arrays.size() + data.tables.size() == 1)
        return {path};
    Paths paths;
    const auto add = [&](const auto& part) { paths.push_back(pathOfPart(path, part.name, paths)); };
    std::for_each(data.arrays.begin(), data.arrays.end(), add);
    std::for_each(data.tables.begin(), data.tables.end(), add);
    return paths;
}

/// None of the files is replaced before the contents of all are written.
void saveCsv(const Paths& paths, const trace::FigureData& data) {
    std::deque<AtomicFile> files;
    const auto write = [&](const auto& part) {
        files.emplace_back(paths[files.size()]).write(csvText(part));
    };
    std::for_each(data.arrays.begin(), data.arrays.end(), write);
    std::for_each(data.tables.begin(), data.tables.end(), write);
    for (auto& file : files)
        file.commit();
}

/// Lower case.
std::string endingOf(const std::filesystem::path& path) {
    auto ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

} // namespace

const std::vector<std::string>& dataEndings() {
    static const std::vector<std::string> endings{".csv", ".json", ".npz"};
    return endings;
}

bool isDataFile(const std::filesystem::path& path) {
    return std::find(dataEndings().begin(), dataEndings().end(), endingOf(path)) != dataEndings().end();
}

std::string figureJson(const trace::FigureData& data, const DataNotes& notes, bool withNumbers) {
    Json all{{"notes", Json::object()}, {"arrays", Json::array()}, {"tables", Json::array()}};
    for (const auto& [name, text] : notes)
        all["notes"][name] = text;
    for (const auto& array : data.arrays) {
        Json axes = Json::array();
        for (const auto& axis : array.axes)
            axes.push_back(
                {{"name", axis.name}, {"labels", axis.labels.empty() ? Json() : Json(axis.labels)}});
        Json entry{{"name", array.name}, {"axes", axes}, {"shape", array.shape}};
        if (withNumbers)
            entry["values"] = toJson(array.values);
        all["arrays"].push_back(std::move(entry));
    }
    for (const auto& table : data.tables) {
        Json columns = Json::array();
        for (const auto& column : table.columns) {
            Json entry{{"title", column.title}};
            if (withNumbers || !std::holds_alternative<Column>(column.values))
                entry["values"] =
                    std::visit([](const auto& values) { return toJson(values); }, column.values);
            columns.push_back(std::move(entry));
        }
        all["tables"].push_back({{"name", table.name}, {"columns", columns}});
    }
    return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Paths figureDataFiles(const std::filesystem::path& path, const trace::FigureData& data) {
    if (data.empty())
        throw trace::Refusal({.what = "There are no numbers to save behind this view",
                              .where = path.string(),
                              .wayOut = "choose another view"});
    if (!isDataFile(path))
        throw trace::Refusal({.what = "Data cannot be written in this format",
                              .where = path.string(),
                              .expected = "a name that ends in .csv, .json or .npz",
                              .found = path.extension().string(),
                              .wayOut = "choose one of these endings"});
    return endingOf(path) == ".csv" ? pathsOfParts(path, data) : Paths{path};
}

Paths saveFigureData(const std::filesystem::path& path, const trace::FigureData& data,
                     const DataNotes& notes) {
    auto paths = figureDataFiles(path, data);
    const auto ending = endingOf(path);
    if (ending == ".csv")
        saveCsv(paths, data);
    else if (ending == ".json")
        saveAtomically(path, figureJson(data, notes, true));
    else
        saveNpz(path, arraysOf(data), {{"figure.json", figureJson(data, notes, false)}});
    return paths;
}

} // namespace headscope::files
