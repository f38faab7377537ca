#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>

/// What a careless or hostile hand can do to the programs, at random with a seed. Each attack prints one line
/// with its figures, and a line for each finding; the exit status is that of the findings.
namespace headscope::attacks {

struct Options {
    int times = 0;          ///< how often something is tried
    std::uint64_t seed = 1; ///< of what is drawn by lot
    QStringList models;     ///< bundled models or paths
};

/// Random keys, clicks, words and actions in a window with the real engine: no crash, no turn of the GUI
/// thread of more than 5 s, and idle within a minute after the last one.
int monkey(const Options& options);
/// Opens model after model; memory must level off.
int switches(const Options& options);
/// Kills `headscope-cli` while it writes: the file is the old one or the new one, and no other file stays.
int kills(const Options& options);
/// Makes one system call of a command fail: open, write, fsync, close or rename of an output. It is refused
/// with a paragraph, the old file stays whole, no other file stays.
int faults(const Options& options);
/// Makes a file shorter while a command reads it: it is refused, or ends with a result.
int truncations(const Options& options);
/// Windows that share settings and autosaved work, one of which is killed.
int twoWindows(const Options& options);
/// Closes a window while it trains a model or saves a trace: the training goes on where it was, the trace
/// opens.
int closings(const Options& options);

// What they share.

/// Prints a finding.
void tell(const QString& finding);
/// Prints the figures; returns the exit status.
int conclude(const QString& figures, int findings);

} // namespace headscope::attacks
