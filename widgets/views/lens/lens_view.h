#pragma once

#include <QWidget>

#include "widgets/filmed_figure.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/lens/lens_table.h"
#include "widgets/views/lens/lens_tint.h"

#include <memory>

class QComboBox;
class QLabel;

namespace headscope::widgets {

class LensGrid;
struct LensFigure;

/// The logit lens of a run: what the decoder would say at each step if it ended after each sublayer, tinted
/// by how near that is to what it said in the end, with the choice of the tint, a legend and a caption.
class LensView : public View, public FilmedFigure {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit LensView(Selection* selection, QWidget* parent = nullptr);

    /// The lens of the run's path; nothing is shown where either is null.
    void setLens(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Lens> lens);
    /// What gets to a lens where there is none: a sentence.
    void setWhyEmpty(const QString& wayThere);
    void setSpaceMarksShown(bool shown) override;

    LensGrid* grid() const { return grid_; }

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    /// All rows and columns.
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    bool hasFigure() const override { return !table_->isEmpty(); }
    trace::FigureData figureData() const override;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    LensTint tint() const;
    void chooseTint();
    QString caption() const;
    LensFigure figure() const;
    void showCaption();

    std::shared_ptr<const LensTable> table_ = std::make_shared<const LensTable>();
    LensGrid* grid_;
    QWidget* choices_;
    QComboBox* tints_;
    QWidget* legend_;
    QLabel* caption_;
};

} // namespace headscope::widgets
