#include "model/training/output_folders.h"

#include "model/checkpoint/save_model.h"
#include "model/files/atomic_file.h"
#include "model/files/findings.h"
#include "model/files/folder.h"
#include "model/trace/refusal.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>

namespace headscope::training {

namespace {

namespace fs = std::filesystem;

/// Also accepts paths that do not exist.
fs::path plain(const fs::path& path) {
    std::error_code error;
    const auto whole = fs::weakly_canonical(path, error);
    return error ? path.lexically_normal() : whole;
}

} // namespace

NewFolders::NewFolders(const TrainingConfig& config) {
    for (const auto& folder : {config.state, config.model, config.snapshots.folder.value_or(fs::path())})
        if (auto missing = files::missingFolders(plain(folder)); !folder.empty() && !missing.empty())
            folders_.push_back(std::move(missing));
}

void NewFolders::removeIfRefused(const std::function<void()>& work) const {
    try {
        work();
    } catch (const trace::Refusal&) {
        remove();
        throw;
    }
}

void NewFolders::remove() const {
    std::error_code error;
    for (const auto& missing : folders_)
        fs::remove_all(missing.front(), error);
    for (const auto& missing : folders_)
        files::removeEmpty({missing.begin() + 1, missing.end()});
}

void prepareStateFolder(const TrainingConfig& config) {
    files::Findings findings;
    const auto model = plain(config.model);
    if (plain(config.state) == model)
        findings.add("state: the folder of the model");
    if (config.snapshots.folder && plain(*config.snapshots.folder) == model)
        findings.add("snapshots.folder: the folder of the model");
    if (plain(config.where) == model / "config.json")
        findings.add("model: the folder of this configuration, whose config.json would be replaced");
    std::error_code ignored;
    if (config.attribution && !fs::is_regular_file(*config.attribution, ignored))
        findings.add("attribution: no file at " + config.attribution->string());
    if (!findings.empty())
        throw trace::Refusal({.what = "The training cannot write its model as it is asked to",
                              .where = config.where,
                              .expected = "folders apart from each other, and files that are there",
                              .found = findings.text(),
                              .wayOut = "mend these keys and start again"});
    files::makeFolder(config.state);
    files::removeUnfinished(config.state);
}

files::FileDescriptor lockStateFolder(const TrainingConfig& config) {
    const auto path = config.state / "lock";
    files::FileDescriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    // Errors other than a held lock are ignored: a file system without locks must not prevent training.
    if (lock.isOpen() && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        throw trace::Refusal({.what = "This training is under way already",
                              .where = config.state.string(),
                              .expected = "a folder that no other training writes to",
                              .found = "one that is held by another headscope-cli",
                              .wayOut = "wait for it or stop it, or name another model"});
    return lock;
}

void prepareModelFolders(const TrainingConfig& config, const TrainedVocabulary& vocabulary) {
    const auto& snapshots = config.snapshots.folder;
    if (snapshots)
        files::makeFolder(*snapshots); // first: within the model folder it counts as a foreign file
    checkpoint::prepareModelFolder(vocabulary.files, config.model);
    files::removeUnfinished(config.model);
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(snapshots.value_or(fs::path()), ignored))
        if (entry.is_directory(ignored) && entry.path().filename().string().starts_with("step-")) {
            checkpoint::prepareModelFolder(vocabulary.files, entry.path());
            files::removeUnfinished(entry.path());
        }
}

} // namespace headscope::training
