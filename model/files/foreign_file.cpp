#include "model/files/foreign_file.h"

#include <algorithm>
#include <array>

#include "model/files/findings.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

using namespace std::string_view_literals;

struct ForeignKind {
    std::size_t position;
    std::string_view start;
    const char* kind;
    const char* wayOut;
};

constexpr const char* unpack = "Unpack it and open what is in it.";
constexpr const char* download = "Fetch the file itself: what was saved is only a page or a note about it.";
constexpr const char* exportWeights =
    "Open the model in the program that made it and save its weights as safetensors, or with "
    "torch.save(model.state_dict(), file).";
constexpr const char* originalFiles =
    "Open a GGUF file of the same model, or the safetensors or PyTorch files that it was made from.";
constexpr const char* throughKeras =
    "Convert it: load it in Keras and write its weights with safetensors.numpy.save_file.";
constexpr const char* throughPyTorch =
    "Convert it: load the model it was exported from in PyTorch and save its state_dict().";

/// Files that are often found beside weights, or mistaken for them.
constexpr std::array<ForeignKind, 18> foreignKinds = {{
    {0, "ggml"sv, "a GGML file (llama.cpp before GGUF)", originalFiles},
    {0, "\x93NUMPY"sv, "a NumPy array (.npy)",
     "Convert it: collect the arrays under their names with safetensors.numpy.save_file."},
    {0, "\x89HDF\r\n\x1A\n"sv, "an HDF5 file (Keras, TensorFlow)", throughKeras},
    {257, "ustar"sv, "a tar archive (PyTorch before 0.1.10, or NeMo)",
     "Load it in PyTorch and save it again: torch.save(torch.load(file), new file)."},
    {0, "\x1F\x8B"sv, "a gzip file", unpack},
    {0,
     "\xFD"
     "7zXZ\0"sv,
     "an xz file", unpack},
    {0, "BZh"sv, "a bzip2 file", unpack},
    {0, "7z\xBC\xAF\x27\x1C"sv, "a 7-zip archive", unpack},
    {0, "\x28\xB5\x2F\xFD"sv, "a zstd file", unpack},
    {0, "PK\x05\x06"sv, "a zip archive with nothing in it", download},
    {0, "%PDF-"sv, "a PDF document", download},
    {0, "version https://git-lfs"sv, "a Git LFS pointer", "Fetch the file itself: git lfs pull."},
    {4, "TFL3"sv, "a TensorFlow Lite model", exportWeights},
    {0, "\x08\x01\x12"sv, "a TensorFlow SavedModel", exportWeights},
    {0, "\x08"sv, "an ONNX model, by its first byte", throughPyTorch},
    {0, "\x80"sv, "a Python pickle that PyTorch did not write", exportWeights},
    {0, "{"sv, "JSON text", "Open the folder it lies in, or the weights beside it."},
    {0, "["sv, "JSON text", "Open the folder it lies in, or the weights beside it."},
}};

/// Starts of HTML and XML pages sent by servers; case and preceding white space are ignored.
constexpr std::array<std::string_view, 4> pageStarts = {"<!doctype", "<html", "<?xml", "<head"};

bool isWebPage(std::string_view start) {
    start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
    const auto sameLetter = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
    return std::ranges::any_of(pageStarts, [&](std::string_view page) {
        return std::ranges::equal(start.substr(0, page.size()), page, sameLetter);
    });
}

bool isText(std::string_view start) {
    return std::ranges::none_of(start, [](char character) {
        const auto code = static_cast<unsigned char>(character);
        return (code < 0x20 && character != '\t' && character != '\r' && character != '\n') || code == 0x7F;
    });
}

/// Describes a file whose start matches no known kind.
std::string unknownKind(std::string_view start) {
    if (isText(start))
        return "a text, which begins \"" + printable(start, 40) + "\"";
    std::string bytes;
    for (const char byte : start.substr(0, 8)) {
        constexpr std::string_view digits = "0123456789abcdef";
        const auto value = static_cast<unsigned char>(byte);
        bytes += {' ', digits[value >> 4], digits[value & 15]};
    }
    return "a file of an unknown kind, which begins with the bytes" + bytes;
}

} // namespace

void refuseForeign(const std::filesystem::path& path, const std::string& kind, const std::string& wayOut) {
    throw trace::Refusal({.what = "The file holds no weights that can be read",
                          .where = path.string(),
                          .expected = "safetensors, a file of torch.save, or GGUF",
                          .found = kind,
                          .wayOut = wayOut});
}

void refuseForeignFile(const std::filesystem::path& path, std::string_view start) {
    if (start.empty())
        refuseForeign(path, "an empty file", "Fetch or save the file again: nothing of it arrived.");
    if (isWebPage(start))
        refuseForeign(path, "a web page", download);
    for (const ForeignKind& foreign : foreignKinds)
        if (start.substr(std::min(foreign.position, start.size())).starts_with(foreign.start))
            refuseForeign(path, foreign.kind, foreign.wayOut);
    refuseForeign(path, unknownKind(start), exportWeights);
}

} // namespace headscope::files
