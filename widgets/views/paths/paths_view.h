#pragma once

#include "widgets/view.h"
#include "widgets/views/paths/path_tree.h"

#include <memory>
#include <optional>
#include <vector>

class QButtonGroup;
class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace headscope::widgets {

class TextBand;

/// All paths of the decoding as one tree on the columns of the steps: the shown one, branches, hypotheses of
/// the search, forced translations; below it the text of the selected one beside the shown one.
class PathsView : public View {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit PathsView(Selection* selection, QWidget* parent = nullptr);

    void refresh() override;
    void setSpaceMarksShown(bool shown) override;
    QWidget* takesKeys() const override;
    void addChoices(ViewChoices& choices) override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;

    bool hasFigure() const override { return !drawing().isEmpty(); }
    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    trace::FigureData figureData() const override;
    QSize sizeHint() const override { return {720, 320}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    QWidget* newHeader();
    QWidget* newFooter();
    void showPaths();
    void fitParts();
    void showSelected();
    const PathDrawing& drawing() const { return tree_->drawing(); }
    const analysis::PathRow& row(std::size_t place) const { return drawing().paths().rows.at(place); }
    void showRow(std::size_t place);
    void compare();
    QString whyNotCompared() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    DocumentState::Branches listed_;
    Choices chosen_;
    double unsureBelow_ = 0;
    QLabel* complete_;
    QButtonGroup* which_;
    QComboBox* score_;
    QScrollArea* area_;
    PathTree* tree_;
    QLabel* differs_;
    QPushButton* show_;
    QPushButton* compare_;
    QToolButton* more_;
    TextBand* text_;
    std::vector<QWidget*> parts_; ///< hidden while there is nothing
    QWidget* footer_ = nullptr;
    bool spaceMarks_ = true;
    bool opened_ = false; ///< the view was, for several paths
};

} // namespace headscope::widgets
