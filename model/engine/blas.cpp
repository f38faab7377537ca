#include "model/engine/blas.h"

#include "model/files/available_memory.h"

#include <ATen/Context.h>
#include <ATen/Version.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <sstream>
#include <vector>

#include <sys/mman.h>

// Functions of OpenBLAS (driver/others/memory.c, openblas_get_config.c); null if another BLAS library is
// linked.
extern "C" {
const char* openblas_get_config() __attribute__((weak));
const char* openblas_get_corename() __attribute__((weak));
void* blas_memory_alloc(int) __attribute__((weak));
void blas_memory_free(void*) __attribute__((weak));
}

namespace headscope::engine {

namespace {

constexpr std::size_t bufferBytes = std::size_t{32} << 22; // OpenBLAS's largest BUFFER_SIZE on x86-64
constexpr int mostCallers = 64;

std::mutex reserving;
int reserved = 0; ///< callers in the whole process
int mapped = 0;   ///< buffers mapped by OpenBLAS, which never unmaps them

bool canMap(int buffers) {
    std::vector<void*> memory;
    for (int i = 0; i < buffers; ++i)
        if (void* one =
                ::mmap(nullptr, bufferBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            one != MAP_FAILED)
            memory.push_back(one);
    for (void* one : memory)
        ::munmap(one, bufferBytes);
    return std::ssize(memory) == buffers;
}

} // namespace

std::string blasDescription() {
    if (at::hasMKL()) { // inside LibTorch, even if OpenBLAS is loaded beside it
        // "Intel(R) oneAPI Math Kernel Library Version 2024.2-Product Build ..."
        const std::string name = at::get_mkl_version();
        const auto version = name.find("Version ");
        return version == name.npos
                   ? "MKL"
                   : "MKL " + name.substr(version + 8, name.find_first_of("- ", version + 8) - version - 8);
    }
    if (!openblas_get_config || !openblas_get_corename)
        return "a BLAS library other than OpenBLAS and MKL";
    std::istringstream config(openblas_get_config()); // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..."
    std::string name, version;
    config >> name >> version;
    return name + ' ' + version + ' ' + openblas_get_corename();
}

BlasMemory::BlasMemory(int callers) : callers_(std::clamp(callers, 1, mostCallers)) {
    if (!blas_memory_alloc || !blas_memory_free)
        return;
    const std::lock_guard lock(reserving);
    const int wanted = std::min(reserved + callers_, mostCallers);
    if (wanted > mapped) {
        if (!canMap(wanted - mapped + 1)) // one more, for allocations in the meantime
            throw files::memoryRefusal("There is not enough memory for matrix products",
                                       static_cast<double>(bufferBytes) * (wanted - mapped + 1));
        std::vector<void*> buffers;
        while (std::ssize(buffers) < wanted)
            buffers.push_back(blas_memory_alloc(0));
        for (void* buffer : buffers)
            blas_memory_free(buffer);
        mapped = wanted;
    }
    reserved += callers_;
}

BlasMemory::~BlasMemory() {
    const std::lock_guard lock(reserving);
    reserved = std::max(0, reserved - callers_);
}

} // namespace headscope::engine
