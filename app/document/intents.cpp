#include "app/document/intents.h"

#include "app/document/document.h"

namespace headscope::app {

namespace intents = widgets::intents;

void carryOut(Document* document, const widgets::Intent& intent) {
    auto* controller = document->controller();
    auto* whatIf = document->whatIf();
    std::visit(
        trace::ByKind{
            [=](const intents::Choose& wish) { document->choose(wish.view, wish.name, wish.value); },
            [=](const intents::CompareWith& wish) {
                controller->setRatherThan(QString::fromStdString(wish.token));
            },
            [=](const intents::MeasureHeads&) { document->measureHeads(); },
            [=](const intents::StopMeasuring&) { document->stopMeasuring(); },
            [](const intents::OpenHead&) {},
            [=](const intents::ToggleHead& wish) { whatIf->toggleHead(wish.head); },
            [=](const intents::ChangeModel& wish) { whatIf->apply(wish.changes); },
            [=](const intents::SeedTwin& wish) { document->setTwinSeed(wish.seed); },
            [=](const intents::ChooseToken& wish) { controller->choose(wish.step, wish.id); },
            [=](const intents::Pad& wish) { controller->setPadding(wish.source, wish.target); },
            [=](const intents::ChooseClass& wish) { document->chooseClass(wish.chosen); },
            [=](const intents::DivideScores& wish) { whatIf->divideScores(wish.temperature); },
            [=](const intents::GoTo& wish) { controller->goTo(wish.step); },
            [=](const intents::Step& wish) { wish.forward ? controller->forward() : controller->back(); },
            [=](const intents::ShowPath& wish) { controller->showPath(wish.path, wish.step); },
            [=](const intents::ShowNode& wish) { controller->showNode(wish.node); },
            [=](const intents::NamePath& wish) {
                document->nameBranch(wish.path, QString::fromStdString(wish.name));
            },
            [=](const intents::RemovePath& wish) { controller->removePath(wish.path); },
            [](const intents::ComparePath&) {},
            [=](const intents::ForceTarget& wish) {
                controller->forceTyped(QString::fromStdString(wish.typed));
            },
            [](const intents::ShowSelf&) {},
            [](const intents::MakeRoom&) {}},
        intent);
}

} // namespace headscope::app
