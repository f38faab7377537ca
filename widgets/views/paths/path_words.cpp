#include "widgets/views/paths/path_words.h"

#include "model/trace/run_path.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/captions.h"
#include "widgets/words/hesitation_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

using analysis::PathRow;
using trace::Fate;
using What = PathRow::What;

struct PathWords {
    Q_DECLARE_TR_FUNCTIONS(Paths)
};

QString withRealMinus(double value, int decimals) {
    if (std::isnan(value))
        return QStringLiteral("\u2013");
    return shownNumber(QString::number(value, 'f', decimals));
}

/// As a person counts, of the whole target.
int stepOf(const analysis::PathRows& paths, std::size_t column) {
    return paths.prompt + column + 1;
}

QString kindInWords(const trace::Run& run, const PathRow& row) {
    switch (row.what) {
    case What::Greedy:
        return run.model && !run.model->saysDecoding ? PathWords::tr("Recorded") : PathWords::tr("Greedy");
    case What::Beam:
        return row.isGreedy && row.beam > 0 ? PathWords::tr("Greedy, beam %1").arg(row.beam)
               : row.beam > 0               ? PathWords::tr("Beam %1").arg(row.beam)
                                            : PathWords::tr("Beam");
    case What::Sampled:
        return PathWords::tr("Sampled, seed %1").arg(run.request.decoding.seed);
    case What::Branch: {
        const bool leaves = row.from && row.fork < row.nodes.size();
        const auto forced = run.paths[*row.path].forcedTokens;
        const auto path = run.tree.path(run.paths[*row.path].leaf);
        const auto node = leaves ? row.nodes[row.fork] : path[std::min(forced, path.size()) - 1];
        return PathWords::tr("Branch %1").arg(quoted(tokenLabel(run.tree.node(node).token)));
    }
    case What::Forced:
        return PathWords::tr("Forced");
    case What::Dropped:
        break;
    }
    const auto& search = run.tree.node(row.nodes.back()).search;
    return search && search->fate == Fate::EndedTooLow  ? PathWords::tr("Finished too low")
           : search && search->fate == Fate::Unfinished ? PathWords::tr("Unfinished")
                                                        : PathWords::tr("Pruned");
}

/// The tokens added by the search, oldest first.
std::vector<trace::DecodeTree::NodeId> searchedPathTo(const trace::Run& run, trace::DecodeTree::NodeId id) {
    auto path = run.tree.path(id);
    std::erase_if(path, [&](auto node) { return !run.tree.node(node).search; });
    return path;
}

QString sumInWords(const trace::Run& run, trace::DecodeTree::NodeId id) {
    QString parts;
    double before = 0;
    for (const auto each : searchedPathTo(run, id)) {
        const auto& node = run.tree.node(each);
        const double part = node.search->score - before;
        before = node.search->score;
        parts += QStringLiteral(" %1 %2 %3")
                     .arg(part > 0 ? QChar('+') : QChar(0x2212))
                     .arg(std::abs(part), 0, 'f', 3)
                     .arg(quoted(tokenLabel(node.token)));
    }
    return PathWords::tr("Log-probability %1 =%2").arg(numberText(before), parts);
}

QString scoreInWords(const trace::Run& run, const trace::SearchRecord& record) {
    const double power = run.request.decoding.lengthPenalty;
    const int length = record.step + 1;
    const QString norm = QString::number(std::pow(length, power), 'g', 4);
    return power == 0 ? PathWords::tr("Final score %1: no length penalty").arg(numberText(record.finalScore))
                      : PathWords::tr("Final score %1: divided by %2 = %3 to the power of %4")
                            .arg(numberText(record.finalScore), norm)
                            .arg(length)
                            .arg(power);
}

/// Returns true if a continuation stayed in the beam.
bool isContinued(const trace::Run& run, trace::DecodeTree::NodeId id) {
    return std::ranges::any_of(run.tree.children(id), [&](auto child) {
        const auto& search = run.tree.node(child).search;
        return search && search->fate != Fate::Pruned && search->fate != Fate::EndedTooLow;
    });
}

} // namespace

QString pathTitle(const DocumentState& document, const trace::Run& run, const analysis::PathRows& paths,
                  std::size_t row) {
    const PathRow& path = paths.rows.at(row);
    const auto& given = document.branches.given;
    if (path.path && *path.path < given.size() && !given[*path.path].empty())
        return QString::fromStdString(given[*path.path]);
    return kindInWords(run, path);
}

