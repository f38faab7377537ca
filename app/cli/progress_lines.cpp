#include "app/cli/progress_lines.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace headscope::app {

namespace {

using nlohmann::ordered_json;

void add(ordered_json& object, const char* key, const std::optional<double>& value) {
    if (value)
        object[key] = *value;
}

ordered_json objectOf(const training::Validation& validation) {
    ordered_json entropy = ordered_json::object();
    add(entropy, "encoder", validation.entropy.encoder);
    add(entropy, "decoder", validation.entropy.decoder);
    add(entropy, "cross", validation.entropy.cross);
    ordered_json object{
        {"loss", validation.loss}, {"accuracy", validation.accuracy}, {"best", validation.best}};
    add(object, "bleu", validation.bleu);
    object["entropy"] = std::move(entropy);
    return object;
}

ordered_json objectOf(const training::TrainingProgress& progress) {
    if (!progress.message.empty())
        return {{"message", progress.message}};
    ordered_json object{{"step", progress.step},
                        {"steps", progress.steps},
                        {"epoch", progress.epoch + 1},
                        {"loss", progress.loss},
                        {"tokens_per_second", progress.tokensPerSecond},
                        {"learning_rate", progress.learningRate},
                        {"seconds_left", progress.secondsLeft},
                        {"logged", progress.logged}};
    if (progress.validation)
        object["validation"] = objectOf(*progress.validation);
    if (progress.sample)
        object["sample"] = {{"source", progress.sample->source}, {"output", progress.sample->output}};
    return object;
}

} // namespace

std::string progressLine(const training::TrainingProgress& progress) {
    return objectOf(progress).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace headscope::app
