#pragma once

#include <QObject>

#include "app/window/actions.h"
#include "app/window/settings.h"

namespace headscope::app {

/// The colours of the program, chosen in the menu and remembered.
class ThemeActions : public QObject {
    Q_OBJECT

  public:
    /// Both outlive this.
    ThemeActions(Settings* settings, const Actions& actions, QObject* parent);

    /// Of all themes: "system", "light", "dark".
    int chosen() const;
    void choose(int theme);

  private:
    void apply() const;

    Settings* settings_;
    const Actions& actions_;
};

} // namespace headscope::app
