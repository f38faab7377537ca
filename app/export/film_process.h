#pragma once

#include "app/export/command_process.h"

namespace headscope::app {

/// Draws a decoding frame by frame, as `headscope-cli render --animate` does: by just that.
class FilmProcess : public CommandProcess {
    Q_OBJECT

  public:
    explicit FilmProcess(QObject* parent = nullptr);

    /// `words` of a command, without the program's name. Not while one is running.
    void start(const QStringList& words);

  Q_SIGNALS:
    void drawn(int frame, int frames);

  protected:
    bool take(const QByteArray& line) override;
};

} // namespace headscope::app
