#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/desktop/settings.h"

namespace headscope::app {

/// The colour theme, chosen in the menu and stored in the settings.
class ThemeActions : public QObject {
    Q_OBJECT

  public:
    /// Both must outlive this.
    ThemeActions(Settings* settings, const Actions& actions, QObject* parent);

  private:
    /// Index of the theme: "system", "light", "dark".
    int chosen() const;
    void choose(int theme);
    void apply() const;

    Settings* settings_;
    const Actions& actions_;
};

} // namespace headscope::app
