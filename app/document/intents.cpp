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
            [=](const intents::Choose& wish) { document->choose(wish.view, wish.name, wish.value); },
            [=](const intents::CompareWith& wish) {
                controller->setRatherThan(QString::fromStdString(wish.token));
            },
            [=](const intents::MeasureHeads&) { document->measureHeads(); },
            [=](const intents::StopMeasuring&) { document->stopMeasuring(); },
            [=](const intents::ReadSentences& wish) {
                if (wish.from == intents::ReadSentences::From::Samples)
                    document->readSamples();
                else if (wish.from == intents::ReadSentences::From::Nowhere)
                    document->stopReading();
            },
            [=](const intents::ListSentences& wish) { document->listCorpus(wish.many); },
            [](const intents::Decode&) {},
            [](const intents::OpenHead&) {},
            [=](const intents::ToggleHead& wish) {
                controller->setInterventions(toggled(controller->interventions(), wish.head));
            },
            [=](const intents::ChangeModel& wish) { controller->setInterventions(wish.changes); },
            [=](const intents::SeedTwin& wish) { document->setTwinSeed(wish.seed); },
            [=](const intents::ChooseToken& wish) { controller->choose(wish.step, wish.id); },
            [=](const intents::Pad& wish) { controller->setPadding(wish.source, wish.target); },
            [=](const intents::ChooseClass& wish) { document->chooseClass(wish.chosen); },
            [=](const intents::DivideScores& wish) {
                controller->setInterventions(divided(controller->interventions(), wish.temperature));
            },
            [=](const intents::GoTo& wish) { controller->goTo(wish.step); },
            [=](const intents::Step& wish) { wish.forward ? controller->forward() : controller->back(); },
            [=](const intents::ShowPath& wish) { controller->showPath(wish.path, wish.step); },
            [=](const intents::ShowNode& wish) { controller->showNode(wish.node); },
            [=](const intents::NamePath& wish) {
                document->nameBranch(wish.path, QString::fromStdString(wish.name));
            },
            [=](const intents::RemovePath& wish) { controller->removePath(wish.path); },
            [](const intents::ComparePath&) {},
            [=](const intents::OpenSecond& wish) {
                document->openSecond(QString::fromStdString(wish.pathOrName));
            },
            [](const intents::OfferSecond&) {},
            [=](const intents::ForceTarget& wish) {
                controller->forceTyped(QString::fromStdString(wish.typed));
            },
            [](const intents::ShowSelf&) {},
            [](const intents::SavePicture&) {},
            [](const intents::MakeRoom&) {}},
        intent);
}

} // namespace headscope::app
