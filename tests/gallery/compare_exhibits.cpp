#include "tests/gallery/exhibits.h"

#include "tests/widgets/example_compare.h"
#include "widgets/views/compare/compare_view.h"

namespace headscope::gallery {

using namespace widgets;

namespace {

using Change = std::function<void(CompareView&, example::AnsweredAtOnce&)>;

/// `pairOf` makes of the run what is compared.
Make compare(trace::HeadAddress head,
             std::function<ComparedPair(const std::shared_ptr<const trace::Run>&)> pairOf,
             const Change& change = {}) {
    struct Compared {
        ComparedPair pair;
        CompareAnswer answer;
    };
    const auto comparedOf = onceARun([=](const auto& run) {
        const ComparedPair pair = pairOf(run);
        return Compared{pair, example::compared(pair, head)};
    });
    const auto changesOf =
        onceARun([=](const auto& run) { return ComparedHeads{comparedOf(run).pair}.count({}); });
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        selection->setHead(head);
        auto* view = new CompareView(selection);
        if (!run)
            return view;
        const auto& compared = comparedOf(run);
        if (compared.pair.steps)
            selection->setStep(static_cast<int>(compared.pair.steps->first));
        auto* answers = example::give(*view, compared.answer);
        if (change)
            change(*view, *answers);
        if (run->source.size() < 100) // all heads of a book take a while
            answers->give(ComparedHeads{compared.pair}, changesOf(run));
        return view;
    };
}

ComparedPair edited(const std::shared_ptr<const trace::Run>& run) {
    return {.first = run, .second = example::edited(*run)};
}

ComparedPair ofOtherModel(const std::shared_ptr<const trace::Run>& run) {
    return {.first = run, .second = example::ofOtherModel({})};
}

ComparedPair steps(const std::shared_ptr<const trace::Run>& run) {
    return {.first = run, .second = run, .steps = std::pair(std::size_t(2), std::size_t(6))};
}

Change page(CompareView::Page page, bool alignedOnly = false) {
    return [=](CompareView& view, example::AnsweredAtOnce&) {
        view.setPage(page);
        view.bar()->setAlignedOnly(alignedOnly);
    };
}

void output(CompareView& view, example::AnsweredAtOnce& answers) {
    const auto runs = example::comparedRuns();
    view.setPage(CompareView::Page::Output);
    example::giveSteps(view, answers, analysis::compareSteps(*runs.original, *runs.forced));
}

QWidget* refused(Selection* selection, std::shared_ptr<const trace::Run> run) {
    auto* view = new CompareView(selection);
    auto* answers = example::givenAnswers(view);
    if (run)
        example::compare(*answers, edited(run));
    view->bar()->setWith(CompareBar::With::Model); // and none is open
    return view;
}

} // namespace

QList<Exhibit> compareExhibits() {
    const QList<QSize> sizes{{900, 640}, {560, 480}};
    using Page = CompareView::Page;
    return {
        {"compare", compare(example::aligningHead, edited), sizes},
        {"compare-rows", compare(decoder, edited, page(Page::Rows, true)), sizes},
        {"compare-keys", compare(encoder, edited, page(Page::Keys)), sizes},
        {"compare-output", compare(example::aligningHead, edited, output), sizes},
        {"compare-models", compare(example::aligningHead, ofOtherModel), sizes},
        {"compare-steps", compare(example::aligningHead, steps), sizes},
        {"compare-refused", refused, sizes},
    };
}

} // namespace headscope::gallery
