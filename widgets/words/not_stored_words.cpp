#include "widgets/words/not_stored_words.h"

#include <QCoreApplication>
#include <QLocale>

namespace headscope::widgets {

namespace {

struct NotStoredWords {
    Q_DECLARE_TR_FUNCTIONS(NotStoredMaps)
};

} // namespace

QString whyNotStored(const trace::Run& run, const trace::AttentionSite& site) {
    const auto* record = run.record(site);
    if (!record || !record->isRecomputed())
        return {};
    const auto number = [](auto value) { return QLocale().toString(static_cast<qulonglong>(value)); };
    return NotStoredWords::tr(
               "This view needs every cell of a map. Maps are stored for up to %1 tokens; this one has %2 "
               "rows and %3 columns. The heatmap, small maps and single rows are recomputed when shown, but "
               "this view is not. Shorten the sentence to see it.")
        .arg(number(run.request.recording.longestMap), number(record->queries()), number(record->keys()));
}

} // namespace headscope::widgets
