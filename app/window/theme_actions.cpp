#include "app/window/theme_actions.h"

#include "widgets/drawing/theme.h"

#include <QAction>
#include <QApplication>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

namespace {

constexpr std::array themes{std::pair(ActionId::ThemeSystem, "system"),
                            std::pair(ActionId::ThemeLight, "light"), std::pair(ActionId::ThemeDark, "dark")};

} // namespace

ThemeActions::ThemeActions(Settings* settings, const Actions& actions, QObject* parent)
    : QObject(parent), settings_(settings), actions_(actions) {
    for (std::size_t i = 0; i < themes.size(); ++i)
        connect(actions[themes[i].first], &QAction::triggered, this, [this, i] { choose(i); });
    choose(chosen());
}

int ThemeActions::chosen() const {
    const auto found = std::ranges::find_if(
        themes, [name = settings_->theme()](const auto& theme) { return name == theme.second; });
    return found == themes.end() ? 0 : found - themes.begin();
}

void ThemeActions::choose(int theme) {
    const auto& [id, name] = themes.at(theme);
    actions_[id]->setChecked(true);
    settings_->setTheme(name);
    apply();
}

void ThemeActions::apply() const {
    static const QPalette system = QApplication::palette();
    const QString theme = settings_->theme();
    const bool dark = theme == "dark" || (theme == "system" && widgets::themeOf(system).dark);
    QApplication::setPalette(widgets::paletteOf(dark ? widgets::darkTheme() : widgets::lightTheme()));
}

} // namespace headscope::app
