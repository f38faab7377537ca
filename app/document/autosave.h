#pragma once

#include <QLockFile>
#include <QString>

#include <memory>
#include <optional>

namespace headscope::app {

/// A folder of automatically saved states: one file per window, each with a lock. A file whose lock nobody
/// holds was left by a program that crashed.
class Autosave {
  public:
    /// Creates the folder if possible.
    explicit Autosave(const QString& folder);
    /// Removes this window's own file, unless keep() was called.
    ~Autosave();
    Autosave(const Autosave&) = delete;
    Autosave& operator=(const Autosave&) = delete;

    /// Keeps this window's file for the next start to offer, as after a crash.
    void keep() { isKept_ = true; }

    /// File of this window.
    const QString& path() const { return path_; }

    /// A state left by a crash. It is locked, so that no other window offers it too, and stays until
    /// remove().
    struct Left {
        QString path;
        std::unique_ptr<QLockFile> lock;
        void remove();
    };
    /// Returns the newest state left behind; empty if there is none.
    std::optional<Left> left() const;

  private:
    QString folder_;
    QString path_;
    std::unique_ptr<QLockFile> lock_;
    bool isKept_ = false;
};

} // namespace headscope::app
