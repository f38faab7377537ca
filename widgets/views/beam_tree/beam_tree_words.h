#pragma once

#include <QString>
#include <QStringList>

#include "model/trace/run.h"

namespace headscope::widgets {

/// "pruned" and so on; one word or two, for the legend.
QString fateName(trace::Fate fate);

/// Why a hypothesis of the search ended there: "pruned: 3 others were more probable".
QString fateInWords(const trace::Run& run, trace::DecodeTree::NodeId id);

/// All there is to know of a hypothesis: its text, its summed log-probability with the part of every token,
/// the length it is divided by, its final score, and its fate. One line each. For a node the search did not
/// see, its token alone.
QStringList hypothesisInWords(const trace::Run& run, trace::DecodeTree::NodeId id);

} // namespace headscope::widgets
