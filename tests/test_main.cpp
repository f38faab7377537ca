#include "tests/registered_test.h"

#include <cstdio>

/// PROGRAM TEST [ARGUMENTS]: the tests of one file of the folder, with the arguments of Qt's tests.
int main(int argc, char* argv[]) {
    const auto& tests = headscope::tests::registeredTests();
    const auto test = argc > 1 ? tests.find(argv[1]) : tests.end();
    if (test == tests.end()) {
        std::fprintf(stderr, "Which one? %s TEST [ARGUMENTS]\n", argv[0]);
        for (const auto& [name, run] : tests)
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    // An application is called after its program.
    std::string program = std::string(argv[0]) + '.' + test->first;
    argv[1] = program.data();
    return test->second(argc - 1, argv + 1);
}
