#include "model/text/sentence_piece.h"

#include "model/text/train_sentence_piece.h"
#include "model/trace/refusal.h"

#include <dlfcn.h>

namespace headscope::text {

namespace {

using Open = std::unique_ptr<SentencePieceModel> (*)(const std::filesystem::path& path);
using Train = void (*)(const std::vector<std::string>& sentences, const SentencePieceTraining& training,
                       const std::filesystem::path& path);

/// SentencePiece lies in a module of its own: it brings parts of protobuf under their usual names, and
/// LibTorch's protobuf crashes when it finds those instead of its own. RTLD_LOCAL keeps the two apart.
template <class Function>
Function fromModule(const char* symbol) {
    Dl_info here{};
    dladdr(reinterpret_cast<void*>(&openSentencePiece), &here);
    const auto path = std::filesystem::path(here.dli_fname).parent_path() / "libheadscope_sentencepiece.so";
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto function = module ? reinterpret_cast<Function>(dlsym(module, symbol)) : nullptr;
    if (!function)
        throw trace::Refusal({.what = "The tokenizer's library could not be loaded",
                              .where = path.string(),
                              .expected = "the module with SentencePiece in it",
                              .found = module ? "a module of another kind" : "none that can be loaded",
                              .wayOut = "install SentencePiece (libsentencepiece0) and start again",
                              .details = dlerror()});
    return function;
}

} // namespace

std::unique_ptr<SentencePieceModel> openSentencePiece(const std::filesystem::path& path) {
    static const auto open = fromModule<Open>("headscopeOpenSentencePiece");
    return open(path);
}

void trainSentencePiece(const std::vector<std::string>& sentences, const SentencePieceTraining& training,
                        const std::filesystem::path& path) {
    static const auto train = fromModule<Train>("headscopeTrainSentencePiece");
    train(sentences, training, path);
}

} // namespace headscope::text
