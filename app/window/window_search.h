#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/document/document.h"
#include "app/window/search_entries.h"
#include "widgets/tables/known_heads.h"

class QMenu;

namespace headscope::app {

class HeadActions;
class ModelButton;
class Results;
class Workbench;

/// Provides the search with all actions, views, models, heads and their roles, tokens, steps and pages of the
/// manual.
class WindowSearch : public QObject {
    Q_OBJECT

  public:
    /// All must outlive this.
    struct Parts {
        QWidget* window = nullptr;
        Document* document = nullptr;
        Results* results = nullptr;
        HeadActions* heads = nullptr;
        ModelButton* models = nullptr;
        Workbench* workbench = nullptr;
        const Actions* actions = nullptr;
    };
    explicit WindowSearch(const Parts& parts);

    /// All that can be searched now.
    std::vector<SearchEntry> entries();
    /// `typed` stands in the field at first.
    void open(const QString& typed = {});

  Q_SIGNALS:
    /// A page of the manual was chosen, such as "window.md#keys".
    void pageChosen(const QString& target);

  private:
    using Entries = std::vector<SearchEntry>;

    void addActions(Entries& entries) const;
    /// Views that no action opens.
    void addViews(Entries& entries) const;
    void addModels(Entries& entries) const;
    void addHeads(Entries& entries);
    void addRoles(Entries& entries, const std::vector<analysis::HeadStatistics>& heads) const;
    void addTokens(Entries& entries) const;
    void addPages(Entries& entries);
    /// Why nothing of a kind is found.
    std::map<SearchEntry::Kind, QString> whyNone() const;
    void showHead(const trace::HeadAddress& head) const;

    Parts parts_;
    widgets::KnownStatistics statistics_;
};

} // namespace headscope::app
