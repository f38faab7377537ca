#include "tests/gallery/exhibits.h"

#include <QHash>

namespace headscope::gallery {
namespace {

using Language = example::Language;

std::shared_ptr<const trace::Run> madeRun(const QString& content) {
    if (content == "book") // 300 tokens a side
        return example::run({.repeats = 30});
    if (content == "long")
        return example::run({.repeats = 6});
    if (content == "padded")
        return example::run({.sourcePadding = 2});
    if (content == "right-to-left")
        return example::run({.language = Language::RightToLeft});
    if (content == "chinese")
        return example::run({.language = Language::Chinese});
    if (content == "mixed")
        return example::run({.language = Language::Mixed});
    return example::run();
}

} // namespace

const QList<Exhibit>& all() {
    static const auto exhibits = mapExhibits() + headExhibits() + decodingExhibits() + explainExhibits() +
                                 changeExhibits() + positionExhibits() + architectureExhibits() +
                                 scaleExhibits() + classifierExhibits() + compareExhibits() +
                                 trainingExhibits() + expertExhibits() + longExhibits();
    return exhibits;
}

std::shared_ptr<const trace::Run> runOf(const QString& content) {
    if (content == "nothing")
        return nullptr;
    static QHash<QString, std::shared_ptr<const trace::Run>> made;
    auto& run = made[content];
    if (!run)
        run = madeRun(content);
    return run;
}

} // namespace headscope::gallery
