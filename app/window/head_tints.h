#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "model/analysis/heads/statistic.h"
#include "model/trace/run.h"
#include "widgets/tables/known_heads.h"

#include <memory>
#include <optional>

class QActionGroup;

namespace headscope::widgets {
class HeadGridView;
class ImportanceView;
}

namespace headscope::app {

class Document;
class ResultParts;
class Results;

/// Tints and sorts the head thumbnails by importance or by a statistic of every head, as chosen in a menu.
class HeadTints : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    HeadTints(widgets::HeadGridView* grid, widgets::ImportanceView* importance, Document* document,
              ResultParts* results, Actions* actions, QObject* parent);

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
    void want();
    void followScores();

    widgets::HeadGridView* grid_;
    Document* document_;
    Results* results_;
    widgets::KnownStatistics statistics_;
    Actions* actions_;
    QActionGroup* group_; ///< importance, then all statistics
    std::optional<analysis::Statistic> chosen_;
    std::optional<analysis::Statistic> shown_; ///< in the grid
};

} // namespace headscope::app
