#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/document/document.h"
#include "widgets/tables/known_heads.h"

namespace headscope::app {

class HeadBar;
class Results;
class Workbench;

/// Actions that select or pin heads, the views that show all heads, and the role of each head.
class HeadActions : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    HeadActions(Document* document, Results* results, Workbench* workbench, HeadBar* bar, Actions* actions,
                QObject* parent);

    /// Opens the first view that finds heads by words.
    void findHeads(const QString& words);

  Q_SIGNALS:
    /// Explains why an action did nothing.
    void said(const QString& words);

  private:
    void connectActions();
    void followHead();
    void followPins();
    void followChanges();
    void followNeed();
    void followStatistics();
    const std::vector<analysis::HeadStatistics>& heads() const;
    /// The selected head, or the layer where the map is of all its heads, and what was changed in it.
    void showTitle();
    /// Shows the role of the selected head, and which heads of its kind share it.
    void showRole();
    /// Name of the head's role; empty if it has none or if statistics are not known.
    QString roleOf(const trace::HeadAddress& head) const;

    Document* document_;
    Results* results_;
    widgets::KnownStatistics statistics_;
    Workbench* workbench_;
    HeadBar* bar_;
    Actions* actions_;
};

} // namespace headscope::app
