#pragma once

#include <QImage>
#include <QTest>

#include "tests/widgets/example_run.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/heatmap_view.h"

/// A heatmap on the screen, for tests.
namespace headscope::heatmaps {

using widgets::HeatmapView;

inline constexpr trace::HeadAddress decoderHead{{trace::AttentionKind::DecoderSelf, 1}, 2};

inline void show(HeatmapView& view, QSize size = {900, 640}) {
    view.setPalette(widgets::paletteOf(widgets::lightTheme()));
    view.resize(size);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
}

inline QPoint middleOf(const HeatmapView& view, int row, int column) {
    return view.mapLayout().cellRect(row, column).center().toPoint();
}

inline QImage pictureOf(HeatmapView& view) {
    return view.grab().toImage();
}

} // namespace headscope::heatmaps
