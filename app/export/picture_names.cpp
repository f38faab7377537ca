#include "app/export/picture_names.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

#include <algorithm>

namespace headscope::app {

namespace {

/// Of a name in a list; 0 for one that is not there.
int placeOf(const std::vector<const char*>& names, const std::string& name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? 0 : static_cast<int>(found - names.begin());
}

const PictureView& viewNamed(const std::string& name) {
    const auto& all = pictureViews();
    const auto found = std::ranges::find_if(all, [&](const PictureView& view) { return view.name == name; });
    return found == all.end() ? all.front() : *found;
}

} // namespace

widgets::MapOptions mapOptionsOf(const PictureOptions& options) {
    // Both lists are in the order of their names.
    return {.quantity = widgets::allQuantities.at(
                static_cast<std::size_t>(placeOf(pictureQuantities(), options.quantity))),
            .mapping = static_cast<widgets::ColourMapping>(placeOf(pictureScales(), options.scale)),
            .colourPerRow = options.perRow,
            .withoutSpecial = options.withoutSpecial,
            .words = options.words,
            .transposed = options.transposed,
            .numbers = options.numbers,
            .received = options.received,
            .losses = options.losses};
}

void setMapOptions(PictureOptions& options, const widgets::MapOptions& map) {
    const auto quantity = std::ranges::find(widgets::allQuantities, map.quantity);
    options.quantity =
        pictureQuantities().at(static_cast<std::size_t>(quantity - widgets::allQuantities.begin()));
    options.scale = pictureScales().at(static_cast<std::size_t>(map.mapping));
    options.perRow = map.colourPerRow;
    options.withoutSpecial = map.withoutSpecial;
    options.words = map.words;
    options.transposed = map.transposed;
    options.numbers = map.numbers;
    options.received = map.received;
    options.losses = map.losses;
}

int pageNumber(const PictureOptions& options) {
    return placeOf(viewNamed(options.view).pages, options.page);
}

std::string pageName(const std::string& view, int page) {
    const auto& pages = viewNamed(view).pages;
    return page > 0 && static_cast<std::size_t>(page) < pages.size() ? pages[static_cast<std::size_t>(page)]
                                                                     : "";
}

QString endingOf(const QString& path) {
    static const QRegularExpression number(QStringLiteral("^[0-9]+$"));
    const QString ending = QFileInfo(path).suffix().toLower();
    return number.match(ending).hasMatch() ? QString() : ending;
}

QString proposedFile(const QString& folder, const QString& title, const QString& ending) {
    static const QRegularExpression unusual(QStringLiteral("[^\\w.()-]+"),
                                            QRegularExpression::UseUnicodePropertiesOption);
    static const QRegularExpression dotsAhead(QStringLiteral("^[. ]+"));
    const QString name =
        QString(title).replace(unusual, QStringLiteral(" ")).remove(dotsAhead).trimmed().left(100);
    const bool isThere = !folder.isEmpty() && QFileInfo(folder).isDir();
    const QDir place(isThere ? folder : QStandardPaths::writableLocation(QStandardPaths::PicturesLocation));
    const QDir existing = place.exists() ? place : QDir::home();
    return QDir::cleanPath(
        existing.absoluteFilePath((name.isEmpty() ? QStringLiteral("picture") : name) + '.' + ending));
}

} // namespace headscope::app
