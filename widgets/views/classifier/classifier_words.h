#pragma once

#include <QString>

#include "model/analysis/output/classifier_tokens.h"
#include "model/trace/figure_data.h"
#include "model/trace/run.h"
#include "widgets/drawing/token_label.h"

#include <cstddef>
#include <vector>

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
    /// "tokens +0.834 + bias −0.003 = logit +0.831"
    QString sum() const;
    QString tableCaption(bool showsProbabilities) const;
    QString answerCaption() const;
    QString wordsCaption(bool showsProbabilities, bool isSorted) const;
    /// How contributions and losses disagree; empty if both put the same word first.
    QString whereTheyDiffer() const;
    /// The same in two sentences, the first one bold, and what happens without the word. Rich text.
    QString disagreement() const;
    /// Contribution, features and loss of these tokens; the loss is that of the word that begins there.
    trace::DataTable tokenData(const std::vector<int>& rows) const;
    /// Includes the weights to every class.
    trace::DataTable featureData() const;
};

} // namespace headscope::widgets
