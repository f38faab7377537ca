#include "app/traces/trace_file.h"

#include "app/traces/trace_fields.h"
#include "model/files/available_memory.h"
#include "model/files/file_kind.h"
#include "model/files/findings.h"
#include "model/files/npy.h"
#include "model/files/npy_header.h"
#include "model/files/zip_archive.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace headscope::app {

namespace {

using files::ZipArchive;
using files::ZipEntry;

constexpr std::string_view arrayEnding = ".npy";
constexpr std::array tokenLists{"source", "target", "next"};

class SafetensorsTrace : public TraceFile {
  public:
    explicit SafetensorsTrace(const std::filesystem::path& path) : file_(path) {}

    const files::SafetensorsHeader& header() const override { return file_.header(); }
    files::FileBytes read(const Entry& entry, const std::stop_token& stop) const override {
        return file_.read(entry, stop);
    }
    std::shared_ptr<const std::byte> map(const Entry& entry) const override { return file_.map(entry); }
    bool isInMemory() const override { return false; }

  private:
    files::SafetensorsFile file_;
};

class NpzTrace : public TraceFile {
  public:
    NpzTrace(const std::filesystem::path& path, const std::stop_token& stop)
        : archive_(ZipArchive::open(path)) {
        refuseMoreThanMemory();
        readWords(stop);
        for (const auto& entry : archive_.entries())
            if (const auto name = arrayName(entry); !name.empty() && !isOfWords(name))
                add(name, entry, stop);
    }

    const files::SafetensorsHeader& header() const override { return header_; }
    files::FileBytes read(const Entry& entry, const std::stop_token&) const override {
        return files::FileBytes(std::span(map(entry).get(), entry.end - entry.begin));
    }
    std::shared_ptr<const std::byte> map(const Entry& entry) const override {
        const auto& bytes = arrays_[count(&entry - header_.entries.data())];
        return {bytes, bytes->data()};
    }
    bool isInMemory() const override { return true; }

    static std::string arrayName(const ZipEntry& entry) {
        return entry.name.ends_with(arrayEnding)
                   ? entry.name.substr(0, entry.name.size() - arrayEnding.size())
                   : std::string();
    }

  private:
    static bool isOfWords(const std::string& name) {
        return name == wordsKey || std::ranges::find(tokenLists, name) != tokenLists.end();
    }

    void refuseMoreThanMemory() const {
        double needed = 0;
        for (const auto& entry : archive_.entries())
            needed += static_cast<double>(entry.size);
        if (const auto available = files::availableMemory(); available && needed > *available)
            throw files::memoryRefusal("The arrays do not fit into this computer's memory", needed,
                                       "save the trace as .safetensors, of which only parts are read");
    }

    std::string where(const std::string& name) const {
        return archive_.where() + ", entry " + files::printable(name);
    }

    /// Strings of an array; empty if there is none.
    std::optional<std::vector<std::string>> texts(const std::string& name,
                                                  const std::stop_token& stop) const {
        const auto entry = name + std::string(arrayEnding);
        if (!archive_.find(entry))
            return std::nullopt;
        return files::parseNpyTexts(archive_.read(entry, files::maximumSafetensorsHeaderBytes, stop),
                                    where(entry));
    }

    void readWords(const std::stop_token& stop) {
        if (archive_.find(wordsKey)) {
            header_.metadata[wordsKey] = archive_.readText(wordsKey, files::maximumSafetensorsHeaderBytes);
            return;
        }
        if (const auto whole = texts(wordsKey, stop); whole && whole->size() == 1) {
            header_.metadata[wordsKey] = whole->front();
            return;
        }
        nlohmann::json words;
        for (const auto* list : tokenLists)
            if (auto tokens = texts(list, stop))
                words[list] = std::move(*tokens);
        if (!words.empty())
            header_.metadata[wordsKey] = words.dump();
    }

    void add(const std::string& name, const ZipEntry& entry, const std::stop_token& stop) {
        if (arrays_.size() == files::maximumTensors || name.size() > files::maximumNameBytes)
            files::refuseNpy(where(entry.name),
                             "at most " + std::to_string(files::maximumTensors) + " arrays with short names",
                             "more");
        auto array = files::parseNpy(archive_.read(entry.name, entry.size, stop), where(entry.name));
        const auto begin = header_.entries.empty() ? 0 : header_.entries.back().end;
        header_.entries.push_back({.name = name,
                                   .type = array.type,
                                   .shape = std::move(array.shape),
                                   .begin = begin,
                                   .end = begin + array.bytes.size()});
        arrays_.push_back(std::make_shared<const std::vector<std::byte>>(std::move(array.bytes)));
    }

    ZipArchive archive_;
    files::SafetensorsHeader header_;
    std::vector<std::shared_ptr<const std::vector<std::byte>>> arrays_; ///< as the header's entries
};

/// Weights of attention or the tokens tell a trace from the arrays of a model.
bool isNpzTrace(const std::filesystem::path& path) {
    return std::ranges::any_of(ZipArchive::open(path).entries(), [](const ZipEntry& entry) {
        const auto name = NpzTrace::arrayName(entry);
        return entry.name == TraceFile::wordsKey || name == TraceFile::wordsKey ||
               std::ranges::any_of(Names<trace::AttentionKind>::table, [&](const auto& kind) {
                   return name == arrayName(kind.first, "weights");
               });
    });
}

} // namespace

const TraceFile::Entry* TraceFile::find(const std::string& name) const {
    const auto found = std::ranges::find(header().entries, name, &Entry::name);
    return found == header().entries.end() ? nullptr : &*found;
}

std::shared_ptr<const TraceFile> TraceFile::open(const std::filesystem::path& path,
                                                 const std::stop_token& stop) {
    if (files::fileKind(path) == files::FileKind::Npz)
        return std::make_shared<NpzTrace>(path, stop);
    return std::make_shared<SafetensorsTrace>(path);
}

bool isTrace(const std::filesystem::path& path) {
    try {
        switch (files::fileKind(path)) {
        case files::FileKind::Safetensors:
            return files::SafetensorsFile(path).header().metadata.contains(TraceFile::wordsKey);
        case files::FileKind::Npz:
            return isNpzTrace(path);
        default:
            return false;
        }
    } catch (const trace::Refusal&) {
        return false;
    }
}

} // namespace headscope::app
