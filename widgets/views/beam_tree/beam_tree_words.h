#pragma once

#include <QString>
#include <QStringList>

#include "model/trace/run.h"

namespace headscope::widgets {

/// "pruned" and so on; one to three words, for the legend.
QString fateName(trace::Fate fate);

/// Why a hypothesis ended: "pruned: 3 others were more probable".
QString fateInWords(const trace::Run& run, trace::DecodeTree::NodeId id);

/// Everything about a hypothesis, one line each: token, step and rank; text; total log-probability with each
/// token's part; final score with its divisor; fate. For the root, its token alone.
QStringList hypothesisInWords(const trace::Run& run, trace::DecodeTree::NodeId id);

} // namespace headscope::widgets
