#pragma once

#include <QWidget>

#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/architecture/architecture_words.h"

#include <memory>

class QBoxLayout;
class QLabel;
class QScrollArea;
class QStackedWidget;
class QStandardItemModel;
class QTreeView;

namespace headscope::widgets {

class ArchitectureDiagram;
class CardFrame;
class CardHead;
class Segments;

/// The open model as a diagram of its blocks, with the numbers of the chosen one at its right, and as a table
/// of all numbers. Norms of the flowing tensors
/// are measured while the view is visible.
class ArchitectureView : public View {
    Q_OBJECT

  public:
    enum Page { Diagram, Table };

    /// `selection` must outlive the view.
    explicit ArchitectureView(Selection* selection, QWidget* parent = nullptr);
    ~ArchitectureView() override;

    /// `model` may be null.
    void setModel(std::shared_ptr<const trace::ModelSummary> model) override;
    /// `run` may be null; otherwise also sets its model.
    void setRun(std::shared_ptr<const trace::Run> run) override;
    Page page() const;
    void setPage(Page page);
    QWidget* canvasLine() const override { return bar_; }
    ArchitectureDiagram* diagram() const { return diagram_; }
    const ArchitectureFacts& facts() const { return facts_; }
    QString caption() const;
    /// Description of the current block.
    QString details() const;
    /// The same as rows, as they stand beside the diagram.
    QString numbers() const;

    std::vector<trace::Wanted> questions() const override;
    void refresh() override;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool isZoomed() const override;
    bool hasFigure() const override { return facts_.model != nullptr; }
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown) override;

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    void follow(const trace::HeadAddress& head);
    void select(const std::string& role);
    void factsChanged();
    void showWords();
    void showTable();
    /// Returns true if the table page is shown and not empty.
    bool isTableShown() const;
    QString wholeNote() const;
    QString wordsBelow(const FigureParts& parts) const;
    FigureBlock diagramBlock() const;

    Selection* selection_;
    ArchitectureFacts facts_;
    QWidget* bar_;
    QLabel* line_; ///< on the model
    Segments* pages_;
    QBoxLayout* row_;
    QStackedWidget* stack_;
    ArchitectureDiagram* diagram_;
    QTreeView* tree_;
    QStandardItemModel* table_;
    CardFrame* inspector_;
    CardHead* title_;
    QScrollArea* area_;
    QLabel* numbers_;
    bool spaceMarks_ = true;
    bool tableStale_ = true;
};

} // namespace headscope::widgets
