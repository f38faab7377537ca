#include "app/document/decoding_map.h"

#include <cmath>

namespace headscope::app {

QVariantMap toMap(const trace::Decoding& decoding, int newTokens) {
    return {{"beam", decoding.beam},
            {"lengthPenalty", decoding.lengthPenalty},
            {"minimumLength", decoding.minimumLength},
            {"noRepeat", decoding.noRepeat},
            {"sample", decoding.sample},
            {"temperature", decoding.temperature},
            {"topK", decoding.topK},
            {"topP", decoding.topP},
            {"seed", QVariant::fromValue<qulonglong>(decoding.seed)},
            {"newTokens", newTokens}};
}

std::pair<trace::Decoding, int> fromMap(const QVariantMap& map, const trace::Decoding& model, int newTokens) {
    trace::Decoding decoding = model;
    const auto count = [&](const char* key, int& value, int least) {
        bool isNumber = false;
        const int read = map.value(key).toInt(&isNumber);
        if (isNumber && read >= least)
            value = read;
    };
    const auto number = [&](const char* key, double& value, double least, double most) {
        bool isNumber = false;
        const double read = map.value(key).toDouble(&isNumber);
        if (isNumber && std::isfinite(read) && read >= least && read <= most)
            value = read;
    };
    count("beam", decoding.beam, 1);
    number("lengthPenalty", decoding.lengthPenalty, -100, 100);
    count("minimumLength", decoding.minimumLength, 0);
    count("noRepeat", decoding.noRepeat, 0);
    decoding.sample = map.value("sample", decoding.sample).toBool();
    number("temperature", decoding.temperature, 1e-6, 1e6);
    count("topK", decoding.topK, 0);
    number("topP", decoding.topP, 1e-9, 1);
    decoding.seed = map.value("seed", QVariant::fromValue<qulonglong>(decoding.seed)).toULongLong();
    count("newTokens", newTokens, 1);
    return {decoding, newTokens};
}

} // namespace headscope::app
