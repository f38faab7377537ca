#pragma once

#include <QObject>

#include "app/desktop/actions.h"
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
class ResultParts;
class ShownStatistics;

/// Tints and sorts the head thumbnails by importance or by a statistic of every head, as chosen in a menu.
class HeadTints : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    HeadTints(widgets::HeadGridView* grid, ImportanceDock* importance, ResultParts* results, Actions* actions,
              QObject* parent);

    /// Run that the thumbnails show; may be null.
    void setRun(const std::shared_ptr<const trace::Run>& run);
    /// The statistic; empty: importance.
    std::optional<analysis::Statistic> chosen() const { return chosen_; }
    void choose(std::optional<analysis::Statistic> statistic);

  Q_SIGNALS:
    /// A thumbnail was opened.
    void headOpened(headscope::trace::HeadAddress head);

  private:
    void fillMenu();
    void show();
    void followScores();

    widgets::HeadGridView* grid_;
    ShownStatistics* statistics_;
    Actions* actions_;
    QActionGroup* group_; ///< importance, then all statistics
    std::optional<analysis::Statistic> chosen_;
};

} // namespace headscope::app
