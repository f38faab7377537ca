#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/document/document.h"

#include <string>
#include <vector>

namespace headscope::app {

/// Checkable actions of menus that show choices of the document, and set them.
class ChoiceActions : public QObject {
    Q_OBJECT

  public:
    /// Both must outlive this.
    ChoiceActions(Document* document, Actions* actions, QObject* parent);

    /// The actions of a choice: one for each of its words, or that of a flag; none if it has no action.
    static std::vector<ActionId> of(const std::string& view, const std::string& name);

  private:
    void follow();

    Document* document_;
    Actions* actions_;
};

} // namespace headscope::app
