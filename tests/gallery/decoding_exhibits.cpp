#include "tests/gallery/exhibits.h"

#include <QAction>
#include <QComboBox>

#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_lens.h"
#include "tests/widgets/example_search.h"
#include "widgets/controls/decode_bar.h"
#include "widgets/controls/decoding_editor.h"
#include "widgets/controls/run_to_editor.h"
#include "widgets/controls/self_check_badge.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/controls/token_strip.h"
#include "widgets/views/attribution/attribution_tree.h"
#include "widgets/views/attribution/attribution_view.h"
#include "widgets/views/beam_tree/beam_tree_view.h"
#include "widgets/views/branches/branch_list.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/hesitation/hesitation_view.h"
#include "widgets/views/lens/lens_view.h"
#include "widgets/views/paths/paths_view.h"
#include "widgets/views/reference/reference_view.h"

namespace headscope::gallery {

using namespace widgets;

namespace {

QWidget* strip(Selection*, std::shared_ptr<const trace::Run> run) {
    auto* strip = new TokenStrip("Source tokens");
    strip->setPlaceholder("The source tokens appear here.");
    if (!run)
        return strip;
    strip->setTokens(run->source);
    const auto row = run->cross.back().weights.head(5).row(5);
    std::vector<bool> masked;
    for (std::size_t key = 0; key < run->source.size(); ++key)
        masked.push_back(run->cross.back().mask(5, key) == 0);
    strip->setShading({row.begin(), row.end()}, masked);
    strip->setOutlined(3);
    strip->setLit(5);
    return strip;
}

QWidget* bar(Selection*, std::shared_ptr<const trace::Run> run) {
    auto* bar = new DecodeBar;
    const auto action = [bar](const char* text) { return new QAction(text, bar); };
    bar->setActions({action("To the start"), action("Back"), action("Forward"), action("To the end"),
                     action("Stop"), action("Run Until")});
    bar->setPosition(run ? 5 : 0, run ? 12 : 0);
    return bar;
}

QWidget* sentence(Selection*, std::shared_ptr<const trace::Run> run) {
    auto* edit = new SentenceEdit;
    edit->setSamples({"The old man gave his daughter a red book."});
    if (run)
        edit->setText("The old man gave his daughter a red book.");
    return edit;
}

QWidget* badge(Selection*, std::shared_ptr<const trace::Run> run) {
    auto* badge = new SelfCheckBadge;
    badge->setRun(run);
    return badge;
}

// What belongs to a search has a run of its own; only whether there is one is taken from the content.

QWidget* ofBranches(View* view, std::shared_ptr<const trace::Run> run) {
    example::givenAnswers(view)->document().branches.run = std::move(run);
    view->refresh();
    return view;
}

QWidget* beamTree(Selection*, std::shared_ptr<const trace::Run> run) {
    return ofBranches(new BeamTreeView, run ? example::searchedRun() : nullptr);
}

QWidget* beamTreeOfAnother(Selection*, std::shared_ptr<const trace::Run> run) {
    return ofBranches(new BeamTreeView, run ? trace::atPath(*example::searchedRun(), 9) : nullptr);
}

QWidget* paths(Selection* selection, std::shared_ptr<const trace::Run> run) {
    auto* view = new PathsView(selection);
    auto& document = example::givenAnswers(view)->document();
    if (run) {
        document.run = example::searchedRun();
        document.branches = {document.run, {""}, {""}};
        selection->setStep(2);
    }
    view->refresh();
    return view;
}

QWidget* branches(Selection*, std::shared_ptr<const trace::Run> run) {
    auto* list = new BranchList;
    if (run)
        list->setBranches(
            {{"Der alte \u2026", "Der alte Mann gab seiner Tochter ein rotes Buch.", -1.2345, 12},
             {"polite", "Der Greis gab seiner Tochter ein rotes Buch.", -7.6543, 11, true}});
    return list;
}

QWidget* reference(Selection*, std::shared_ptr<const trace::Run> run) {
    auto* view = new ReferenceView;
    if (run) {
        const auto branched = example::branchedRun();
        view->setScores(analysis::tokenScores(branched->tree, branched->paths.back().leaf));
    }
    return view;
}

Make options(trace::Decoding decoding) {
    return [=](Selection*, std::shared_ptr<const trace::Run> run) -> QWidget* {
        auto* options = new DecodingEditor;
        if (run)
            options->setDecoding(decoding, 60);
        return options;
    };
}

Make lens(LensTint tint, int layers) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        auto* view = new LensView(selection);
        selection->setStep(5);
        view->setWhyEmpty("Type a sentence and press Enter.");
        auto* tints = view->findChild<QComboBox*>();
        tints->setCurrentIndex(static_cast<int>(tint));
        if (run && layers > 3)
            run = example::run({.layers = layers});
        view->setLens(run, run ? example::lens(*run) : nullptr);
        return view;
    };
}

