#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include "model/trace/figure_data.h"
#include "widgets/picture_options.h"

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

/// Units of a figure's size in an inch.
inline constexpr int screenDpi = 96;

/// What a saved figure says about itself, in its metadata.
struct FigureText {
    QString title;      ///< such as "cross.2.5"
    QString caption;    ///< the sentence under the picture
    QString provenance; ///< model and sentence
    QString head;       ///< "cross.2.5", or a site; empty where the figure is of no head
    QString quantity;   ///< "weights"; empty where the caption says it all
};

/// What a figure has beside what it is of. Labels, titles of axes, legends and colour bars are always drawn,
/// and so is what tells of the run itself, such as the sign of a head that is switched off.
struct FigureParts {
    bool caption = true; ///< the sentences below the picture; FigureText::caption has them in any case
    /// What else is said in words beside the picture of how it was made or how to read it, such as how many
    /// rows have no names.
    bool notes = true;
    bool marks = true; ///< of the current step, of what is pinned, and of what is selected
    friend bool operator==(const FigureParts&, const FigureParts&) = default;
};

/// Where a view is drawn: in the window, where words have two lines and all of them are in a tooltip, or on a
/// page, where all of them are read.
enum class Canvas { Window, Page };

/// A view that can be saved, as a picture and as the numbers behind it. The figure is drawn by the same
/// functions as the screen, in the colours that are asked for, without the pointer's marks.
class FigureSource {
  public:
    virtual ~FigureSource() = default;

    /// Draws on (0, 0) to `size`, in units of 1/96 inch.
    virtual void drawFigure(QPainter& painter, QSize size, const Theme& theme) const = 0;
    /// Calls `ready` once drawFigure() takes no time that a person notices, unless the view goes before or is
    /// asked again. At once where a view says nothing else. `theme` stays.
    virtual void prepareFigure(const Theme&, const std::function<void()>& ready) { ready(); }
    virtual FigureText figureText() const = 0;
    /// A good size for a figure, in units of 1/96 inch, with room for all of it: smaller ones are made
    /// smaller.
    virtual QSize figureSize() const { return {800, 640}; }
    /// The least room, about `width` wide, in which all of it is whole with letters of the same size, for
    /// pages on which figureSize() makes them too small to be read. Wider where it cannot be that narrow.
    virtual QSize narrowFigure(int /*width*/) const { return figureSize(); }
    /// False where there is nothing to save; the window then says so instead of saving an empty page.
    virtual bool hasFigure() const = 0;
    /// False where it shows nothing of the model that is open: its file then names neither weights nor
    /// command.
    virtual bool isOfRun() const { return true; }
    /// What it shows, where that may be another run than the one that the window shows; null: that one.
    virtual std::shared_ptr<const trace::Run> ownRun() const { return nullptr; }
    /// The log of a training that it is of; empty: of a run.
    virtual QString trainingLog() const { return {}; }
    /// The numbers that the picture shows. Empty where there is no figure.
    virtual trace::FigureData figureData() const { return {}; }
    /// Where there is a figure without numbers: why, in a sentence or two.
    virtual QString whyNoData() const { return {}; }
    /// What can be chosen in it, for sessions, undo and `render`. It outlives the choices.
    virtual void addChoices(ViewChoices& /*choices*/) {}
    /// The head that is drawn there, for the menu of what can be done with it.
    virtual std::optional<trace::HeadAddress> headAt(QPoint /*position*/) const { return std::nullopt; }
    /// The options of `render` that draw it, from `options`, which say where a person looks; nothing where no
    /// command draws it.
    virtual std::optional<PictureOptions> picture(PictureOptions /*options*/) const { return std::nullopt; }
    /// Makes the picture's choices, which are those that are `chosen`, those that are seen; false where no
    /// command can say them.
    virtual bool exportChoices(PictureOptions& /*picture*/, const Choices& /*chosen*/) const { return true; }
    /// What its file is called after its view and page: such as the head.
    virtual QStringList nameParts(const trace::HeadAddress& /*head*/, int /*step*/) const {
        return figureText().head.split(QStringLiteral(", "));
    }

  protected:
    /// What is drawn: all of it, unless a figure is made without some of it (FigureWithParts).
    const FigureParts& figureParts() const { return parts_; }
    /// `words` of a caption, or nothing where it is not drawn.
    QString asCaption(const QString& words) const { return parts_.caption ? words : QString(); }
    QString asNote(const QString& words) const { return parts_.notes ? words : QString(); }

  private:
    friend class FigureWithParts;
    mutable FigureParts parts_; ///< not of what is shown, but of the figure that is being made
};

/// As long as it lives, a source sizes and draws figures with these parts alone.
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
