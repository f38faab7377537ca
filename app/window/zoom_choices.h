#pragma once

#include "app/window/view_choices.h"
#include "widgets/compared_heads.h"

namespace headscope::app {

/// What part of the maps is looked at, for sessions, undo and `render`. `heads` outlive the choices.
void bindZooms(ViewChoices& choices, widgets::ComparedHeads* heads);

// In the form of a session's file: left, top, width and height in cells, of one panel behind the other; 0 for
// those that show the whole map; empty where all do.
ChoiceValue zoomOf(const widgets::HeatmapView& map);
ChoiceValue zoomsOf(const std::vector<widgets::HeatmapView*>& maps);

} // namespace headscope::app
