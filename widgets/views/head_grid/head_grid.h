#pragma once

#include "widgets/tiles/tile_view.h"

namespace headscope::widgets {

class HeadGridView;
class RoleList;

/// The heads of the selected kind as small maps, with the bars and in the order that the document keeps.
class HeadGrid : public TileView {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit HeadGrid(Selection* selection, QWidget* parent = nullptr);

    HeadGridView* view() const { return view_; }
    void refresh() override;
    std::optional<Lacking> lacks() const override;
    QMenu* menu() const override { return menu_; }
    QString whyNot(const std::string& action) const override;
    QString nameOf(const std::string& action) const override;
    void act(const std::string& action) override;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// In a narrow place only the selected layer and no roles are shown, in a low one fewer words.
    void fit();
    /// Chooses what bars and order are by.
    void fillMenu();
    bool needsStatistics() const override { return chosenStatistic(*context().document).has_value(); }
    void showStatistics(const std::vector<analysis::HeadStatistics>& heads) override;
    void showScores(const ShownScores& scores) override;

    std::vector<analysis::HeadStatistics> heads_;
    std::optional<analysis::Statistic> shown_;
    HeadGridView* view_;
    RoleList* roles_;
    std::shared_ptr<const trace::ModelSummary> rolesOf_; ///< whose roles are listed
    QMenu* menu_;
};

} // namespace headscope::widgets
