#pragma once

#include <QLockFile>
#include <QString>

#include <memory>
#include <optional>

namespace headscope::app {

/// A folder of states that are saved while people work, one file a window, each with a lock: what lies there
/// without anybody who holds its lock was left by a program that ended before its time.
class Autosave {
  public:
    /// Makes the folder, if it can.
    explicit Autosave(const QString& folder);
    /// This window's own file goes.
    ~Autosave();
    Autosave(const Autosave&) = delete;
    Autosave& operator=(const Autosave&) = delete;

    /// Keeps this window's file for the next start, as after a crash.
    void keep() { isKept_ = true; }

    /// Of this window.
    const QString& path() const { return path_; }

    /// A state that was left, locked, so that no other window offers it too. It stays until it is removed.
    struct Left {
        QString path;
        std::unique_ptr<QLockFile> lock;
        void remove();
    };
    /// The newest; nothing where none was left.
    std::optional<Left> left() const;

  private:
    QString folder_;
    QString path_;
    std::unique_ptr<QLockFile> lock_;
    bool isKept_ = false;
};

} // namespace headscope::app
