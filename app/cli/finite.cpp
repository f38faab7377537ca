#include "app/cli/finite.h"

#include "model/trace/refusal.h"

#include <cmath>
#include <string>

namespace headscope::app {

namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& found) {
    throw trace::Refusal({.what = "The network computed numbers that are not finite",
                          .where = where,
                          .expected = "finite log-probabilities",
                          .found = found,
                          .wayOut =
                              "check the model's settings (embedding_scale, norm_eps, score_scale) and its "
                              "weights; trace and render show where it begins"});
}

std::string whereOf(const trace::ModelSummary* model) {
    return model ? model->path : std::string();
}

} // namespace

void refuseUnlessFinite(const trace::Run& run) {
    if (const auto step = trace::firstStepNotFinite(run))
        refuse(whereOf(run.model.get()) + ", step " + std::to_string(*step),
               "log-probabilities that are not numbers");
}

void refuseUnlessFinite(double value, const std::string& what, const trace::ModelSummary& model) {
    if (!std::isfinite(value))
        refuse(whereOf(&model), what + (std::isnan(value) ? " NaN" : " infinity"));
}

} // namespace headscope::app
