// Layout of a figure on its page, and its scale.
#include "widgets/export/figure_rooms.h"

#include "widgets/export/figure_provenance.h"

#include <QApplication>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QHeaderView>
#include <QStringList>
#include <QTextLayout>
#include <QTextOption>
#include <QWidget>
#include <QtMath>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

struct FigureRoomsWords {
    Q_DECLARE_TR_FUNCTIONS(FigureExport)
};

constexpr double figureRoomsNearly = 1e-6; ///< tolerance of sums of lengths
constexpr double worthwhile = 1.05;        ///< text must become this much larger to justify another layout
constexpr double nearlyWhole = 0.995;      ///< scale that is displayed as 100 %
constexpr double highest = 2.8; ///< limit of height to width, about that of a column of a printed page

/// Wraps the line into rows; only words longer than a row, such as a hash, are broken.
QStringList rowsOf(const QString& line, const QFont& font, int width) {
    QStringList rows;
    QTextLayout layout(line, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    for (auto row = layout.createLine(); row.isValid(); row = layout.createLine()) {
        row.setLineWidth(std::max(1, width - 2 * figureLineMargin));
        rows += line.mid(row.textStart(), row.textLength()).trimmed();
    }
    layout.endLayout();
    return rows;
}

/// Height of the source line below a picture, including its margin; 0 without one.
int provenanceHeight(const QFont& font, int width, const QString& line) {
    if (line.isEmpty())
        return 0;
    const double rows = static_cast<double>(rowsOf(line, font, width).size());
    return qCeil(rows * QFontMetricsF(font).lineSpacing()) + figureLineMargin;
}

/// A page for one figure.
class RoomsPage {
  public:
    RoomsPage(const FigureOptions& options, const FigureSource& source)
        : given_(options.size), source_(source), figure_(source, options.parts),
          text_(source, options.fontSize), font_(figureFont(source)),
          line_(options.provenanceBelow ? provenanceLine(source.figureText(), options.facts) : QString()) {}

    /// Layout for a picture that needs this size, drawn `units` times smaller, or even smaller if it would be
    /// too large. The source line takes no room from the picture: it needs fewer rows the smaller everything
    /// is drawn.
    FigureRooms roomsFor(QSizeF needed, double units) const {
        units = std::max({units, needed.width() / given_.width(), needed.height() / given_.height()});
        const auto side = [&](double given, double needed) {
            const double all = given * units;
            return std::lround(all - needed < units ? needed : all);
        };
        const auto lineHeight = [&] { return below(side(given_.width(), needed.width())); };
        units = std::max(units, (needed.height() + lineHeight()) / given_.height());
        const int below = lineHeight();
        const QSize all(side(given_.width(), needed.width()), side(given_.height(), needed.height() + below));
        return {.picture = all - QSize(0, below),
                .rows = below > 0 ? rowsOf(line_, font_, all.width()) : QStringList(),
                .below = below,
                .scale = 1 / units};
    }

    /// Layout in the suggested size of the view.
    FigureRooms usual() const { return roomsFor(source_.figureSize(), 1); }

    /// True if text drawn at this scale is large enough.
    bool isReadable(double scale) const { return scale >= readable() - figureRoomsNearly; }

    /// Scale at which text is just large enough; 1 if it never is.
    double readable() const {
        const double points = font_.pointSizeF();
        return points > leastLetters ? leastLetters / points : 1;
    }

    QSize narrow(double units) const {
        return source_.narrowFigure(static_cast<int>(given_.width() * units + figureRoomsNearly));
    }

    /// Layout in less room than the view suggests, with the largest possible text up to the readable size.
    FigureRooms narrowed(const FigureRooms& usual) const {
        double low = 1 / readable(), high = 1 / usual.scale;
        const int width = narrow(low).width();
        if (width >= source_.figureSize().width())
            return usual;
        low = std::max(low, width / given_.width());
        FigureRooms best = usual;
        const auto fits = [&](double units) {
            FigureRooms rooms = roomsFor(narrow(units), units);
            const bool isWhole = rooms.scale * units > 1 - figureRoomsNearly;
            if (rooms.scale > best.scale + figureRoomsNearly)
                best = std::move(rooms);
            return isWhole;
        };
        constexpr int halvings = 5;
        if (!fits(low))
            for (int i = 0; i < halvings; ++i) {
                const double middle = (low + high) / 2;
                (fits(middle) ? high : low) = middle;
            }
        return best.scale > worthwhile * usual.scale ? best : usual;
    }

    int below(int width) const { return provenanceHeight(font_, width, line_); }

  private:
    QSizeF given_;
    const FigureSource& source_;
    FigureWithParts figure_;
    FigureWithFontSize text_;
    QFont font_;
    QString line_;
};

} // namespace

