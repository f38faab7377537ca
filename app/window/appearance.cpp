#include "app/window/appearance.h"

#include "widgets/drawing/theme.h"
#include "widgets/drawing/type_scale.h"
#include "widgets/drawing/window_style.h"

#include <QAction>
#include <QApplication>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

namespace {

constexpr std::array themes{std::pair(ActionId::ThemeSystem, "system"),
                            std::pair(ActionId::ThemeLight, "light"), std::pair(ActionId::ThemeDark, "dark")};
constexpr std::array sizes{std::pair(ActionId::Text90, 90), std::pair(ActionId::Text100, 100),
                           std::pair(ActionId::Text115, 115), std::pair(ActionId::Text130, 130),
                           std::pair(ActionId::Text150, 150)};

} // namespace

Appearance::Appearance(Settings* settings, const Actions& actions, QObject* parent)
    : QObject(parent), settings_(settings), actions_(actions) {
    for (std::size_t i = 0; i < themes.size(); ++i)
        connect(actions[themes[i].first], &QAction::triggered, this, [this, i] { chooseTheme(i); });
    for (const auto& [id, percent] : sizes)
        connect(actions[id], &QAction::triggered, this,
                [this, percent = percent] { chooseTextSize(percent); });
    const auto theme = std::ranges::find_if(
        themes, [name = settings_->theme()](const auto& each) { return name == each.second; });
    chooseTheme(theme == themes.end() ? 0 : theme - themes.begin());
    chooseTextSize(settings_->textSize());
    widgets::setMotion(settings_->motion());
}

void Appearance::chooseTheme(int theme) {
    const auto& [id, name] = themes.at(theme);
    actions_[id]->setChecked(true);
    settings_->setTheme(name);
    static const QPalette system = QApplication::palette();
    const bool dark =
        id == ActionId::ThemeDark || (id == ActionId::ThemeSystem && widgets::themeOf(system).dark);
    QApplication::setPalette(widgets::paletteOf(dark ? widgets::darkTheme() : widgets::lightTheme()));
}

/// A size that is not offered is taken for the usual one.
void Appearance::chooseTextSize(int percent) {
    auto size = std::ranges::find(sizes, percent, [](const auto& each) { return each.second; });
    if (size == sizes.end())
        size = std::ranges::find(sizes, ActionId::Text100, [](const auto& each) { return each.first; });
    actions_[size->first]->setChecked(true);
    settings_->setTextSize(size->second);
    widgets::setTextSize(size->second);
}

} // namespace headscope::app
