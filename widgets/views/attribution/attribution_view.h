#pragma once

#include <QWidget>

#include "model/trace/lens.h"
#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include "widgets/views/attribution/attribution_plot.h"

#include <memory>
#include <optional>
#include <set>
#include <string>

class QComboBox;
class QLabel;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace headscope::widgets {

class AttributionModel;
class AttributionTree;
class CardHead;
class ContrastField;
class Patience;
class ReadablePlot;

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
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    std::optional<Lacking> lacks() const override;
    void showPicture(const PictureOptions& options) override;
    QWidget* takesKeys() const override;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    /// High enough for all rows.
    bool hasFigure() const override { return attribution() != nullptr; }
    trace::FigureData figureData() const override;

  protected:
    void changeEvent(QEvent* event) override;
    void measureAnimation() override;
    void showForm() override;

  private:
    void buildCard(QVBoxLayout* column);
    /// Of all steps, or on a card of what is explained.
    std::optional<trace::Question> question() const;
    void layOutForm();
    void showBars();
    /// That of the random twin, if the twin is the baseline and chooses the same token; else null.
    const trace::LogitAttribution* twinsAttribution() const;
    void chooseBar(std::size_t place);
    /// That the person looks at; requires a run.
    trace::TokenIndex answer() const;
    /// The attribution of the current step; null if there is none.
    const trace::LogitAttribution* attribution() const;
    void showNothing();
    void showStep();
    void showWords();
    QString whyEmpty() const override;
    QString hint() const;
    double limit() const;

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
    QLabel* note_; ///< of an encoder
    CardHead* head_;
    QToolButton* sublayers_; ///< two segments on a card
    QToolButton* heads_;
    ReadablePlot* bars_;
    Waterfall waterfall_;
    std::set<trace::SublayerAddress> unfolded_; ///< of the bars
    Patience* patience_;
    double animationLimit_ = 0; ///< value of a full bar in every frame of an animation
};

} // namespace headscope::widgets
