#include "app/command_line_text.h"
#include "app/export/picture_facts.h"
#include "app/models/training_log.h"
#include "app/render/picture_files.h"
#include "app/training/training_report.h"
#include "model/trace/refusal.h"
#include "widgets/selection.h"
#include "widgets/views/places.h"

#include <memory>
#include <utility>

namespace headscope::app {

void drawTraining(const PictureWork& work, const PictureJob& job, const std::stop_token& stop) {
    const auto& options = work.options;
    const auto log = trainingLog(work.modelName);
    auto points = pointsOfLog(QString::fromStdString(log.string()));
    if (points.empty())
        throw trace::Refusal({.what = "The log of a training holds no step",
                              .where = log.string(),
                              .expected = "a line of titles with step and loss, and a line every some steps",
                              .found = "none that can be read",
                              .wayOut = "name a log.csv as train writes it"});
    widgets::Selection selection;
    widgets::DocumentState shown;
    shown.training = {trace::trainingName(log), log.string(), std::move(points)};
    const std::unique_ptr<widgets::View> view(widgets::makerOf(options.view)(&selection, nullptr));
    view->setContext({.selection = &selection, .document = &shown});
    view->refresh();
    view->showPicture(options);
    writePicture(work, job, *view, trainingFacts(work.modelName, withFontSize(options, *view)), stop);
}

} // namespace headscope::app
