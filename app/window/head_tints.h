#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "model/analysis/heads/statistic.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

class QActionGroup;

namespace headscope::app {

class Document;
class Results;

/// Actions for what the document keeps about the head thumbnails: their bars, their order, and what both are
/// by, chosen in a menu.
class HeadTints : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    HeadTints(Document* document, Results* results, Actions* actions, QObject* parent);

  private:
    void fillMenu();
    void choose(std::optional<analysis::Statistic> statistic);
    void follow();

    Document* document_;
    Results* results_;
    Actions* actions_;
    QActionGroup* group_; ///< importance, then all statistics
};

} // namespace headscope::app