FigureWithFontSize::FigureWithFontSize(const FigureSource& source, double points) {
    const auto* view = dynamic_cast<const QWidget*>(&source);
    if (points <= 0 || !view || view->font().pointSizeF() == points)
        return;
    view_ = const_cast<QWidget*>(view);
    before_ = view->testAttribute(Qt::WA_SetFont) ? view->font() : QFont(); // or that of its parent
    QFont font = view->font();
    font.setPointSizeF(points);
    for (auto* header : view_->findChildren<QHeaderView*>())
        headers_.emplace_back(header, header->saveState());
    view_->setFont(font);
}

FigureWithFontSize::~FigureWithFontSize() {
    if (view_)
        view_->setFont(before_);
    for (const auto& [header, state] : headers_)
        header->restoreState(state);
}

FigureRooms roomsOf(const FigureOptions& options, const FigureSource& source) {
    const RoomsPage page(options, source);
    const FigureRooms usual = page.usual();
    return page.isReadable(usual.scale) ? usual : page.narrowed(usual);
}

QSize suggestedSize(const FigureSource& source, const FigureParts& parts) {
    const FigureWithParts figure(source, parts);
    return source.figureSize();
}

double fillingFontSize(const FigureOptions& options, const FigureSource& source) {
    const QSizeF own = suggestedSize(source, options.parts);
    const double usual = figureFont(source).pointSizeF();
    const double filling =
        usual * std::min(options.size.width() / own.width(), options.size.height() / own.height());
    return std::max(usual, std::min(largestFontSize, std::floor(10 * filling) / 10));
}

QFont figureFont(const FigureSource& source) {
    const auto* view = dynamic_cast<const QWidget*>(&source);
    return view ? view->font() : QApplication::font();
}

namespace {

double pointsOf(const FigureOptions& options, const FigureSource& source) {
    return options.fontSize > 0 ? options.fontSize : figureFont(source).pointSizeF();
}

} // namespace

double figureScale(const FigureOptions& options, const FigureSource& source) {
    return roomsOf(options, source).scale;
}

QString scaleInWords(const FigureOptions& options, const FigureSource& source) {
    const double scale = figureScale(options, source);
    const double points = pointsOf(options, source) * scale;
    if (scale <= nearlyWhole)
        return FigureRoomsWords::tr("Drawn at %1 % of its size, so that nothing is cut: text of %2 points")
            .arg(100 * scale, 0, 'f', 0)
            .arg(points, 0, 'f', 1);
    return options.fontSize > 0 ? FigureRoomsWords::tr("Text of %1 points").arg(points, 0, 'f', 1)
                                : QString();
}

bool makesLettersSmall(const FigureOptions& options, const FigureSource& source) {
    constexpr double rounded = 0.05; // rounded to leastLetters when displayed
    const double scale = figureScale(options, source);
    return scale <= nearlyWhole && pointsOf(options, source) * scale < leastLetters - rounded;
}

int figureHeight(FigureOptions options, const FigureSource& source) {
    const QSizeF own = suggestedSize(source, options.parts);
    options.size.setHeight(std::lround(options.size.width() * own.height() / own.width()));
    options.fontSize = 0; // one that fills the page follows from the height
    const RoomsPage page(options, source);
    if (page.isReadable(roomsOf(options, source).scale))
        return options.size.height();
    const double width = options.size.width();
    const QSize narrow = page.narrow(1 / page.readable());
    if (narrow.width() >= own.width())
        return options.size.height();
    const double units = std::max(1 / page.readable(), narrow.width() / width);
    const double needed =
        std::ceil((narrow.height() + page.below(narrow.width())) / units - figureRoomsNearly);
    FigureOptions high = options;
    high.size.setHeight(static_cast<int>(std::min(needed, highest * width)));
    return figureScale(high, source) > worthwhile * width / own.width() ? high.size.height()
                                                                        : options.size.height();
}

} // namespace headscope::widgets
