#include "app/document/intents.h"

#include "app/document/document.h"

#include <algorithm>

namespace headscope::app {

namespace intents = widgets::intents;

namespace {

using Changes = std::vector<trace::Intervention>;

/// Without the change that switches the head off, or with it.
Changes toggled(Changes changes, const trace::HeadAddress& head) {
    const auto off = trace::withoutHead(head);
    if (std::erase(changes, off) == 0)
        changes.push_back(off);
    return changes;
}

/// With the scores of all heads divided by `temperature`, beside that of an enabled change in the list.
Changes divided(Changes changes, double temperature) {
    const auto same = std::ranges::find_if(changes, [](const trace::Intervention& change) {
        return change.on && std::holds_alternative<trace::SoftmaxTemperature>(change.change);
    });
    if (same == changes.end())
        changes.push_back({trace::SoftmaxTemperature{temperature}});
    else
        std::get<trace::SoftmaxTemperature>(same->change).temperature *= temperature;
    return changes;
}

} // namespace

void carryOut(Document* document, const widgets::Intent& intent) {
    auto* controller = document->controller();
    std::visit(
        trace::ByKind{
            [=](const intents::Choose& wanted) { document->choose(wanted.view, wanted.name, wanted.value); },
            [=](const intents::CompareWith& wanted) {
                controller->setRatherThan(QString::fromStdString(wanted.token));
            },
            [=](const intents::MeasureHeads&) { document->measureHeads(); },
            [=](const intents::StopMeasuring&) { document->stopMeasuring(); },
            [=](const intents::ReadSentences& wanted) {
                if (wanted.from == intents::ReadSentences::From::Samples)
                    document->readSamples();
                else if (wanted.from == intents::ReadSentences::From::Nowhere)
                    document->stopReading();
            },
            [=](const intents::ListSentences& wanted) { document->listCorpus(wanted.many); },
            [](const intents::Decode&) {},
            [=](const intents::DecodeBy& wanted) {
                controller->chooseDecoding(wanted.decoding, wanted.newTokens);
            },
            [](const intents::OpenHead&) {},
            [=](const intents::ToggleHead& wanted) {
                controller->setInterventions(toggled(controller->interventions(), wanted.head));
            },
            [=](const intents::ChangeModel& wanted) { controller->setInterventions(wanted.changes); },
            [=](const intents::SeedTwin& wanted) { document->setTwinSeed(wanted.seed); },
            [=](const intents::ChooseToken& wanted) { controller->choose(wanted.step, wanted.id); },
            [=](const intents::Pad& wanted) { controller->setPadding(wanted.source, wanted.target); },
            [=](const intents::ChooseClass& wanted) { document->chooseClass(wanted.chosen); },
            [=](const intents::DivideScores& wanted) {
                controller->setInterventions(divided(controller->interventions(), wanted.temperature));
            },
            [=](const intents::GoTo& wanted) { controller->goTo(wanted.step); },
            [=](const intents::Step& wanted) { wanted.forward ? controller->forward() : controller->back(); },
            [=](const intents::ShowPath& wanted) { controller->showPath(wanted.path, wanted.step); },
            [=](const intents::ShowNode& wanted) { controller->showNode(wanted.node); },
            [=](const intents::NamePath& wanted) {
                document->nameBranch(wanted.path, QString::fromStdString(wanted.name));
            },
            [=](const intents::RemovePath& wanted) { controller->removePath(wanted.path); },
            [](const intents::ComparePath&) {},
            [=](const intents::OpenSecond& wanted) {
                document->openSecond(QString::fromStdString(wanted.pathOrName));
            },
            [](const intents::OfferSecond&) {},
            [=](const intents::ForceTarget& wanted) {
                controller->forceTyped(QString::fromStdString(wanted.typed));
            },
            [](const intents::ShowSelf&) {},
            [](const intents::SavePicture&) {},
            [](const intents::Open&) {},
            [](const intents::FindHeads&) {}},
        intent);
}

} // namespace headscope::app
