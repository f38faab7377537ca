#pragma once

#include <QWidget>

#include "model/trace/lens.h"
#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace headscope::widgets {

struct AttributionFigure;
class AttributionModel;
class AttributionTree;
class ContrastField;

/// Direct logit attribution: splits the logit of the token chosen at the current step, or its difference from
/// the logit of another token, into the contributions of all parts of the model.
class AttributionView : public View, public AnimatedFigure {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit AttributionView(Selection* selection, QWidget* parent = nullptr);

    /// `lens` must belong to the path of `run`. The view is empty if either is null.
    void setLens(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Lens> lens);
    /// Sets the hint for the empty view: a sentence.
    void setWhyEmpty(const QString& wayThere);

    ContrastField* contrast() const { return contrast_; }

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    /// High enough for all rows.
    QSize figureSize() const override;
    bool hasFigure() const override { return attribution() != nullptr; }
    trace::FigureData figureData() const override;

  protected:
    void changeEvent(QEvent* event) override;
    void measureAnimation() override;

  private:
    /// The attribution of the current step; null if there is none.
    const trace::LogitAttribution* attribution() const;
    void showStep();
    void showWords();
    QString whyEmpty() const override;
    double limit() const;
    AttributionFigure figure() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::Lens> lens_;
    QString wayThere_;
    AttributionModel* model_;
    ContrastField* contrast_;
    QComboBox* grouping_;
    QLabel* title_;
    QStackedWidget* pages_;
    AttributionTree* tree_;
    QLabel* hint_;
    QLabel* sum_;
    double animationLimit_ = 0; ///< value of a full bar in every frame of an animation
};

} // namespace headscope::widgets
