#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

/// The safety net: writes what both programs draw, export and print as files ("items"), and a manifest with
/// the SHA-256 of each. compare_nets compares the manifests from before and after a change that should not
/// change any item.
namespace headscope::net {

/// Runs in a process of its own, in the folder of the net, and writes its items to items/NAME.
struct Task {
    QString name;
    std::function<int()> work; ///< returns the exit status
    /// The command line. If it is not empty, said.txt becomes an item: the command line, the exit status and
    /// both outputs. If it is empty, an exit status other than 0 is an error of the net itself.
    QString said = {};
};

/// Returns the folder of a task's items, relative to the folder of the net.
inline QString itemsOf(const QString& task) {
    return "items/" + task;
}

/// Returns empty bytes if the file cannot be read.
QByteArray contentOf(const QString& path);
/// Ends the program if the file cannot be written.
void write(const QString& path, const QByteArray& content);

/// Runs headscope-cli with these arguments; `{}` in them is the folder of the task's items.
Task command(const QString& name, QStringList arguments);

/// --help of both programs.
std::vector<Task> firstHelp();
/// --help of each command that headscope-cli --help lists.
std::vector<Task> helpOfCommands(const QString& firstHelp);
/// Write four traces to the folder "traces".
std::vector<Task> traceTasks();
/// Writes each array of the traces as an item, an .npy file.
void splitTraces();
/// Every view of every bundled model and of the traces, an animation, a comparison of two models, and the
/// output of the other commands.
std::vector<Task> viewTasks();
std::vector<Task> galleryTasks();
/// A session and a picture of each tab and panel, and the list of actions.
std::vector<Task> windowTasks();

} // namespace headscope::net
