#pragma once

#include <QString>
#include <QStringList>

#include "model/trace/run.h"

namespace headscope::widgets {

/// The name for titles, which says of a trace that it is one.
QString modelTitle(const trace::ModelSummary& model);

/// What a trace is and why nothing of it is decoded or changed; empty for a model.
QString whyNothingRuns(const trace::ModelSummary& model);
/// Where the run has no maps of the head: that its model has none, or which attention a trace holds instead.
QString whyNoHead(const trace::Run& run, const trace::HeadAddress& head);

/// Kinds of attention between the run's tokens that it has no maps of, such as a trace's; empty for none.
QString whatIsNotHeld(const trace::Run& run);

/// "Weights, each row sums to 1.", as far as the run's self-check found them to be so.
QString weightsInWords(const trace::Run& run);
/// The checks that failed, each with its largest deviation; empty where none did.
QStringList failuresInWords(const trace::SelfCheck& check);

/// Of views that lack what a trace's file does not hold: that, and the option that records it.
QString whyNoScores();
QString whyNoScoreScale();
QString whyNoHeadWidth();
QString whyNoCandidates();
QString whyNoBatch();

} // namespace headscope::widgets
