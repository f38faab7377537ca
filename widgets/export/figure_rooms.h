#pragma once

#include <QByteArray>
#include <QFont>
#include <QSize>
#include <QStringList>

#include "widgets/export/figure_export.h"

#include <utility>
#include <vector>

class QHeaderView;
class QWidget;

namespace headscope::widgets {

/// Margin to the left and right of the source line and above it.
inline constexpr int figureLineMargin = 12;

/// Layout of a figure's parts, in units of `scale` / 96 inch.
struct FigureRooms {
    QSize picture;
    QStringList rows; ///< rows of the source line below the picture; empty if there is none
    int below = 0;
    double scale = 1;
};

/// While it exists, the view of `source`, and what is drawn of it, has text of this size.
class FigureWithFontSize {
  public:
    /// `points` is 0 for the size that it has.
    FigureWithFontSize(const FigureSource& source, double points);
    ~FigureWithFontSize();
    FigureWithFontSize(const FigureWithFontSize&) = delete;
    FigureWithFontSize& operator=(const FigureWithFontSize&) = delete;

  private:
    QWidget* view_ = nullptr; ///< null: nothing was changed
    QFont before_;
    std::vector<std::pair<QHeaderView*, QByteArray>> headers_; ///< of its tables, with widths set by hand
};

FigureRooms roomsOf(const FigureOptions& options, const FigureSource& source);

} // namespace headscope::widgets
