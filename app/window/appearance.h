#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/desktop/settings.h"

namespace headscope::app {

/// Theme and size of the texts, as the settings say and as a person chooses in the menus; motion as the
/// settings say.
class Appearance : public QObject {
    Q_OBJECT

  public:
    /// `settings` and `actions` outlive this.
    Appearance(Settings* settings, const Actions& actions, QObject* parent);

  private:
    void chooseTheme(int theme);
    void chooseTextSize(int percent);

    Settings* settings_;
    const Actions& actions_;
};

} // namespace headscope::app
