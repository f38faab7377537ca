#include "tests/net/net.h"

#include "tests/gallery/hang.h"
#include "tests/net/quick_png.h"
#include "tests/net/still_application.h"

namespace headscope::net {
namespace {

/// Returns false if the picture is null or cannot be written.
bool save(const QImage& image, const QString& folder, const QString& name) {
    if (!image.isNull() && savePng(image, itemsOf(folder) + '/' + name + ".png"))
        return true;
    qWarning("%s could not be drawn or written", qPrintable(name));
    return false;
}

/// Draws the exhibits first, first + apart, first + 2 apart and so on. Returns false if a picture is missing.
bool drawHangings(const QString& folder, bool isDense, int first, int apart) {
    bool isWhole = true;
    for (const auto& hanging : gallery::hangings(isDense)) {
        if (hanging.exhibit % apart != first)
            continue;
        gallery::Hung hung(gallery::all()[hanging.exhibit], hanging.content, hanging.dark);
        for (const QSize& size : hanging.sizes())
            isWhole &= save(hung.at(size), folder, gallery::nameOf(hanging, size));
    }
    return isWhole;
}

bool drawTextSizes(const QString& folder, int first, int apart) {
    bool isWhole = true;
    for (int exhibit = first; exhibit < gallery::all().size(); exhibit += apart)
        for (const int points : gallery::textSizes) {
            const gallery::TextSize inThisSize(points);
            const auto& shown = gallery::all()[exhibit];
            gallery::Hung hung(shown, "sentence", false);
            isWhole &= save(hung.at(shown.sizes.front()), folder, gallery::nameOf(shown, points));
        }
    return isWhole;
}

} // namespace

std::vector<Task> galleryTasks() {
    constexpr int parts = 4; // processes that share the exhibits
    std::vector<Task> tasks;
    for (int part = 0; part < parts; ++part)
        tasks.push_back({"gallery", [part] {
                             const StillApplication application;
                             const bool isWhole = drawHangings("gallery", false, part, parts);
                             return drawTextSizes("gallery", part, parts) && isWhole ? 0 : 1;
                         }});
    tasks.push_back({"gallery-2x", [] {
                         qputenv("QT_SCALE_FACTOR", "2");
                         const StillApplication application;
                         return drawHangings("gallery-2x", true, 0, 1) ? 0 : 1;
                     }});
    return tasks;
}

} // namespace headscope::net
