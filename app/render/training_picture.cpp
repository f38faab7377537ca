#include "app/command_line_text.h"
#include "app/export/picture_facts.h"
#include "app/models/training_log.h"
#include "app/render/picture_files.h"
#include "app/training/training_report.h"
#include "model/trace/refusal.h"
#include "widgets/views/training/training_curves.h"
#include "widgets/views/training/training_name.h"

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
    const auto name = options.choices.find("name");
    widgets::TrainingCurves curves;
    curves.setName(QString::fromStdString(
        name == options.choices.end() ? widgets::trainingName(log) : std::get<std::string>(name->second)));
    curves.setPoints(std::move(points));
    writePicture(work, job, curves, trainingFacts(work.modelName, withFontSize(options, curves)), stop);
}

} // namespace headscope::app
