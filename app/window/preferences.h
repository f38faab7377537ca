#pragma once

#include "app/desktop/actions.h"
#include "app/desktop/settings.h"

class QWidget;

namespace headscope::app {

class DecodePopups;

/// Shows the settings that are kept between starts; changes apply at once.
void showPreferences(const Actions& actions, DecodePopups* decoding, Settings* settings, QWidget* parent);

} // namespace headscope::app
