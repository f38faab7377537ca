#pragma once

#include <QWidget>

#include "widgets/view.h"

#include <optional>
#include <string>
#include <vector>

class QLabel;
class QPushButton;
class QTreeWidget;

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

/// The list of branches. Selecting one shows it; F2 or a double click on its name renames it.
class BranchList : public View {
    Q_OBJECT

  public:
    explicit BranchList(QWidget* parent = nullptr);

    void refresh() override;
    void setBranches(const std::vector<Branch>& branches);
    /// Takes the place of the shown branch, which the run has last.
    void showPicture(const PictureOptions& options) override;
    void addChoices(ViewChoices& choices) override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;

    bool hasFigure() const override { return !branches_.empty(); }
    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    trace::FigureData figureData() const override;

  protected:
    /// The arrow keys step, as in other views, instead of scrolling the list.
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void followRow();
    std::size_t currentRow() const;
    void list();
    void rename(std::size_t row, const std::string& name);
    void compare();
    std::vector<std::size_t> order() const;
    std::vector<std::string> givenNames() const;

    DocumentState::Branches listed_;
    std::optional<std::size_t> placeOfShown_; ///< empty: where the run has it
    bool opened_ = false;                     ///< the panel was, for several branches
    std::vector<Branch> branches_;
    QTreeWidget* list_;
    QLabel* hint_;
    QPushButton* compare_;
    QPushButton* rename_;
    QPushButton* remove_;
    bool filling_ = false;
};

} // namespace headscope::widgets
