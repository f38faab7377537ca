#pragma once

#include <QWidget>

#include "model/trace/lens.h"
#include "model/trace/run.h"
#include "widgets/filmed_figure.h"
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

/// Direct logit attribution: the logit of the token that the current step chose, or its difference from that
/// of another token, as the sum of what every part of the model wrote.
class AttributionView : public View, public FilmedFigure {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit AttributionView(Selection* selection, QWidget* parent = nullptr);

    /// The lens of the run's path; nothing is shown where either is null.
    void setLens(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Lens> lens);
    /// What gets to an attribution where there is none: a sentence.
    void setWhyEmpty(const QString& wayThere);

    ContrastField* contrast() const { return contrast_; }

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    /// As high as its rows need.
    QSize figureSize() const override;
    bool hasFigure() const override { return attribution() != nullptr; }
    trace::FigureData figureData() const override;

  protected:
    void changeEvent(QEvent* event) override;
    void measureFilm() override;

  private:
    /// Of the current step; null where there is none.
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
    double filmLimit_ = 0; ///< of the bars of all steps
};

} // namespace headscope::widgets
