#pragma once

#include <QWidget>

#include "widgets/animated_figure.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/lens/lens_step.h"
#include "widgets/views/lens/lens_table.h"
#include "widgets/views/lens/lens_tint.h"

#include <memory>

class QComboBox;
class QLabel;

namespace headscope::widgets {

class CardHead;
class ColumnTable;
class LensGrid;
class Patience;

/// The logit lens of a run: the prediction of the model after each sublayer, tinted by its closeness to the
/// model's prediction, with legend and caption.
class LensView : public View, public AnimatedFigure {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit LensView(Selection* selection, QWidget* parent = nullptr);

    /// `lens` must belong to the path of `run`. The view is empty if either is null.
    void setLens(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Lens> lens);
    /// Sets the hint for the empty view: a sentence.
    void setWhyEmpty(const QString& wayThere);
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    std::optional<Lacking> lacks() const override;
    void setSpaceMarksShown(bool shown) override;

    LensGrid* grid() const { return grid_; }
    QWidget* takesKeys() const override;
    void showPicture(const PictureOptions& options) override;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    /// Fits all rows and columns.
    bool hasFigure() const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    trace::FigureData figureData() const override;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

    void showForm() override;

  private:
    /// Of all steps, or on a card of what is explained.
    std::optional<trace::Question> question() const;
    /// That the person looks at; requires a table.
    trace::TokenIndex column() const;
    void layOutForm();
    void showStep();
    std::optional<LensBaseline> baseline() const;
    void showNothing();
    LensTint tint() const;
    /// The token that the chosen ones are compared with, if any.
    std::optional<trace::Token> contrast() const;
    void chooseTint();
    QString caption() const;
    void showCaption();

    std::shared_ptr<const LensTable> table_ = std::make_shared<const LensTable>();
    Selection* selection_;
    LensGrid* grid_;
    CardHead* head_;
    ColumnTable* stages_; ///< of the step, on a card
    QWidget* choices_;
    QComboBox* tints_;
    QWidget* legend_;
    QWidget* whose_; ///< hidden without a twin
    QComboBox* of_;  ///< the model or its twin
    QLabel* caption_;
    QLabel* note_; ///< below `stages_`
    Patience* patience_;
};

} // namespace headscope::widgets
