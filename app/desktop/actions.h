#pragma once

#include <QByteArray>
#include <QKeySequence>
#include <QObject>

#include "widgets/view_spec.h"

#include <map>
#include <string>
#include <variant>
#include <vector>

class QAction;
class QActionGroup;
class QMenu;
class QMenuBar;
class QWidget;

namespace headscope::app {

/// All actions that no view brings with it. Menus, the search, shortcuts, buttons and tooltips are built from
/// this list and from those of views (widgets::ActionSpec).
enum class ActionId {
    Home,
    OpenFolder,
    OpenFile,
    AskAgain,
    SplitByPattern,
    OpenSession,
    SaveSession,
    SaveSessionAs,
    Train,
    Preferences,
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
    Find,
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
    Maximise,
    GoBack,
    CloseDrawer,
    ThemeSystem,
    ThemeLight,
    ThemeDark,
    Text90,
    Text100,
    Text115,
    Text130,
    Text150,
    Decode,
    ToStart,
    Back,
    Forward,
    ToEnd,
    Play,
    Stop,
    StepByStep,
    RunTo,
    NextUnsure,
    DecodingOptions,
    Unpin,
    PinHead,
    UnpinHeads,
    NextRegion,
    PreviousRegion,
    ResetLayout,
    CommandPalette,
    SelfCheck,
    Tour,
    Learn,
    Keys,
    Glossary,
    About,
};

/// Dynamic property of a QAction: a QStringList of further words that the search finds the action by.
inline constexpr const char* synonymsProperty = "synonyms";
/// Dynamic property of a QAction: a QStringList of its names and keys in earlier versions.
inline constexpr const char* formerProperty = "former";

/// An action of the window by itself, that of a view by its widgets::actionKey(), or that of a workspace by
/// workspaceAction().
using ActionKey = std::variant<ActionId, std::string>;

std::string workspaceAction(const std::string& workspace);

class Actions : public QObject {
    Q_OBJECT

  public:
    /// Adds the actions to `window`, so that their shortcuts work there.
    explicit Actions(QWidget* window);

    /// Throws std::out_of_range if there is no such action.
    QAction* operator[](const ActionKey& key) const { return states_.at(key).action; }
    /// Returns all actions in the order of their menus.
    const std::vector<QAction*>& all() const { return all_; }
    /// The actions that keys belonged to in the previous version.
    const std::map<QKeySequence, QAction*>& former() const { return former_; }
    /// Adds every action to its menu, and that of the models; menu() returns the menus afterwards.
    void fill(QMenuBar* bar, QMenu* models);
    /// Returns a menu by its name in the table, such as "&File" or "&View/&Theme". Throws std::out_of_range
    /// before fill().
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
    void addWorkspaces(QWidget* window);
    /// Makes it checkable; of a group one is checked.
    void join(const ActionKey& key, const QByteArray& group);
    QMenu* addMenu(QMenuBar* bar, const QByteArray& path, bool separatorBefore);
    static void show(const State& state);

    std::map<ActionKey, State> states_;
    std::vector<QAction*> all_;
    std::map<QByteArray, QMenu*> menus_;
    std::map<QByteArray, QActionGroup*> groups_;
    std::map<QKeySequence, QAction*> former_;
};

} // namespace headscope::app
