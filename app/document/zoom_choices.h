#pragma once

#include "app/document/view_choices.h"
#include "widgets/views/compared_heads/compared_heads.h"

namespace headscope::widgets {
class PositionalEncodingView;
}

namespace headscope::app {

/// What part of the maps is looked at, for sessions, undo and `render`. `heads` outlive the choices.
void bindZooms(ViewChoices& choices, widgets::ComparedHeads* heads);
void bindZooms(ViewChoices& choices, widgets::PositionalEncodingView* positions);

/// Presses +, - or 0 on the map that has the focus, else on the first one in sight on `page`, which may have
/// none.
void pressZoomKey(QWidget& page, int key);

} // namespace headscope::app
