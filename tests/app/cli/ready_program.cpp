#include "app/cli/command_line.h"
#include "app/models/choose_kernels.h"
#include "app/models/resource_folders.h"

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/// headscope-cli for tests that run it often: half of what a short command takes is the loading of LibTorch,
/// which is done here once, for all the processes that follow. A command is a line with the number of bytes
/// that come then: how large a file may become (0: any size), a folder and the arguments, each ended by a
/// zero. Its process reads "in" of that folder and writes "out" and "err"; the answer is a line with its exit
/// status, -1 if it crashed.
namespace {

bool readCommand(std::string& bytes) {
    std::array<char, 32> size{};
    if (!std::fgets(size.data(), size.size(), stdin))
        return false;
    bytes.resize(std::strtoul(size.data(), nullptr, 10));
    return std::fread(bytes.data(), 1, bytes.size(), stdin) == bytes.size();
}

int runInFolder(std::vector<char*> parts) {
    const std::string folder = std::string(parts[1]) + '/';
    if (!std::freopen((folder + "in").c_str(), "r", stdin) ||
        !std::freopen((folder + "out").c_str(), "w", stdout) ||
        !std::freopen((folder + "err").c_str(), "w", stderr))
        return -1;
    if (const rlim_t most = std::strtoul(parts[0], nullptr, 10); most > 0) {
        const rlimit limit{most, most};
        std::signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    static char name[] = "headscope-cli";
    parts[1] = name;
    parts.push_back(nullptr);
    return headscope::app::runCommandLine(static_cast<int>(parts.size()) - 2, parts.data() + 1);
}

} // namespace

int main() {
    headscope::app::chooseKernels();
    for (const auto& module : {headscope::app::engineModule(), headscope::app::picturesModule()})
        dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL); // where there is none, the command says so
    for (std::string bytes; readCommand(bytes);) {
        std::vector<char*> parts;
        for (std::size_t at = 0; at < bytes.size(); at += std::strlen(parts.back()) + 1)
            parts.push_back(bytes.data() + at);
        const pid_t child = fork();
        if (child == 0)
            headscope::app::endProgram(runInFolder(parts));
        int status = 0;
        waitpid(child, &status, 0);
        std::printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
        std::fflush(stdout);
    }
}
