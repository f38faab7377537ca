#pragma once

#include <QString>
#include <QStringList>

#include "model/trace/refusal.h"
#include "model/trace/run.h"

#include <optional>

namespace headscope::widgets {

/// One paragraph; empty if nothing was refused.
QString inWords(const std::optional<trace::RefusalText>& refusal);

/// Name of the model for titles; traces are marked as such.
QString modelTitle(const trace::ModelSummary& model);

/// Explains that a trace cannot decode or be changed; empty for a model.
QString whyNothingRuns(const trace::ModelSummary& model);
/// Explains why the run has no maps of the head: its model has none, or which attention a trace contains
/// instead.
QString whyNoHead(const trace::Run& run, const trace::HeadAddress& head);

/// Kinds of attention whose maps the run lacks although it has the tokens, as in a trace; empty if there are
/// none.
QString whatIsNotHeld(const trace::Run& run);

/// "Weights; each row sums to 1.", or what the self-check of the run found instead.
QString weightsInWords(const trace::Run& run);
/// The failed checks with their largest deviation; empty if there are none.
QStringList failuresInWords(const trace::SelfCheck& check);

/// Explain what a trace lacks for a view, and the option that records it.
QString whyNoScores();
QString whyNoScoreScale();
QString whyNoHeadWidth();
QString whyNoCandidates();
QString whyNoBatch();

} // namespace headscope::widgets
