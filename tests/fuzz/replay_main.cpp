#include "tests/fuzz/hostile_input.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "model/files/read_file.h"

/// Gives a target every file of the folders named, in the order of their names: what the fuzzer once found,
/// without the fuzzer. The last name printed is that of the input it died of.
int main(int argc, char** argv) {
    std::vector<std::filesystem::path> inputs;
    for (int i = 1; i < argc; ++i)
        for (const auto& entry : std::filesystem::directory_iterator(argv[i]))
            inputs.push_back(entry.path());
    std::sort(inputs.begin(), inputs.end());
    for (const auto& input : inputs) {
        std::printf("%s\n", input.c_str());
        std::fflush(stdout);
        const auto bytes = headscope::files::readFile(input);
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size());
    }
    std::printf("%zu inputs\n", inputs.size());
    return inputs.empty() ? 1 : 0;
}
