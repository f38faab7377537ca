#pragma once

#include <QWidget>

#include "model/analysis/maps/mask_effect.h"
#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/map/linked_maps.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QSpinBox;
class QStackedWidget;
class QTabBar;

namespace headscope::widgets {

class BatchView;
class LinkedMaps;

/// A page of the masks of a head whose maps are not stored.
struct MaskQuestion {
    struct Value {
        std::vector<LinkedMap> maps;
        QString caption;
    };
    static constexpr bool takesLong = true;

    std::shared_ptr<const trace::Run> run;
    trace::HeadAddress head;
    bool isOfEffect = false; ///< scores and weights; otherwise why cells are masked

    Value count(const trace::Task& work) const;
    friend bool operator==(const MaskQuestion&, const MaskQuestion&) = default;
};

/// Shows what masks do. For the selected head: why each cell is masked (subsequent mask, padding mask, and
/// the mask that the model applied), and the scores before and after. Also a batch of typed sentences, padded
/// to the longest.
class MaskView : public View, public AnimatedFigure {
    Q_OBJECT

  public:
    enum Page { Why, Effect, Batch };

    /// `selection` must outlive the view.
    explicit MaskView(Selection* selection, QWidget* parent = nullptr);

    /// The open model, before it has run.
    void setModel(std::shared_ptr<const trace::ModelSummary> model) override;
    /// `run` may be null. Sets the spin boxes to the run's padding without emitting a signal.
    void setRun(std::shared_ptr<const trace::Run> run) override;

    Page page() const;
    /// The caption of the visible page.
    QString caption() const;
    /// Describes the highlighted cell, row or column; empty if there is none.
    QString detail() const;
    BatchView* batch() const { return batch_; }
    void noteIntent(const Intent& intent) override;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;
    void setRowsDecoded(std::optional<std::size_t> rows) override;
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    void setContext(const ViewContext& context) override;
    void showPicture(const PictureOptions& options) override;
    QString whyEmpty() const override;
    QSize sizeHint() const override { return {720, 360}; }

  public Q_SLOTS:
    void setPage(headscope::widgets::MaskView::Page page);
    void setSpaceMarksShown(bool shown) override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    QWidget* buildControls();
    void mapsChanged();
    /// Builds the maps of the visible page if they are missing.
    void buildMaps();
    void showPage();
    void followFocus();
    QWidget* buildMapsPage();
    void keepHeights();
    void reserveDetail();
    LinkedMaps* mapsInSight() const;
    /// Returns true if the run has the selected head.
    bool hasMasks() const;
    /// Returns true if its maps are not stored.
    bool isLong() const { return hasMasks() && run_->record(head().site)->isRecomputed(); }
    void setEmptyStates();

    bool isCounted() const { return counted_.contains(page()); }
    /// Of the visible page; nothing if it needs no background work, or the run still grows.
    std::optional<MaskQuestion> counting() const;
    QString whyNotCounted() const;
    trace::HeadAddress head() const { return selection_->head(); }

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    analysis::MaskEffect effect_; ///< empty until visible, and for long maps
    std::map<Page, std::shared_ptr<const MaskQuestion::Value>> counted_; ///< for a long map
    QString missing_; ///< what is said instead of the page of a long map that is not counted
    QTabBar* pages_;
    QStackedWidget* stack_;
    LinkedMaps* why_;
    LinkedMaps* shownEffect_;
    QStackedWidget* maps_; ///< why_ and shownEffect_
    BatchView* batch_;
    QLabel* detail_;
    QLabel* caption_;
    QSpinBox* sourcePadding_;
    QSpinBox* targetPadding_;
    QWidget* controls_;
};

} // namespace headscope::widgets
