#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/desktop/settings.h"

namespace headscope::app {

/// Theme, size of the texts and motion: as the settings say, and as a person chooses in the menus.
class Appearance : public QObject {
    Q_OBJECT

  public:
    /// `settings` and `actions` outlive this.
    Appearance(Settings* settings, const Actions& actions, QObject* parent);

    /// Whether parts of the window may move by themselves.
    static void setMotion(Settings* settings, bool isOn);

  private:
    void chooseTheme(int theme);
    void chooseTextSize(int percent);

    Settings* settings_;
    const Actions& actions_;
};

} // namespace headscope::app
