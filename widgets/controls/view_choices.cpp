#include "widgets/controls/view_choices.h"

#include "model/trace/run_path.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QTabBar>

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope::widgets {

intents::Choose chooseWord(const std::string& view, const std::string& name, int place) {
    return {view, name, choiceSpec(view, name)->words.at(place)};
}

void ViewChoices::add(const std::string& view, const std::string& name, Get get, Set set) {
    const auto* rule = choiceSpec(view, name);
    Q_ASSERT_X(rule, "ViewChoices", name.c_str());
    bound_.insert(std::ranges::upper_bound(bound_, rule, {}, &Bound::rule),
                  {.rule = rule, .get = std::move(get), .set = std::move(set)});
}

void ViewChoices::addWord(const std::string& view, const std::string& name, std::function<int()> get,
                          std::function<void(int)> set) {
    const auto* rule = choiceSpec(view, name);
    add(
        view, name,
        [rule, get = std::move(get)] {
            const auto place = std::clamp<int>(get(), 0, rule->words.size() - 1);
            return ChoiceValue(rule->words[place]);
        },
        [rule, set = std::move(set)](const ChoiceValue& value) {
            const auto word = std::ranges::find(rule->words, std::get<std::string>(value));
            if (word != rule->words.end())
                set(word - rule->words.begin());
        });
}

void ViewChoices::addFlag(const std::string& view, const std::string& name, std::function<bool()> get,
                          std::function<void(bool)> set) {
    add(
        view, name, [get = std::move(get)] { return ChoiceValue(get()); },
        [set = std::move(set)](const ChoiceValue& value) { set(std::get<bool>(value)); });
}

void ViewChoices::addWhole(const std::string& view, const std::string& name, std::function<int()> get,
                           std::function<void(int)> set) {
    add(
        view, name, [get = std::move(get)] { return ChoiceValue(std::int64_t(get())); },
        [set = std::move(set)](const ChoiceValue& value) { set(std::get<std::int64_t>(value)); });
}

void ViewChoices::addText(const std::string& view, const std::string& name, std::function<QString()> get,
                          std::function<void(const QString&)> set) {
    add(
        view, name, [get = std::move(get)] { return ChoiceValue(get().toStdString()); },
        [set = std::move(set)](const ChoiceValue& value) {
            set(QString::fromStdString(std::get<std::string>(value)));
        });
}

void ViewChoices::add(const std::string& view, const std::string& name, QAction* action) {
    addFlag(
        view, name, [action] { return action->isChecked(); }, [action](bool on) { action->setChecked(on); });
}

void ViewChoices::add(const std::string& view, const std::string& name, QAbstractButton* button) {
    addFlag(
        view, name, [button] { return button->isChecked(); }, [button](bool on) { button->setChecked(on); });
}

void ViewChoices::add(const std::string& view, const std::string& name, QComboBox* box) {
    addWord(
        view, name, [box] { return box->currentIndex(); },
        [box](int index) { box->setCurrentIndex(std::min(index, box->count() - 1)); });
}

void ViewChoices::add(const std::string& view, const std::string& name, QTabBar* tabs) {
    addWord(
        view, name, [tabs] { return tabs->currentIndex(); },
        [tabs](int index) { tabs->setCurrentIndex(index); });
}

void ViewChoices::add(const std::string& view, const std::string& name, QDoubleSpinBox* box) {
    add(
        view, name, [box] { return ChoiceValue(box->value()); },
        [box](const ChoiceValue& value) { box->setValue(std::get<double>(value)); });
}

void ViewChoices::add(const std::string& view, const std::string& name, QLineEdit* line) {
    addText(
        view, name, [line] { return line->text(); }, [line](const QString& text) { line->setText(text); });
}

bool ViewChoices::isBound(const ChoiceSpec& choice) const {
    return std::ranges::find(bound_, &choice, &Bound::rule) != bound_.end();
}

Choices ViewChoices::all() const {
    Choices choices;
    for (const auto& choice : choiceSpecs())
        if (document_ && !isBound(choice))
            choices[choice.view][choice.name] = chosenValue(*document_, choice);
    for (const auto& bound : bound_)
        choices[bound.rule->view][bound.rule->name] = bound.get();
    return choices;
}

void ViewChoices::apply(const Choices& choices) const {
    Choices ofDocument;
    for (const auto& choice : choiceSpecs())
        if (const auto value = chosenValue(choices, choice.view, choice.name); value && !isBound(choice))
            ofDocument[choice.view][choice.name] = *value;
    if (document_)
        choose_(ofDocument);
    for (const auto& bound : bound_)
        if (const auto value = chosenValue(choices, bound.rule->view, bound.rule->name);
            value && value != bound.get())
            bound.set(*value);
}

void addBranchNames(ViewChoices& choices, View* view, std::function<std::vector<std::size_t>()> order) {
    const auto paths = [view, order = std::move(order)] {
        std::vector<std::size_t> listed(view->context().document->branches.names.size());
        std::iota(listed.begin(), listed.end(), 0);
        return order ? order() : listed;
    };
    choices.add(
        "branches", "names",
        [view, paths] {
            const auto& given = view->context().document->branches.given;
            std::vector<std::string> names;
            for (const auto path : paths())
                names.push_back(given[path]);
            if (std::ranges::all_of(names, &std::string::empty))
                names.clear();
            return ChoiceValue(names);
        },
        [view, paths](const ChoiceValue& value) {
            auto names = std::get<std::vector<std::string>>(value);
            const auto listed = paths();
            names.resize(listed.size());
            for (std::size_t row = 0; row < listed.size(); ++row)
                Q_EMIT view->intended(intents::NamePath{listed[row], names[row]});
        });
}

bool sayBranches(PictureOptions& picture, const trace::Run& run) {
    if (const auto& recorded = run.model->recorded) // a trace draws its own branches
        return run.paths.size() == recorded->paths.size();
    const auto shown = trace::shownPath(run);
    const bool asItIs = std::ranges::all_of(run.paths, [&](const trace::RunPath& path) {
        return !path.decodedOn || !run.tree.node(path.leaf).row;
    });
    if (shown && asItIs && run.paths.size() > 1)
        picture.choices[branchesChoice] = trace::otherBranches(run, *shown);
    return shown && asItIs;
}

} // namespace headscope::widgets
