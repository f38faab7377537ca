#pragma once

#include "app/export/command_process.h"

namespace headscope::app {

/// Draws the frames of an animation with `headscope-cli render --animate`.
class AnimationProcess : public CommandProcess {
    Q_OBJECT

  public:
    explicit AnimationProcess(QObject* parent = nullptr);

    /// `words` of the command, without the program's name. Must not be called while a process is running.
    void start(const QStringList& words);

  Q_SIGNALS:
    void drawn(int frame, int frames);

  protected:
    bool take(const QByteArray& line) override;
};

} // namespace headscope::app
