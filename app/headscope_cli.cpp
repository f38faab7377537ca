#include "app/cli/command_line.h"

int main(int argumentCount, char** arguments) {
    headscope::app::endProgram(headscope::app::runCommandLine(argumentCount, arguments));
}
