#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::app {

/// Folder of the program's own files: next to the installed program, otherwise in the source tree.
std::filesystem::path resourceFolder();
/// Folder of the user's own files: $XDG_DATA_HOME/headscope, or ~/.local/share/headscope.
std::filesystem::path personalFolder();
/// Folders with tables of model families: the program's, then the user's.
std::vector<std::filesystem::path> familyFolders();
/// Folder of the manual's pages and pictures.
std::filesystem::path manualFolder();
/// The engine module beside this program.
std::filesystem::path engineModule();
/// The command line program beside this one.
std::filesystem::path commandLineProgram();
/// The module that draws pictures without a window; exists only if the window was built.
std::filesystem::path picturesModule();

/// Resolves a model given by path or name. An existing path takes precedence over a bundled model's name, and
/// that over a model in Hugging Face's cache, ORG/NAME (hub_cache.h); a series (model_series.h) is resolved
/// to its last snapshot.
std::filesystem::path resolveModel(const std::string& pathOrName);
/// Resolves paths and bundled names alone, and a series to its folder.
std::filesystem::path modelOrSeries(const std::string& pathOrName);
/// The inverse: returns the name of a bundled model, or the path itself.
std::filesystem::path nameOfModel(const std::filesystem::path& path);
/// English example sentences.
std::vector<std::string> sampleSentences();
/// [sampleSentences()] what each is an example of.
std::vector<std::string> samplePhenomena();
/// English sentences, enough of them for roles of heads (analysis::speaksOfCorpus()).
std::vector<std::string> sampleCorpus();
/// Names of the bundled models, the default model first.
std::vector<std::string> bundledModels();
/// Folder of a bundled model.
std::filesystem::path bundledModel(const std::string& name);

} // namespace headscope::app
