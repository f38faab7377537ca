#pragma once

#include <QObject>

#include "app/window/actions.h"
#include "model/analysis/heads/statistic.h"
#include "model/trace/run.h"

#include <memory>
#include <optional>

class QActionGroup;

namespace headscope::widgets {
class HeadGridView;
}

namespace headscope::app {

class ImportanceDock;
class Results;
class ShownStatistics;

/// What the small maps are tinted and sorted by: importance, or a statistic of every head, as a menu offers.
class HeadTints : public QObject {
    Q_OBJECT

  public:
    /// All of them outlive this.
    HeadTints(widgets::HeadGridView* grid, ImportanceDock* importance, Results* results, Actions* actions,
              QObject* parent);

    /// What the small maps are of; may be null.
    void setRun(const std::shared_ptr<const trace::Run>& run);
    /// Empty: importance.
    std::optional<analysis::Statistic> chosen() const { return chosen_; }
    void choose(std::optional<analysis::Statistic> statistic);

  Q_SIGNALS:
    /// One of the small maps was opened.
    void headOpened(headscope::trace::HeadAddress head);

  private:
    void fillMenu();
    void show();
    void followScores();

    widgets::HeadGridView* grid_;
    ShownStatistics* statistics_;
    Actions* actions_;
    QActionGroup* group_; ///< importance, then every statistic
    std::optional<analysis::Statistic> chosen_;
};

} // namespace headscope::app
