#include "model/files/torch/saved_object.h"

#include "model/files/file_kind.h"
#include "model/files/torch/torch_legacy.h"
#include "model/files/torch/torch_zip.h"
#include "model/trace/refusal.h"

namespace headscope::files {

Pickle readSavedObject(const std::filesystem::path& path) {
    switch (fileKind(path)) {
    case FileKind::TorchZip:
    case FileKind::TorchScript:
        return readTorchZipObject(path);
    case FileKind::TorchLegacy:
        return readTorchLegacyObject(path);
    case FileKind::Safetensors:
    case FileKind::Npz:
    case FileKind::Gguf:
    case FileKind::ShardIndex:
        break;
    }
    throw trace::Refusal({.what = "The file holds no object of Python",
                          .where = path.string(),
                          .expected = "a file of torch.save",
                          .found = "weights alone",
                          .wayOut = "give the file that torch.save wrote"});
}

} // namespace headscope::files
