#pragma once

#include "model/trace/expert_routing.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/experts/expert_map.h"

#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace headscope::widgets {

class Segments;

/// Which experts the routers of a mixture of experts choose: for every token in one layer, for one token in
/// every layer, and how much each expert is used.
class ExpertsView : public View {
    Q_OBJECT

  public:
    enum Page { Tokens, Layers, Load };

    /// `selection` must outlive the view.
    explicit ExpertsView(Selection* selection, QWidget* parent = nullptr);

    Page page() const;
    void setPage(Page page);
    /// Number of the layer of Page::Tokens; -1: there is none.
    int layer() const;
    /// Ignored if the layer has no experts.
    void setLayer(int layer);
    const ExpertMap* map() const { return map_; }

    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    QWidget* canvasLine() const override { return bar_; }
    QWidget* takesKeys() const override { return map_; }
    void setSpaceMarksShown(bool shown) override { map_->setSpaceMarksShown(shown); }
    void fit() override { map_->fit(); }
    QString whyEmpty() const override;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    bool hasFigure() const override { return !map_->isEmpty(); }
    bool isZoomed() const override { return !map_->zoom().isEmpty(); }
    trace::FigureData figureData() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    void addChoices(ViewChoices& choices) override;

  private:
    std::optional<trace::Question> question() const;
    void showLayers();
    void show();
    const trace::LayerRouting* shownLayer() const;
    /// [tokens, experts], [layers, experts] and [layers, experts].
    ExpertMap::Content ofLayer(const trace::LayerRouting& layer) const;
    ExpertMap::Content ofToken(std::size_t token) const;
    ExpertMap::Content ofLoad() const;
    std::size_t token() const;
    std::vector<TokenLabel> layerLabels() const;
    float largestWeight() const;
    QString caption() const;
    /// "Most used: expert 4, by 67 % of the tokens; not used: 0, 2."
    QString loadInWords(const std::vector<double>& load) const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::ExpertRouting> routing_; ///< null: not known
    QString whyNot_;
    int wantedLayer_ = 0; ///< also before there are layers
    QWidget* bar_;
    QLabel* line_;
    QComboBox* layer_;
    Segments* pages_;
    QStackedWidget* stack_;
    ExpertMap* map_;
    QLabel* hint_;
};

} // namespace headscope::widgets