enum class Unfolded { No, Yes };

Make attribution(Unfolded unfolded, std::string whyNot = {}) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        auto* view = new AttributionView(selection);
        selection->setStep(5);
        selection->setHead(example::aligningHead);
        view->setWhyEmpty("Type a sentence and press Enter.");
        const auto lens = run ? example::lens(*run, run->next.front()) : nullptr;
        if (lens && !whyNot.empty()) {
            lens->whyNoAttribution = whyNot;
            lens->attributions.clear();
        }
        view->setLens(run, lens);
        if (unfolded == Unfolded::Yes)
            view->findChild<AttributionTree*>()->expandAll();
        return view;
    };
}

QWidget* runTo(Selection*, std::shared_ptr<const trace::Run>) {
    return new RunToEditor;
}

/// Of a classifier.
QWidget* classes(Selection* selection, std::shared_ptr<const trace::Run> run) {
    auto* view = new CandidatesView(selection);
    if (!run)
        return view;
    auto classified = std::make_shared<trace::Run>();
    auto model = std::make_shared<trace::ModelSummary>(*run->model);
    model->decoderLayers = 0;
    model->labelSmoothing = 0;
    classified->model = model;
    classified->source = run->source;
    classified->classLogProbabilities = {-2.3F, -0.2F, -3.1F, -4.6F};
    view->setRun(classified);
    return view;
}

} // namespace

QList<Exhibit> decodingExhibits() {
    return {
        {"candidates", viewOf<CandidatesView>(example::aligningHead), {{320, 420}, {220, 260}}},
        {"classes", classes, {{320, 420}, {220, 260}}},
        {"lens", lens(LensTint::Probability, 3), {{900, 300}, {360, 240}, {1000, 520}}},
        {"lens-rank", lens(LensTint::Rank, 6), {{900, 300}, {1000, 640}}},
        {"lens-divergence", lens(LensTint::Divergence, 3), {{900, 300}}},
        {"attribution", attribution(Unfolded::No), {{400, 300}, {260, 300}}},
        {"attribution-unfolded", attribution(Unfolded::Yes), {{400, 520}, {300, 300}}},
        {"attribution-refused",
         attribution(Unfolded::No, "The norms of this model rescale it."),
         {{400, 300}}},
        {"beam-tree", beamTree, {{900, 280}, {360, 200}}},
        {"beam-tree-other", beamTreeOfAnother, {{900, 280}}},
        {"paths", paths, {{900, 420}, {420, 300}}},
        {"hesitation", viewOf<HesitationView>(example::aligningHead), {{900, 240}, {420, 240}}},
        {"branches", branches, {{900, 200}, {420, 200}}},
        {"reference", reference, {{900, 220}, {360, 220}}},
        {"options-beam", options({.beam = 4, .lengthPenalty = 0.6}), {{360, 320}}},
        {"options-sampling", options({.sample = true, .temperature = 0.7}), {{360, 400}}},
        {"run-to", runTo, {{360, 160}}},
        {"strip", strip, line},
        {"bar", bar, {{480, 40}, {280, 40}}},
        {"sentence", sentence, {{600, 40}, {280, 40}}},
        {"badge", badge, {{560, 32}, {300, 32}}},
    };
}

} // namespace headscope::gallery
