#pragma once

#include <QWidget>

#include "model/analysis/maps/mask_effect.h"
#include "model/trace/run.h"
#include "widgets/filmed_figure.h"
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

/// What the masks do. Of the selected head's attention: why each cell is closed (the subsequent mask, the
/// padding mask, and the mask that the model really applied), and what becomes of the scores. And a batch of
/// sentences of a person's own, padded to the longest.
class MaskView : public View, public FilmedFigure {
    Q_OBJECT

  public:
    enum class Page { Why, Effect, Batch };

    /// `selection` outlives the view.
    explicit MaskView(Selection* selection, QWidget* parent = nullptr);

    /// The one that is open, as long as it has not run.
    void setModel(std::shared_ptr<const trace::ModelSummary> model) override;
    /// May be null. The spin boxes follow the run's padding without emitting anything.
    void setRun(std::shared_ptr<const trace::Run> run) override;

    Page page() const;
    /// The sentence under the pictures of the page in sight.
    QString caption() const;
    /// What is said of the lit cell, row or column; empty where nothing is lit.
    QString detail() const;
    BatchView* batch() const { return batch_; }

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;
    void setRowsDecoded(std::optional<std::size_t> rows) override;
    std::optional<Errand> errand() override;
    QSize sizeHint() const override { return {720, 360}; }

  public Q_SLOTS:
    void setPage(headscope::widgets::MaskView::Page page);
    void setSpaceMarksShown(bool shown) override;

  Q_SIGNALS:
    /// A person asked for padding; counts are tokens appended.
    void paddingChanged(int source, int target);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    QWidget* buildControls();
    void mapsChanged();
    /// Those of the page in sight, if they are not there yet.
    void buildMaps();
    void showPage();
    void followFocus();
    QWidget* buildMapsPage();
    void keepHeights();
    void reserveDetail();
    LinkedMaps* mapsInSight() const;
    /// The run holds the selected head.
    bool hasMasks() const;
    /// The run left its maps out.
    bool isLong() const;
    void setEmptyStates();

    /// What a page shows of long maps.
    struct Counted {
        std::shared_ptr<const trace::Run> run;
        trace::HeadAddress head;
        std::vector<LinkedMap> maps;
        QString caption;
    };
    bool isCounted() const;
    void setCounted(Page page, Counted counted);
    trace::HeadAddress head() const { return selection_->head(); }

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    analysis::MaskEffect effect_; ///< empty as long as nobody looks at it, and of long maps
    std::map<Page, Counted> counted_;
    double shareCounted_ = 0; ///< of long maps, of what is under way
    QString whyNot_;          ///< nothing is counted of long maps
    QTabBar* pages_;
    QStackedWidget* stack_;
    LinkedMaps* why_;
    LinkedMaps* shownEffect_;
    QStackedWidget* maps_; ///< these two
    BatchView* batch_;
    QLabel* detail_;
    QLabel* caption_;
    QSpinBox* sourcePadding_;
    QSpinBox* targetPadding_;
    QWidget* controls_;
};

} // namespace headscope::widgets
