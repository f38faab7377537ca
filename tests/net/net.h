#pragma once

#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

/// The safety net: everything the programs draw, write and say, as files whose hashes make a manifest. Two of
/// them, from before and after a change that should change nothing, are held against each other.
namespace headscope::net {

/// What is done in a process of its own, in the folder of the whole net, one after the other or beside each
/// other. Its files lie in items/NAME.
struct Task {
    QString name;
    std::function<int()> work; ///< returns the exit status
    QString said = {}; ///< what was done, in words; then what it wrote on both outputs is an item, too
};

/// The folder of a task's items, seen from the folder of the net.
inline QString itemsOf(const QString& task) {
    return "items/" + task;
}

/// A command line of headscope-cli, its arguments alone. `{}` is the folder of its items.
Task command(const QString& name, QStringList arguments);

/// Every --help. The commands are known once the first help was asked for.
std::vector<Task> firstHelp();
std::vector<Task> helpOfCommands(const QString& firstHelp);
/// The four traces, in the folder "traces", and their arrays as items.
std::vector<Task> traceTasks();
void splitTraces();
/// Every view of every bundled model and of the traces; a film; two models beside each other; what the
/// commands say.
std::vector<Task> viewTasks();
std::vector<Task> galleryTasks();
/// Sessions and actions, of the window itself.
std::vector<Task> windowTasks();

} // namespace headscope::net
