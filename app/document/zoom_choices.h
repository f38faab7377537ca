#pragma once

#include "app/choices/picture_options.h"
#include "app/document/view_choices.h"
#include "widgets/views/compared_heads/compared_heads.h"

namespace headscope::widgets {
class PositionalEncodingView;
}

namespace headscope::app {

/// What part of the maps is looked at, for sessions, undo and `render`. `heads` outlive the choices.
void bindZooms(ViewChoices& choices, widgets::ComparedHeads* heads);
void bindZooms(ViewChoices& choices, widgets::PositionalEncodingView* positions);

/// Keeps of what is chosen the zoom of the page that is drawn.
void sayZoom(PictureOptions& picture, const widgets::PositionalEncodingView& positions);
/// The same of a heatmap's figure: of the map or the maps that are drawn, not of those that are not.
void sayZoom(PictureOptions& picture, const widgets::FigureSource& figure);

/// Presses +, - or 0 on the map that has the focus, else on the first one in sight on `page`, which may have
/// none.
void pressZoomKey(QWidget& page, int key);

} // namespace headscope::app
