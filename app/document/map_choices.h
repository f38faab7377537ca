#pragma once

#include <QObject>

#include "app/window/actions.h"
#include "widgets/map/map_options.h"

#include <vector>

namespace headscope::app {

/// What of the menus decides what the heatmap shows and how.
class MapChoices : public QObject {
    Q_OBJECT

  public:
    /// Chooses the first of each; `actions` are there for as long as this is used.
    explicit MapChoices(Actions* actions, QObject* parent = nullptr);

    const widgets::MapOptions& options() const { return options_; }

    /// In the order of widgets::allQuantities.
    static ActionId actionOf(widgets::Quantity quantity);
    /// The switches, in the order in which they are offered.
    static const std::vector<ActionId>& switches();

  Q_SIGNALS:
    void optionsChanged(const headscope::widgets::MapOptions& options);

  private:
    void say();

    Actions* actions_;
    widgets::MapOptions options_;
};

} // namespace headscope::app