QString pathState(const trace::Run& run, const analysis::PathRows& paths, std::size_t row) {
    const PathRow& path = paths.rows.at(row);
    if (row == 0)
        return PathWords::tr("shown");
    if (path.what == What::Forced)
        return PathWords::tr("you typed it");
    if (path.cut && path.what == What::Dropped)
        return PathWords::tr("at %1: %n better", nullptr, path.cut->better).arg(stepOf(paths, path.cut->at));
    if (path.cut && path.what != What::Beam)
        return PathWords::tr("pruned by the beam at %1").arg(stepOf(paths, path.cut->at));
    if (path.what == What::Sampled)
        return PathWords::tr("temperature %1").arg(run.request.decoding.temperature);
    const auto& search = run.tree.node(path.nodes.back()).search;
    if (search && search->fate == Fate::Displaced)
        return PathWords::tr("finished, overtaken");
    return path.isEnded ? PathWords::tr("finished") : PathWords::tr("unfinished");
}

QString scoreText(const PathRow& row, PathScore score) {
    switch (score) {
    case PathScore::Total:
        return withRealMinus(row.total, 2);
    case PathScore::Mean:
        return withRealMinus(row.mean(), 2);
    case PathScore::Final:
        break;
    }
    return withRealMinus(row.finalScore.value_or(std::nan("")), 2);
}

QString scoreName(PathScore score) {
    return score == PathScore::Total  ? PathWords::tr("Total log-prob.")
           : score == PathScore::Mean ? PathWords::tr("Mean per token")
                                      : PathWords::tr("Final score");
}

QString foldedInWords(std::size_t folded) {
    return PathWords::tr("%1 more, not kept").arg(folded);
}

std::vector<trace::Token> tokensOf(const trace::Run& run, const PathRow& row) {
    std::vector<trace::Token> tokens;
    for (const auto node : row.nodes)
        tokens.push_back(run.tree.node(node).token);
    return tokens;
}

QString pathText(const trace::Run& run, const PathRow& row) {
    const bool isKnown = row.path && !run.paths[*row.path].output.empty();
    return QString::fromStdString(isKnown ? run.paths[*row.path].output
                                          : trace::joinedText(tokensOf(run, row)));
}

QString cutInWords(const analysis::PathRows& paths, const PathRow& row) {
    if (!row.cut)
        return {};
    QString words = PathWords::tr("More probable at step %1: %n", nullptr, row.cut->better)
                        .arg(stepOf(paths, row.cut->at));
    if (row.cut->score)
        words += QChar('\n') + withRealMinus(*row.cut->score, 3);
    if (row.cut->lastKept)
        words += (row.cut->score ? QStringLiteral(", ") : QStringLiteral("\n")) +
                 PathWords::tr("the last kept %1").arg(withRealMinus(*row.cut->lastKept, 3));
    return words;
}

QStringList nodeInWords(const trace::Run& run, const analysis::PathRows& paths, const PathRow& row,
                        std::size_t column) {
    const auto id = row.nodes.at(column);
    const auto& node = run.tree.node(id);
    QStringList lines{
        PathWords::tr("%1, step %2").arg(exactly(tokenLabel(node.token))).arg(stepOf(paths, column))};
    if (!std::isnan(node.logProbability))
        lines += node.rank < 0
                     ? PathWords::tr("Probability %1").arg(percentText(std::exp(node.logProbability)))
                     : PathWords::tr("Probability %1, rank %2")
                           .arg(percentText(std::exp(node.logProbability)))
                           .arg(node.rank + 1);
    if (node.search)
        lines += {PathWords::tr("Rank %1 of its step in the search").arg(node.search->rank + 1),
                  sumInWords(run, id), scoreInWords(run, *node.search), fateInWords(run, id)};
    return lines;
}

QString fateInWords(const trace::Run& run, trace::DecodeTree::NodeId id) {
    const auto& record = *run.tree.node(id).search;
    const auto searched = trace::searchedPath(run);
    const bool won = searched && run.paths[*searched].leaf == id;
    switch (record.fate) {
    case Fate::Extended:
        return isContinued(run, id)
                   ? PathWords::tr("alive: its continuations were scored, and some stayed in the beam")
                   : PathWords::tr("dropped one step later: none of its continuations was among the best %1")
                         .arg(run.request.decoding.beam);
    case Fate::Finished:
        return won ? PathWords::tr("finished, with the best final score: this is the translation")
                   : PathWords::tr("finished, but another had a better final score");
    case Fate::Pruned: {
        const int better = analysis::keptBefore(run, record);
        return better == 1 ? PathWords::tr("pruned: one other was more probable")
                           : PathWords::tr("pruned: %1 others were more probable").arg(better);
    }
    case Fate::EndedTooLow:
        return PathWords::tr("finished too low: it ended, but not among the best %1 of its step")
            .arg(run.request.decoding.beam);
    case Fate::Displaced:
        return PathWords::tr("overtaken: it finished, and %1 better ones finished later")
            .arg(run.request.decoding.beam);
    case Fate::Unfinished:
        break;
    }
    return won ? PathWords::tr("unfinished: no hypothesis had finished, and this was the best")
               : PathWords::tr("unfinished: still alive when the search ended");
}

} // namespace headscope::widgets
