#pragma once

#include "widgets/figure_blocks.h"
#include "widgets/views/lens/lens_picture.h"

namespace headscope::widgets {

/// A lens on a page: all rows, and the columns in as many pieces below each other as the width requires, with
/// a legend. Scaled down where there is less room. The table must outlive the block.
FigureBlock lensBlock(const LensPicture& picture);

} // namespace headscope::widgets
