// Draws views of heads and their statistics, with choices that other panels make in the window.
#include "app/desktop/picture_names.h"
#include "app/render/picture_makers.h"
#include "model/analysis/heads/head_ranking.h"
#include "widgets/selection.h"
#include "widgets/tables/known_heads.h"
#include "widgets/views/head_page/head_page.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/importance/importance_view.h"

namespace headscope::app {

namespace {

using Options = widgets::PictureOptions;
using Stage = RenderedView;

} // namespace

widgets::FigureSource* makeHeadPage(const Scene& scene, const Options&, QMainWindow& window, Stage& stage) {
    auto* page = placed(new widgets::HeadPage(&window), scene, window, stage);
    auto* table = new widgets::HeadTable(scene.document->selection(), page);
    follow(scene, *table, stage);
    table->hide();
    const auto show = [=, scene = scene] {
        page->setFacts(widgets::headFacts(table->known(), scene.document->selection()->head()));
    };
    QObject::connect(table, &widgets::HeadTable::listedChanged, page, show);
    show();
    return page;
}

} // namespace headscope::app
