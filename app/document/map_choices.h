#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "widgets/map/map_options.h"

#include <vector>

namespace headscope::app {

/// Turns the state of the menu actions into options of the heatmap.
class MapChoices : public QObject {
    Q_OBJECT

  public:
    /// Selects the first quantity and the first scale. `actions` must outlive this.
    explicit MapChoices(Actions* actions, QObject* parent = nullptr);

    const widgets::MapOptions& options() const { return options_; }

    /// Order of widgets::allQuantities.
    static ActionId actionOf(widgets::Quantity quantity);
    /// The actions that switch one option, in menu order.
    static const std::vector<ActionId>& switches();

  Q_SIGNALS:
    void optionsChanged(const headscope::widgets::MapOptions& options);

  private:
    void say();

    Actions* actions_;
    widgets::MapOptions options_;
};

} // namespace headscope::app
