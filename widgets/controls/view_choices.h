#pragma once

#include "widgets/view.h"
#include "widgets/view_spec.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <string>
#include <utility>
#include <vector>

class QAbstractButton;
class QAction;
class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QTabBar;

namespace headscope::widgets {

/// Returns the child control with this object name. It must exist.
template <class Control>
Control* control(const QWidget* view, const char* name) {
    auto* found = view->findChild<Control*>(QLatin1String(name));
    Q_ASSERT_X(found, "control", name);
    return found;
}

/// The word at a place of a choice that the document keeps.
intents::Choose chooseWord(const std::string& view, const std::string& name, int place);

/// Access to all choices in the views of a window, which can be read and set as values: those that something
/// is bound to, and all others in the document.
class ViewChoices {
  public:
    using Get = std::function<ChoiceValue()>;
    using Set = std::function<void(const ChoiceValue&)>;
    using Choose = std::function<void(const Choices&)>;

    /// `document` must outlive this. Without one there are only those that something is bound to.
    explicit ViewChoices(const DocumentState* document = nullptr, Choose choose = {})
        : document_(document), choose_(std::move(choose)) {}

    /// Binds a choice of choiceSpecs(). `set` is called only with a new value of the choice's kind, and
    /// ignores values that the open model does not have.
    void add(const std::string& view, const std::string& name, Get get, Set set);
    /// Binds a choice by the index of its word.
    void addWord(const std::string& view, const std::string& name, std::function<int()> get,
                 std::function<void(int)> set);
    void addFlag(const std::string& view, const std::string& name, std::function<bool()> get,
                 std::function<void(bool)> set);
    void addWhole(const std::string& view, const std::string& name, std::function<int()> get,
                  std::function<void(int)> set);
    void addText(const std::string& view, const std::string& name, std::function<QString()> get,
                 std::function<void(const QString&)> set);

    // Bind controls, which must outlive this.
    void add(const std::string& view, const std::string& name, QAction* action);
    void add(const std::string& view, const std::string& name, QAbstractButton* button);
    /// The entries must be the choice's words in the same order.
    void add(const std::string& view, const std::string& name, QComboBox* box);
    void add(const std::string& view, const std::string& name, QTabBar* tabs);
    void add(const std::string& view, const std::string& name, QDoubleSpinBox* box);
    void add(const std::string& view, const std::string& name, QLineEdit* line);

    /// Binds the page of a view, whose enumeration must have the order of the choice's words.
    template <class View>
    void addPage(const std::string& name, View* view) {
        addWord(
            name, "page", [view] { return static_cast<int>(view->page()); },
            [view](int page) { view->setPage(static_cast<typename View::Page>(page)); });
    }

    Choices all() const;
    /// Applies choices, those of the document first and the others in the order of choiceSpecs(), whose last
    /// ones open panels; those not contained are unchanged.
    void apply(const Choices& choices) const;

  private:
    struct Bound {
        const ChoiceSpec* rule = nullptr;
        Get get;
        Set set;
    };
    bool isBound(const ChoiceSpec& choice) const;

    const DocumentState* document_;
    Choose choose_;
    std::vector<Bound> bound_; ///< in the order of choiceSpecs()
};

/// Binds the names that a person gave to the paths of the last complete run. `order`: the paths as they are
/// listed; none: as the run has them. The view must outlive `choices`.
void addBranchNames(ViewChoices& choices, View* view, std::function<std::vector<std::size_t>()> order = {});
/// Adds the paths beside the shown one to the options that draw the run. Returns false if no command decodes
/// them: a decoded path that ends within another one would become a forced target when given as ids.
bool sayBranches(PictureOptions& picture, const trace::Run& run);

} // namespace headscope::widgets
