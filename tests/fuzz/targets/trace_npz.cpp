#include "app/traces/trace_file.h"
#include "app/traces/trace_metadata.h"
#include "model/files/npy.h"
#include "tests/fuzz/hostile_input.h"
#include "tests/fuzz/zip_bytes.h"

using namespace headscope;

namespace {

void readArchive(std::span<const std::byte> archive) {
    const auto path = fuzz::fileWith(archive);
    fuzz::readStranger([&] {
        if (!app::isTrace(path))
            return;
        const auto file = app::TraceFile::open(path, {});
        for (const auto& entry : file->header().entries) {
            const auto elements = files::checkedProduct(entry.shape);
            fuzz::require(elements && *elements * files::sizeOf(entry.type) == entry.end - entry.begin &&
                              file->read(entry, {}).size() == entry.end - entry.begin,
                          "an array's size");
        }
        if (const auto words = file->header().metadata.find(app::TraceFile::wordsKey);
            words != file->header().metadata.end())
            app::parseTokensJson(words->second, "input");
    });
}

} // namespace

/// The input as an archive, and as the tokens in one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    readArchive(fuzz::bytesOf(data, size));
    const std::vector<float> values(4, 0.5F);
    const auto weights = files::npyBytes(files::floatArray("", {1, 1, 2, 2}, values));
    const std::string archive = fuzz::zipBytes(
        {{"encoder_self/weights.npy", weights}, {"source.npy", {reinterpret_cast<const char*>(data), size}}});
    readArchive(std::as_bytes(std::span(archive)));
    return 0;
}
