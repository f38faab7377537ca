#pragma once

#include <string_view>

namespace headscope::trace {

/// What the outputs of a classifier of texts stand for.
enum class ClassifierOutput {
    OneClass, ///< probabilities of classes, one of which applies: they sum to 1
    Labels,   ///< each label has a probability of its own
    Numbers,  ///< the outputs themselves, as regression predicts them
};

/// As "problem_type" of a Hugging Face configuration spells it.
inline std::string_view name(ClassifierOutput output) {
    switch (output) {
    case ClassifierOutput::OneClass:
        return "single_label_classification";
    case ClassifierOutput::Labels:
        return "multi_label_classification";
    case ClassifierOutput::Numbers:
        return "regression";
    }
    return {};
}

} // namespace headscope::trace
