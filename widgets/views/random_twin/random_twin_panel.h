#pragma once

#include <QWidget>

#include "model/analysis/compare/compare_readings.h"
#include "model/analysis/heads/head_statistics.h"
#include "model/trace/refusal.h"
#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QSplitter;

namespace headscope::widgets {

class HeatmapView;
class SeedBox;
class TwoReadingsTable;

/// A question (trace::Counted): the entropy of a head in both.
struct EntropiesWhat {
    using Value = std::optional<analysis::EntropyComparison>;
    std::shared_ptr<const trace::Run> run;
    std::shared_ptr<const trace::Run> twin;
    trace::HeadAddress head;
    Value count(const trace::Task& work) const;
    friend bool operator==(const EntropiesWhat&, const EntropiesWhat&) = default;
};

/// The model beside its twin, which is the same network with random weights: what the twin says by itself,
/// what it thinks of the model's output, and the selected head's map in it. What both have is architecture;
/// what the model alone has was learned.
class RandomTwinPanel : public View, public AnimatedFigure {
    Q_OBJECT

  public:
    /// `selection` outlives the panel.
    explicit RandomTwinPanel(Selection* selection, QWidget* parent = nullptr);

    void setSeed(std::uint64_t seed);
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    void fit() override;
    void addChoices(ViewChoices& choices) override;
    /// The run that is shown, and the twin's whose last path reads its output and whose first is its own;
    /// both null where there are none.
    void setRuns(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Run> twin);
    /// Of the selected head in both; what stands there names its head, and stays until there is something
    /// newer. Nothing where there is no such head.
    void setEntropies(const std::optional<analysis::EntropyComparison>& entropies);
    /// Why there is no twin.
    void showRefusal(const trace::RefusalText& text);

    HeatmapView* map() const { return map_; }
    /// Everything the panel says in words.
    QString words() const;
    QSize minimumSizeHint() const override { return {280, 180}; }

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override { return run_ && twin_; }
    void setRowsDecoded(std::optional<std::size_t> rows) override;
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown) override;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    EntropiesWhat entropies() const;
    void buildWords();
    QWidget* scrolled(QWidget* content);
    void showWords();
    void arrange();
    FigureBlock tableBlock() const;
    FigureBlock mapBlock() const;

    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::Run> twin_;
    std::vector<analysis::TokenReading> readings_;
    std::optional<analysis::EntropyComparison> entropies_;
    std::shared_ptr<const EntropiesWhat::Value> known_; ///< what that is
    bool spaceMarks_ = true;
    SeedBox* seed_;
    QWidget* words_;
    QLabel* said_;
    QLabel* probabilities_;
    QLabel* entropy_;
    TwoReadingsTable* table_;
    HeatmapView* map_;
    QSplitter* sides_;
};

} // namespace headscope::widgets
