#pragma once

#include <QStringList>

#include "model/trace/run.h"

#include <vector>

namespace headscope::app {

/// Names of a sentence's branches: those given by the user, else the first tokens that no other branch
/// shares. A name stays with its branch while the branch grows or is decoded again.
class BranchNames {
  public:
    /// Returns one name for each path of the run's request.
    QStringList names(const trace::Run& run);
    /// Returns the name that the user gave; empty if none.
    QString given(const trace::Run& run, std::size_t path);
    /// An empty `name` restores the default name.
    void rename(const trace::Run& run, std::size_t path, const QString& name);

  private:
    struct Named {
        trace::TargetPrefix forced;
        std::vector<std::int64_t> ids;
        QString name;
    };
    /// Returns the stored name of a path; null if it has none.
    Named* find(const trace::Run& run, std::size_t path);

    trace::Source source_; ///< the sentence whose branches are named
    std::vector<Named> named_;
};

} // namespace headscope::app
