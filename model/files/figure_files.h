#pragma once

#include "model/trace/figure_data.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace headscope::files {

/// Metadata of exported data: names such as "Source" with their texts, in order.
using DataNotes = std::vector<std::pair<std::string, std::string>>;

/// The supported file name extensions, the default first: ".csv", ".json", ".npz".
const std::vector<std::string>& dataEndings();
/// Whether the extension of `path` is in dataEndings(), ignoring case.
bool isDataFile(const std::filesystem::path& path);

/// Returns the files that saveFigureData() would write. Throws trace::Refusal if the format is unknown, or
/// if `data` is empty.
std::vector<std::filesystem::path> figureDataFiles(const std::filesystem::path& path,
                                                   const trace::FigureData& data);

/// Writes the data of a figure in the format given by the extension and returns the paths. Each file is
/// written atomically; of several files none is replaced before all contents are written. CSV holds
/// one array or table per file: if there are several, each name is appended to the file's
/// ("map-weights.csv", "map-received.csv"). Numbers keep full precision (NPZ: float64).
/// Throws trace::Refusal.
std::vector<std::filesystem::path> saveFigureData(const std::filesystem::path& path,
                                                  const trace::FigureData& data, const DataNotes& notes);

/// JSON: {"notes": {...}, "arrays": [{"name", "axes": [{"name", "labels"}], "shape", "values"}],
/// "tables": [{"name", "columns": [{"title", "values"}]}]}. Values are row-major; NaN is null, infinities are
/// the strings "Infinity" and "-Infinity". Without numbers, arrays and numeric columns have no "values".
std::string figureJson(const trace::FigureData& data, const DataNotes& notes, bool withNumbers);

} // namespace headscope::files
