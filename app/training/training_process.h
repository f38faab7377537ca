#pragma once

#include "app/export/command_process.h"
#include "app/training/training_report.h"

namespace headscope::app {

/// A training in a process of its own.
class TrainingProcess : public CommandProcess {
    Q_OBJECT

  public:
    explicit TrainingProcess(QObject* parent = nullptr);

    /// Begins what a configuration says, or goes on where it was stopped. Not while one is running.
    void start(const QString& configuration);

  Q_SIGNALS:
    void reported(const headscope::app::TrainingReport& report);

  protected:
    bool take(const QByteArray& line) override;
};

} // namespace headscope::app
