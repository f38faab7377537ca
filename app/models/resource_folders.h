#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::app {

/// Where the program's own files lie: beside the program as installed, else in the source tree it was built
/// from.
std::filesystem::path resourceFolder();
/// Where a person's own families lie: $XDG_DATA_HOME/headscope, else ~/.local/share/headscope.
std::filesystem::path personalFolder();
/// Tables of model families: the program's, then the person's own.
std::vector<std::filesystem::path> familyFolders();
/// The manual's pages and pictures.
std::filesystem::path manualFolder();
/// The engine module beside this program.
std::filesystem::path engineModule();
/// The command line program beside this one.
std::filesystem::path commandLineProgram();
/// The module that draws pictures without a window; only there where the window was built.
std::filesystem::path picturesModule();

/// A path to a model from what a person typed: an existing path wins over a bundled model's name, and a
/// series (model_series.h) is its last snapshot.
std::filesystem::path resolveModel(const std::string& pathOrName);
/// The same, of a series its folder.
std::filesystem::path modelOrSeries(const std::string& pathOrName);
/// What a person types for this path: a bundled model's name, or the path itself.
std::filesystem::path nameOfModel(const std::filesystem::path& path);
/// Sentences to begin with, in English.
std::vector<std::string> sampleSentences();
/// As many English ones as a role of a head needs behind it (analysis::speaksOfCorpus).
std::vector<std::string> sampleCorpus();
/// Names of the bundled models, the one to open first at the front.
std::vector<std::string> bundledModels();
/// The folder that it lies in.
std::filesystem::path bundledModel(const std::string& name);

} // namespace headscope::app
