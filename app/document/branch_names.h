#pragma once

#include <QStringList>

#include "model/trace/run.h"

#include <vector>

namespace headscope::app {

/// What the branches of the sentence are called: as a person named them, else by the first words that no
/// other branch has there. A name stays with its branch while it grows or is decoded again.
class BranchNames {
  public:
    /// One a path of the run's request.
    QStringList names(const trace::Run& run);
    /// As a person gave it; empty where nobody did.
    QString given(const trace::Run& run, std::size_t path);
    /// An empty name is forgotten.
    void rename(const trace::Run& run, std::size_t path, const QString& name);

  private:
    struct Named {
        trace::TargetPrefix forced;
        std::vector<std::int64_t> ids;
        QString name;
    };
    /// Where the name of a path is kept; null if it has none.
    Named* find(const trace::Run& run, std::size_t path);

    trace::Source source_; ///< whose branches are named
    std::vector<Named> named_;
};

} // namespace headscope::app
