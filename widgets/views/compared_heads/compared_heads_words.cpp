// What is said of heads beside each other.
#include "widgets/views/compared_heads/compared_heads.h"
#include "widgets/words/captions.h"

#include <algorithm>

namespace headscope::widgets {

QString ComparedHeads::comparisonInWords(const trace::HeadAddress& head) const {
    const auto reference = referenceHead(heads_, selected_, head.site.kind);
    const auto others =
        std::ranges::count(heads_, head.site.kind, [](const auto& other) { return other.site.kind; });
    if (!run_ || heads_.size() < 2)
        return {};
    if (others == 1)
        return tr("The only one of its kind here: it shares no axes with the others.");
    if (reference == head)
        return tr("The others of its kind are compared with it.");
    const QString name = QString::fromStdString(trace::toString(*reference));
    const auto found = divergences_.find(head);
    if (found == divergences_.end())
        return run_->complete ? tr("Comparing it with %1...").arg(name)
                              : tr("It is compared with %1 once decoding has come to its end.").arg(name);
    return found->second ? tr("Mean divergence of weights from %1: %2 of 1 bit (Jensen-Shannon: 0 the same, "
                              "1 nothing in common).")
                               .arg(name, QString::number(*found->second, 'f', 3))
                         : tr("No row can be compared with %1.").arg(name);
}

QString ComparedHeads::briefWords(const trace::HeadAddress& head) const {
    QStringList lines;
    const auto reference = referenceHead(heads_, selected_, head.site.kind);
    const auto found = divergences_.find(head);
    const QString name = reference ? QString::fromStdString(trace::toString(*reference)) : QString();
    if (found != divergences_.end() && reference != head)
        lines +=
            found->second
                ? tr("Divergence from %1: %2 of 1 bit").arg(name, QString::number(*found->second, 'f', 3))
                : tr("Not comparable with %1").arg(name);
    else if (reference == head && std::ranges::count(heads_, head.site.kind,
                                                     [](const auto& other) { return other.site.kind; }) > 1)
        lines += tr("Others are compared with it");
    else if (reference == head && heads_.size() > 1)
        lines += tr("Not compared: no other has its axes");
    if (run_ && run_->model)
        lines += headTitle(*run_->model, head);
    return lines.join('\n');
}

QString ComparedHeads::words(std::size_t panel) const {
    const auto& head = heads_.at(panel);
    // What compares them first: where there is little room the rest is in the tooltip.
    QString words = comparisonInWords(head);
    if (run_ && run_->model)
        words += tr(" %1.").arg(headTitle(*run_->model, head));
    return words.trimmed();
}

} // namespace headscope::widgets
