#pragma once

#include "widgets/view_spec.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <string>
#include <vector>

class QAbstractButton;
class QAction;
class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QTabBar;

namespace headscope::widgets {

/// A named control of a view; one that was never built is a mistake.
template <class Control>
Control* control(const QWidget* view, const char* name) {
    auto* found = view->findChild<Control*>(QLatin1String(name));
    Q_ASSERT_X(found, "control", name);
    return found;
}

/// What a person chose in the views of a window, read and set through one list, whatever holds it.
class ViewChoices {
  public:
    using Get = std::function<ChoiceValue()>;
    using Set = std::function<void(const ChoiceValue&)>;

    /// One of choiceSpecs(). `set` is called with a value of the rule's kind, only if it is another one, and
    /// passes over what the model that is open does not have.
    void add(const std::string& view, const std::string& name, Get get, Set set);
    /// By its place among the rule's words.
    void addWord(const std::string& view, const std::string& name, std::function<int()> get,
                 std::function<void(int)> set);
    void addFlag(const std::string& view, const std::string& name, std::function<bool()> get,
                 std::function<void(bool)> set);
    void addWhole(const std::string& view, const std::string& name, std::function<int()> get,
                  std::function<void(int)> set);
    void addText(const std::string& view, const std::string& name, std::function<QString()> get,
                 std::function<void(const QString&)> set);

    // Of what stands in a view, all of which outlive this.
    void add(const std::string& view, const std::string& name, QAction* action);
    void add(const std::string& view, const std::string& name, QAbstractButton* button);
    /// The entries are the rule's words in their order.
    void add(const std::string& view, const std::string& name, QComboBox* box);
    void add(const std::string& view, const std::string& name, QTabBar* tabs);
    void add(const std::string& view, const std::string& name, QDoubleSpinBox* box);
    void add(const std::string& view, const std::string& name, QLineEdit* line);

    /// The page of a view, which it has as an enumeration in the order of its words.
    template <class View>
    void addPage(const std::string& name, View* view) {
        addWord(
            name, "page", [view] { return static_cast<int>(view->page()); },
            [view](int page) { view->setPage(static_cast<typename View::Page>(page)); });
    }

    Choices all() const;
    /// In the order in which they were added. What is not said stays.
    void apply(const Choices& choices) const;

  private:
    struct Bound {
        const ChoiceSpec* rule = nullptr;
        Get get;
        Set set;
    };
    std::vector<Bound> bound_;
};

} // namespace headscope::widgets
