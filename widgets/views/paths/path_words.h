#pragma once

#include "model/analysis/output/decode_paths.h"
#include "widgets/view_context.h"

#include <QString>
#include <QStringList>

namespace headscope::widgets {

enum class PathScore { Total, Mean, Final };

/// "Beam 2", "Branch “wem”", or the name that a person gave. `run` is that of the paths, which may be an
/// earlier one of the document.
QString pathTitle(const DocumentState& document, const trace::Run& run, const analysis::PathRows& paths,
                  std::size_t row);
/// How it ended: "finished", "at 14: 4 were better".
QString pathState(const trace::Run& run, const analysis::PathRows& paths, std::size_t row);
/// Two decimals and a real minus sign; a dash where it is not recorded.
QString scoreText(const analysis::PathRow& row, PathScore score);
QString scoreName(PathScore score);
/// "66 more, not kept".
QString foldedInWords(std::size_t folded);

/// Its output as text.
QString pathText(const trace::Run& run, const analysis::PathRow& row);
/// Of the nodes.
std::vector<trace::Token> tokensOf(const trace::Run& run, const analysis::PathRow& row);

/// Why the search dropped it, with its score and the last one kept; empty if it did not.
QString cutInWords(const analysis::PathRows& paths, const analysis::PathRow& row);
/// Everything about a node, one line each: token and step; probability and rank; for one that the search
/// visited also its sum, its final score with its divisor, and its fate.
QStringList nodeInWords(const trace::Run& run, const analysis::PathRows& paths, const analysis::PathRow& row,
                        std::size_t column);
/// Why a hypothesis ended: "pruned: 3 others were more probable".
QString fateInWords(const trace::Run& run, trace::DecodeTree::NodeId id);

} // namespace headscope::widgets
