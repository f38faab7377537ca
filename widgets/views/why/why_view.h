#pragma once

#include "widgets/explained.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include <optional>
#include <vector>

class QComboBox;
class QLabel;

namespace headscope::widgets {

class Segments;

/// "Why X rather than Y?": the step that is explained, the token that all explanations compare it with, and
/// how far it is ahead.
class WhyView : public View {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit WhyView(Selection* selection, QWidget* parent = nullptr);

    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    const std::optional<Explained>& shown() const { return shown_; }
    /// Logits; empty: compared with nothing, or not known yet.
    std::optional<double> lead() const;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override; ///< not of a number, which is compared with nothing
    trace::FigureData figureData() const override;

  private:
    void listSteps();
    void listOthers();
    void chooseStep(int row);
    void chooseOther(int row);
    void chooseTyped();
    void showLead();
    void showBaseline();
    QString heading() const;
    QString whyEmpty() const override;

    Selection* selection_;
    std::optional<Explained> shown_;
    std::vector<trace::Candidate> others_; ///< of the step, the most probable first
    std::optional<trace::RefusalText> refusal_;
    QComboBox* step_;
    QComboBox* other_;
    QLabel* lead_;
    QLabel* words_;
    QLabel* refused_;
    Segments* baseline_;
};

} // namespace headscope::widgets
