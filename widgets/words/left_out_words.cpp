#include "widgets/words/left_out_words.h"

#include <QCoreApplication>
#include <QLocale>

namespace headscope::widgets {

namespace {

struct LeftOutWords {
    Q_DECLARE_TR_FUNCTIONS(LeftOutMaps)
};

} // namespace

QString whyLeftOut(const trace::Run& run, const trace::AttentionSite& site) {
    const auto* record = run.record(site);
    if (!record || !record->isLeftOut())
        return {};
    const auto number = [](auto value) { return QLocale().toString(static_cast<qulonglong>(value)); };
    return LeftOutWords::tr(
               "This needs every cell of a map. Maps are kept up to %1 tokens, and this one has %2 rows "
               "and %3 columns: the heatmap, the small maps and single rows are computed again when they "
               "are looked at, this is not. Shorten the sentence to see it.")
        .arg(number(run.request.recording.longestMap), number(record->queries()), number(record->keys()));
}

} // namespace headscope::widgets
