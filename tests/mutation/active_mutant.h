#pragma once

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// What mutate.py writes into a mutated copy of the sources asks here whether it is on. The environment says
/// which mutant is, so that child processes and modules loaded later have the same one.
namespace headscope::mutation {

inline constexpr int none = 0;
inline constexpr int notes = -1; ///< every mutant that is reached is noted, none is on

/// The folder that gets an empty file for every mutant reached; null: notes are not wanted.
inline const char* notesFolder() {
    static const char* const folder = std::getenv("HEADSCOPE_MUTANTS_REACHED");
    return folder;
}

inline int active() {
    static const int number = [] {
        const char* const text = std::getenv("HEADSCOPE_MUTANT");
        return notesFolder() ? notes : text ? std::atoi(text) : none;
    }();
    return number;
}

/// Once a mutant and process. Asks the kernel directly: tests replace the C library's calls, and count them.
inline void note(int mutant) {
    constexpr int most = 1 << 14;
    static bool noted[most];
    if (mutant >= most || std::exchange(noted[mutant], true))
        return;
    const int error = errno;
    const std::string path = std::string(notesFolder()) + "/" + std::to_string(mutant);
    if (const long file = syscall(SYS_openat, AT_FDCWD, path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        file >= 0)
        syscall(SYS_close, file);
    errno = error;
}

inline bool is(int mutant) {
    const int number = active();
    if (number == notes)
        note(mutant);
    return number == mutant;
}

/// A returned value, or another one where the mutant is on. Other types are left alone: they do not compile.
template <class T>
requires std::is_arithmetic_v<std::remove_cvref_t<T>> std::remove_cvref_t<T> returned(int mutant, T&& value) {
    using Value = std::remove_cvref_t<T>;
    if (!is(mutant))
        return value;
    if constexpr (std::is_same_v<Value, bool>)
        return !value;
    else
        return static_cast<Value>(value + 1);
}
template <class T>
std::optional<T> returned(int mutant, std::optional<T> value) {
    return is(mutant) ? std::nullopt : std::move(value);
}

} // namespace headscope::mutation
