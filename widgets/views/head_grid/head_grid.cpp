#include "widgets/views/head_grid/head_grid.h"

#include "widgets/controls/view_choices.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/places.h"
#include "widgets/words/hint_for_no_run.h"

#include <QVBoxLayout>

#include <utility>

namespace headscope::widgets {

HeadGrid::HeadGrid(Selection* selection, QWidget* parent)
    : TileView(selection, parent), view_(new HeadGridView(selection, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(view_);
    setFocusProxy(view_);
    setAccessibleName(view_->accessibleName());
    setGrid(view_);
}

void HeadGrid::refresh() {
    const auto& document = *context().document;
    TileView::refresh();
    const auto statistic = chosenStatistic(document);
    if (std::exchange(shown_, statistic) != statistic)
        showStatistics(heads_);
    view_->setTinted(chosenFlag(document, "heads", "tinted"));
    view_->setSorted(chosenFlag(document, "heads", "sorted"));
    view_->setLayerOnly(chosenFlag(document, "heads", "layer"));
}

std::optional<View::Lacking> HeadGrid::lacks() const {
    const auto& document = *context().document;
    const bool isTinted = chosenFlag(document, "heads", "tinted");
    return !chosenStatistic(document) && (isTinted || chosenFlag(document, "heads", "sorted"))
               ? lackingImportance(context(), isTinted ? "tinted" : "sorted")
               : std::nullopt;
}

QString HeadGrid::whyNot(const std::string&) const {
    return context().document->run ? QString()
                                   : tr("There is nothing decoded yet. %1").arg(hintForNoRun(*this));
}

void HeadGrid::showStatistics(const std::vector<analysis::HeadStatistics>& heads) {
    heads_ = heads;
    view_->setStatistic(shown_ ? std::optional(tintByStatistic(*shown_, heads_)) : std::nullopt);
}

void HeadGrid::showScores(const ShownScores& scores) {
    view_->setImportance(scores.ranked(), scores.caption());
}

View* views::makers::head_grid(Selection* selection, QWidget* parent) {
    return new HeadGrid(selection, parent);
}

} // namespace headscope::widgets
