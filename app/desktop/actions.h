#pragma once

#include <QKeySequence>
#include <QObject>

#include "widgets/view_spec.h"

#include <map>
#include <string>
#include <variant>
#include <vector>

class QAction;
class QMenu;
class QMenuBar;
class QWidget;

namespace headscope::app {

/// All actions that no view brings with it. Menus, the search, shortcuts, buttons and tooltips are built from
/// this list and from those of views (widgets::ActionSpec).
enum class ActionId {
    OpenFolder,
    OpenFile,
    AskAgain,
    OpenSession,
    SaveSession,
    SaveSessionAs,
    Train,
    SaveTrace,
    SavePicture,
    SaveData,
    CopyPicture,
    CopyTable,
    CopyTranslation,
    CopyCell,
    CopyCommand,
    Undo,
    Redo,
    ToggleHead,
    ClearChanges,
    Quit,
    EditSentence,
    KindEncoder,
    KindDecoder,
    KindCross,
    PreviousHead,
    NextHead,
    PreviousLayer,
    NextLayer,
    EarlierSnapshot,
    LaterSnapshot,
    PlaySnapshots,
    ShowWeights,
    ShowScores,
    ShowOpenScores,
    ShowNormWeighted,
    ShowNormShares,
    ShowRollout,
    ShowContributions,
    ShowGradient,
    ScaleLinear,
    ScaleLogarithmic,
    ScaleRank,
#define MAP_FLAG(MEMBER, ACTION, ...) ACTION,
#include "widgets/map_flags.def"
#undef MAP_FLAG
    SpaceMarks,
    FitMap,
    ZoomIn,
    ZoomOut,
    ThemeSystem,
    ThemeLight,
    ThemeDark,
    Decode,
    ToStart,
    Back,
    Forward,
    ToEnd,
    RunOrStop,
    Stop,
    StepByStep,
    RunTo,
    NextUnsure,
    DecodingOptions,
    Unpin,
    PinHead,
    UnpinHeads,
    ResetLayout,
    CommandPalette,
    SelfCheck,
    Manual,
    Keys,
    About,
};

/// Dynamic property of a QAction: a QStringList of further words that the search finds the action by.
inline constexpr const char* synonymsProperty = "synonyms";
/// The same: its names and keys in earlier versions.
inline constexpr const char* formerProperty = "former";

/// An action of the window by itself, or that of a view by its widgets::actionKey().
using ActionKey = std::variant<ActionId, std::string>;

class Actions : public QObject {
    Q_OBJECT

  public:
    /// Adds the actions to `window`, so that their shortcuts work there.
    explicit Actions(QWidget* window);

    /// Throws std::out_of_range if there is no such action.
    QAction* operator[](const ActionKey& key) const { return states_.at(key).action; }
    /// Returns all actions in the order of their menus.
    const std::vector<QAction*>& all() const { return all_; }
    /// Adds every action to its menu; menu() returns the menus afterwards.
    void fill(QMenuBar* bar);
    /// Returns a menu by its name in the table, such as "&File". Throws std::out_of_range before fill().
    QMenu* menu(const char* name) const { return menus_.at(name); }

    /// `whyNot` is shown in the tooltip of the disabled action.
    void setEnabled(const ActionKey& key, bool enabled, const QString& whyNot = {});
    /// Disables an action that has no meaning for the open model, regardless of setEnabled(), while `why` is
    /// not empty.
    void withhold(const ActionKey& key, const QString& why);
    /// Name of the disabled action bound to `keys`, and the reason; empty if there is none.
    QString whyNot(const QKeySequence& keys) const;
    /// Replaces text and tooltip; empty ones restore the first ones.
    void rename(const ActionKey& key, const QString& text, const QString& tooltip);

  private:
    struct State {
        QAction* action = nullptr;
        QString firstText;
        QString summary;
        QString firstSummary;
        bool enabled = true;
        QString whyNot;
        QString withheld; ///< the reason; empty: not withheld
        const QString& why() const { return withheld.isEmpty() ? whyNot : withheld; }
        QString tooltip() const;
    };
    struct Words;
    QAction* add(const ActionKey& key, const Words& words, QWidget* window);
    static void show(const State& state);

    std::map<ActionKey, State> states_;
    std::vector<QAction*> all_;
    std::map<QByteArray, QMenu*> menus_;
};

} // namespace headscope::app
