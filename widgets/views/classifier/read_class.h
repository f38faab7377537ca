#pragma once

#include <QString>

#include "model/analysis/output/classifier_tokens.h"
#include "model/trace/figure_data.h"
#include "model/trace/run.h"
#include "widgets/drawing/token_label.h"

namespace headscope::widgets {

/// What is said of a class of a reading.
struct ReadClass {
    const trace::Run& run;
    const trace::ClassifierReading& reading; ///< of the run
    std::size_t chosen = 0;                  ///< the class

    /// The name of the class if the model has names, else its number.
    QString name() const;
    /// The tokens of a word joined into one label.
    TokenLabel wordName(const analysis::WordEffect& word) const;
    QString answerCaption() const;
    QString wordsCaption(bool showsProbabilities, bool isSorted) const;
    /// How the two captions disagree; empty if both put the same word first.
    QString whereTheyDiffer() const;
    /// Which word matters most.
    QString reason() const;
    /// Includes the weights to every class.
    trace::DataTable featureData() const;
};

} // namespace headscope::widgets
