#include "app/document/autosave.h"

#include "app/sessions/session.h"
#include "model/files/atomic_file.h"

#include <QDir>
#include <QFile>
#include <QUuid>

namespace headscope::app {

namespace {

/// The lock counts as stale only if its program no longer runs, however old it is.
std::unique_ptr<QLockFile> lockOf(const QString& path) {
    auto lock = std::make_unique<QLockFile>(path + ".lock");
    lock->setStaleLockTime(0);
    return lock;
}

} // namespace

Autosave::Autosave(const QString& folder)
    : folder_(folder),
      path_(QDir(folder).filePath(QUuid::createUuid().toString(QUuid::WithoutBraces) + sessionEnding)),
      lock_(lockOf(path_)) {
    QDir().mkpath(folder);
    files::removeUnfinished(folder.toStdString());
    lock_->tryLock();
}

Autosave::~Autosave() {
    if (!isKept_)
        QFile::remove(path_);
}

std::optional<Autosave::Left> Autosave::left() const {
    const QDir folder(folder_);
    const auto newestFirst = folder.entryList({QStringLiteral("*") + sessionEnding}, QDir::Files, QDir::Time);
    for (const QString& name : newestFirst) {
        const QString path = folder.filePath(name);
        if (path == path_)
            continue;
        if (auto lock = lockOf(path); lock->tryLock())
            return Left{.path = path, .lock = std::move(lock)};
    }
    return std::nullopt;
}

void Autosave::Left::remove() {
    QFile::remove(path);
    lock.reset();
}

} // namespace headscope::app
