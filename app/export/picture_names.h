#pragma once

#include <QString>

#include "app/choices/picture_options.h"
#include "widgets/map/map_options.h"

namespace headscope::app {

/// How a heatmap is drawn, and the options that say so.
widgets::MapOptions mapOptionsOf(const PictureOptions& options);
void setMapOptions(PictureOptions& options, const widgets::MapOptions& map);

/// The number of a page in its view, and its name; the first one for an empty name or a view without pages.
int pageNumber(const PictureOptions& options);
std::string pageName(const std::string& view, int page);

/// What a name ends in, without its dot, in small letters. A number is none: a head is named cross.1.5.
QString endingOf(const QString& path);

/// An absolute path to propose for a picture or for data: of the title what every file system takes in a
/// name, without commas. Without a folder, or one that is gone, it is where programs keep a person's
/// pictures.
QString proposedFile(const QString& folder, const QString& title, const QString& ending);

} // namespace headscope::app
