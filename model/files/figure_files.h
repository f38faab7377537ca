#pragma once

#include "model/trace/figure_data.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace headscope::files {

/// What data says of itself: names such as "Source" with their texts, in order.
using DataNotes = std::vector<std::pair<std::string, std::string>>;

/// The endings that can be written, the one to offer first at the front: ".csv", ".json", ".npz", ".npy",
/// ".safetensors".
const std::vector<std::string>& dataEndings();
/// The file's ending is one of them, in small letters or large ones.
bool isDataFile(const std::filesystem::path& path);

/// The files that saveFigureData() would write, of which it would refuse none for what it is called or holds.
/// Throws trace::Refusal.
std::vector<std::filesystem::path> figureDataFiles(const std::filesystem::path& path,
                                                   const trace::FigureData& data);

/// Writes the data behind a figure in the format of the ending, each file atomically and none of several
/// before all are on the disk, and returns the paths.
/// CSV and NPY hold one part a file: where there are several, their names come behind the file's ("map.csv",
/// "map-received.csv"). All numbers are written with all their digits (NPY, NPZ and safetensors: float64).
/// Throws trace::Refusal.
std::vector<std::filesystem::path> saveFigureData(const std::filesystem::path& path,
                                                  const trace::FigureData& data, const DataNotes& notes);

/// JSON: {"notes": {...}, "arrays": [{"name", "axes": [{"name", "labels"}], "shape", "values"}],
/// "tables": [{"name", "columns": [{"title", "values"}]}]}. Values are row-major; null: no number;
/// "Infinity" and "-Infinity" are texts.
std::string figureJson(const trace::FigureData& data, const DataNotes& notes, bool withNumbers);

} // namespace headscope::files
