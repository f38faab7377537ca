#pragma once

#include "app/export/command_process.h"
#include "app/training/training_report.h"

namespace headscope::app {

/// A training in a separate process.
class TrainingProcess : public CommandProcess {
    Q_OBJECT

  public:
    explicit TrainingProcess(QObject* parent = nullptr);

    /// Starts or resumes the training of a configuration. Must not be called while one is running.
    void start(const QString& configuration);

  Q_SIGNALS:
    void reported(const headscope::app::TrainingReport& report);

  protected:
    bool take(const QByteArray& line) override;
};

} // namespace headscope::app
