#include "widgets/views/beam_tree/beam_tree_words.h"

#include "model/trace/run_path.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/captions.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

using trace::Fate;

struct BeamTreeWords {
    Q_DECLARE_TR_FUNCTIONS(BeamTree)
};

/// The number of hypotheses of the same step that stayed alive and were more probable than the pruned one.
int aliveBefore(const trace::Run& run, const trace::SearchRecord& record) {
    int count = 0;
    for (const auto& node : run.tree.nodes())
        count += node.search && node.search->step == record.step && node.search->rank < record.rank &&
                 (node.search->fate == Fate::Extended || node.search->fate == Fate::Unfinished);
    return count;
}

/// Returns true if a continuation stayed in the beam.
bool isContinued(const trace::Run& run, trace::DecodeTree::NodeId id) {
    return std::ranges::any_of(run.tree.children(id), [&](auto child) {
        const auto& search = run.tree.node(child).search;
        return search && search->fate != Fate::Pruned && search->fate != Fate::EndedTooLow;
    });
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
    return BeamTreeWords::tr("Log-probability %1 =%2").arg(numberText(before), parts);
}

QString scoreInWords(const trace::Run& run, const trace::SearchRecord& record) {
    const double power = run.request.decoding.lengthPenalty;
    const int length = record.step + 1;
    const QString norm = QString::number(std::pow(length, power), 'g', 4);
    return power == 0
               ? BeamTreeWords::tr("Final score %1: no length penalty").arg(numberText(record.finalScore))
               : BeamTreeWords::tr("Final score %1: divided by %2 = %3 to the power of %4")
                     .arg(numberText(record.finalScore), norm)
                     .arg(length)
                     .arg(power);
}

} // namespace

QString fateName(Fate fate) {
    switch (fate) {
    case Fate::Extended:
        return BeamTreeWords::tr("alive");
    case Fate::Finished:
        return BeamTreeWords::tr("finished");
    case Fate::Pruned:
        return BeamTreeWords::tr("pruned");
    case Fate::EndedTooLow:
        return BeamTreeWords::tr("finished too low");
    case Fate::Displaced:
        return BeamTreeWords::tr("overtaken");
    case Fate::Unfinished:
        break;
    }
    return BeamTreeWords::tr("unfinished");
}

QString fateInWords(const trace::Run& run, trace::DecodeTree::NodeId id) {
    const auto& record = *run.tree.node(id).search;
    const auto searched = trace::searchedPath(run);
    const bool won = searched && run.paths[*searched].leaf == id;
    switch (record.fate) {
    case Fate::Extended:
        return isContinued(run, id)
                   ? BeamTreeWords::tr("alive: its continuations were scored, and some stayed in the beam")
                   : BeamTreeWords::tr(
                         "dropped one step later: none of its continuations was among the best %1")
                         .arg(run.request.decoding.beam);
    case Fate::Finished:
        return won ? BeamTreeWords::tr("finished, with the best final score: this is the translation")
                   : BeamTreeWords::tr("finished, but another had a better final score");
    case Fate::Pruned:
        return aliveBefore(run, record) == 1
                   ? BeamTreeWords::tr("pruned: one other was more probable")
                   : BeamTreeWords::tr("pruned: %1 others were more probable").arg(aliveBefore(run, record));
    case Fate::EndedTooLow:
        return BeamTreeWords::tr("finished too low: it ended, but not among the best %1 of its step")
            .arg(run.request.decoding.beam);
    case Fate::Displaced:
        return BeamTreeWords::tr("overtaken: it finished, and %1 better ones finished later")
            .arg(run.request.decoding.beam);
    case Fate::Unfinished:
        break;
    }
    return won ? BeamTreeWords::tr("unfinished: no hypothesis had finished, and this was the best")
               : BeamTreeWords::tr("unfinished: still alive when the search ended");
}

QStringList hypothesisInWords(const trace::Run& run, trace::DecodeTree::NodeId id) {
    const auto& node = run.tree.node(id);
    if (!node.search)
        return {BeamTreeWords::tr("The search began after %1").arg(exactly(tokenLabel(node.token)))};
    std::vector<trace::Token> tokens;
    for (const auto each : searchedPathTo(run, id))
        tokens.push_back(run.tree.node(each).token);
    return {BeamTreeWords::tr("%1, step %2 of the search, rank %3 of its step")
                .arg(exactly(tokenLabel(node.token)), QString::number(node.search->step + 1),
                     QString::number(node.search->rank + 1)),
            isolated(QString::fromStdString(trace::joinedText(tokens))), sumInWords(run, id),
            scoreInWords(run, *node.search), fateInWords(run, id)};
}

} // namespace headscope::widgets
