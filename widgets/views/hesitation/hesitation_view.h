#pragma once

#include "model/analysis/output/hesitation.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;

namespace headscope::widgets {

class ColumnTable;
class ReadablePlot;

/// Shows where the model was uncertain: for each step the probability of the chosen token, its margin to the
/// second and the entropy of the next-token distribution, as bars and as a sortable table. Entropies need
/// whole distributions, for which the run is computed again.
class HesitationView : public View {
    Q_OBJECT

  public:
    enum Order { Step, Probability, Margin, Entropy };

    /// `selection` must outlive the view.
    explicit HesitationView(Selection* selection, QWidget* parent = nullptr);

    void setRun(std::shared_ptr<const trace::Run> run) override;
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    const std::vector<analysis::Hesitation>& steps() const { return steps_; }
    /// Steps in the order of the table.
    std::vector<int> ordered() const;
    Order order() const;
    QString caption() const;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override { return !steps_.empty(); }
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setOrder(headscope::widgets::HesitationView::Order order);
    void setSpaceMarksShown(bool shown) override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    void readSteps();
    void takeEntropies(const trace::Run& read);
    void showSteps();
    void showTable();
    std::optional<int> stepInSight() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::vector<analysis::Hesitation> steps_;
    /// The shown run again with whole distributions; empty if it has them.
    std::optional<trace::Question> reading_;
    std::weak_ptr<const trace::Run> read_; ///< its answer that the entropies are of
    QString whyNoEntropy_;
    QComboBox* order_;
    ReadablePlot* plot_;
    ColumnTable* table_;
    QLabel* caption_;
};

} // namespace headscope::widgets
