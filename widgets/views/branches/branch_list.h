#pragma once

#include "widgets/controls/figure_view.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope::widgets {

/// A path of a request as listed.
struct Branch {
    QString name;
    QString text;              ///< its output
    double logProbability = 0; ///< sum over its tokens, without a prompt
    std::size_t tokens = 0;
    bool shown = false;
};

/// Returns one branch for each path of the run's request.
std::vector<Branch> branchesOf(const trace::Run& run, const std::vector<std::string>& names);

/// Lists the branches, for pictures.
class BranchList : public FigureView {
    Q_OBJECT

  public:
    using FigureView::FigureView;

    void refresh() override;
    void setBranches(const std::vector<Branch>& branches);
    const std::vector<Branch>& branches() const { return branches_; }
    /// Takes the place of the shown branch, which the run has last.
    void showPicture(const PictureOptions& options) override;
    void addChoices(ViewChoices& choices) override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;

    bool hasFigure() const override { return !branches_.empty(); }
    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    trace::FigureData figureData() const override;
    QString whyEmpty() const override { return tr("Lists the decoding branches."); }

  private:
    void list();
    std::vector<std::size_t> order() const;

    DocumentState::Branches listed_;
    std::optional<std::size_t> placeOfShown_; ///< empty: where the run has it
    std::vector<Branch> branches_;
};

} // namespace headscope::widgets
