#pragma once

#include <QPoint>
#include <QSize>
#include <QString>
#include <QStringList>

#include "model/trace/figure_data.h"
#include "widgets/figure_blocks.h"
#include "widgets/picture_options.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

class QPainter;

namespace headscope::trace {
struct Run;
}

namespace headscope::widgets {

class ViewChoices;
struct Theme;

inline constexpr int screenDpi = 96;

/// Texts about an exported figure for its metadata.
struct FigureText {
    QString title;      ///< such as "cross.2.5"
    QString caption;    ///< the sentences below the picture
    QString provenance; ///< model and sentence
    QString head;       ///< "cross.2.5", or a site; empty if the figure shows no particular head
    QString quantity;   ///< "weights"; empty if the caption names it
};

/// Target of drawing: the window, where texts have two lines and a tooltip shows them in full, or a page,
/// where all of the text is drawn.
enum class Canvas { Window, Page };

/// A head that somebody points at, or a cell of its map.
struct PointedAt {
    struct Cell {
        std::size_t query = 0;
        std::size_t key = 0;
    };
    trace::HeadAddress head;
    std::optional<Cell> cell;
    const trace::Run* run = nullptr; ///< that the map is of; null: the shown one
};

/// A view that can be exported as a picture and as data. The figure is drawn by the same functions as the
/// screen, with a given theme and without marks of the pointer.
class FigureSource {
  public:
    virtual ~FigureSource() = default;

    /// The figure, of which size and drawing follow; empty if there is none, or if the view lays it out by
    /// itself with the next functions.
    virtual std::optional<FigureBlocks> figureBlocks() const { return std::nullopt; }
    /// Draws in the rectangle from (0, 0) to `size`, in units of 1/96 inch.
    virtual void drawFigure(QPainter& painter, QSize size, const Theme& theme) const;
    /// Calls `ready` once drawFigure() is fast, unless the view is destroyed or the function is called again
    /// before. Ready at once by default. `theme` must stay valid.
    virtual void prepareFigure(const Theme&, const std::function<void()>& ready) { ready(); }
    virtual FigureText figureText() const = 0;
    /// Suggested size of a figure, in units of 1/96 inch, with room for all of it: in less room it is scaled
    /// down.
    virtual QSize figureSize() const;
    /// Smallest size, about `width` wide, in which the figure is complete with text of unchanged size, for
    /// pages on which figureSize() makes text too small. Wider than `width` if necessary.
    virtual QSize narrowFigure(int width) const;
    /// False if there is nothing to draw; the window then reports that instead of exporting an empty page.
    virtual bool hasFigure() const = 0;
    /// False if the figure does not show the open model: the file then names neither weights nor command.
    virtual bool isOfRun() const { return true; }
    /// The run that the figure shows, if it may differ from that of the window; null: that of the window.
    virtual std::shared_ptr<const trace::Run> ownRun() const { return nullptr; }
    /// The path of that run which the figure shows, whichever is the shown one.
    virtual std::optional<std::size_t> ownPath() const { return std::nullopt; }
    /// Log of the training that the figure shows; empty if it shows a run.
    virtual QString trainingLog() const { return {}; }
    /// The data behind the picture. Empty if there is no figure.
    virtual trace::FigureData figureData() const { return {}; }
    /// Explains in a sentence or two why a figure has no data.
    virtual QString whyNoData() const { return {}; }
    /// Adds the view's choices, for sessions, undo and `render`. The view must outlive `choices`.
    virtual void addChoices(ViewChoices& /*choices*/) {}
    /// The head or the cell drawn at this position, for its context menu.
    virtual std::optional<PointedAt> pointedAt(QPoint /*position*/) const { return std::nullopt; }
    /// The step whose column is drawn at this position, for the menu of its token.
    virtual std::optional<trace::TokenIndex> stepAt(QPoint /*position*/) const { return std::nullopt; }
    /// Returns the options of `render` that draw the figure, based on `options`, which contain the selection;
    /// empty if no command draws it.
    virtual std::optional<PictureOptions> picture(PictureOptions /*options*/) const { return std::nullopt; }
    /// Replaces the picture's choices, which are those of `chosen`, by what the figure shows; returns false
    /// if no command can express it.
    virtual bool exportChoices(PictureOptions& /*picture*/, const Choices& /*chosen*/) const { return true; }
    /// True if a part is magnified. A command draws the whole.
    virtual bool isZoomed() const { return false; }
    /// Parts of the file name after view and page, such as the head.
    virtual QStringList nameParts(const trace::HeadAddress& /*head*/, int /*step*/) const {
        return figureText().head.split(QStringLiteral(", "));
    }

  protected:
    /// Parts to draw: all, unless a FigureWithParts restricts them.
    const FigureParts& figureParts() const { return parts_; }
    /// Returns `words` if captions are drawn, else an empty string.
    QString asCaption(const QString& words) const { return parts_.caption ? words : QString(); }

  private:
    friend class FigureWithParts;
    mutable FigureParts parts_; ///< mutable, as it belongs to the figure being drawn and not to the view
};

/// While it exists, sizes and drawings of `source` contain only these parts.
class FigureWithParts {
  public:
    FigureWithParts(const FigureSource& source, const FigureParts& parts)
        : source_(source), before_(std::exchange(source.parts_, parts)) {}
    ~FigureWithParts() { source_.parts_ = before_; }
    FigureWithParts(const FigureWithParts&) = delete;
    FigureWithParts& operator=(const FigureWithParts&) = delete;

  private:
    const FigureSource& source_;
    FigureParts before_;
};

} // namespace headscope::widgets
