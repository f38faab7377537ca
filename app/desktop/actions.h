#pragma once

#include <QKeySequence>
#include <QObject>

#include <map>
#include <vector>

class QAction;
class QMenu;
class QMenuBar;
class QWidget;

namespace headscope::app {

/// All user actions. Menus, the search, shortcuts, buttons and tooltips are built from this list.
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
    MeasureHeads,
    TintHeads,
    SortHeads,
    OneLayer,
    SaveLayer,
    ShowLens,
    ShowArithmetic,
    HeadTable,
    HeadsFromHere,
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
    SourceShare,
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
    ForceTarget,
    CompareBranches,
    ShowBeamTree,
    Unpin,
    RandomTwin,
    ToggleOverview,
    PinHead,
    UnpinHeads,
    ViewOverview,
    ViewHeatmap,
    ViewMasks,
    ViewPositions,
    ViewArchitecture,
    ViewLines,
    ViewScale,
    ViewClassifier,
    ViewCompare,
    ResetLayout,
    CommandPalette,
    SelfCheck,
    Manual,
    Keys,
    About,
};

/// Dynamic property of a QAction: a QStringList of further words that the search finds the action by.
inline constexpr const char* synonymsProperty = "synonyms";

class Actions : public QObject {
    Q_OBJECT

  public:
    /// Adds the actions to `window`, so that their shortcuts work there.
    explicit Actions(QWidget* window);

    QAction* operator[](ActionId id) const { return actions_.at(id); }
    /// Returns all actions in the order of the table in actions.cpp.
    std::vector<QAction*> all() const;
    /// Adds every action to its menu; menu() returns the menus afterwards.
    void fill(QMenuBar* bar);
    /// Returns a menu by its name in the table, such as "&File". Throws std::out_of_range before fill().
    QMenu* menu(const char* name) const { return menus_.at(name); }

    /// `whyNot` is shown in the tooltip of the disabled action.
    void setEnabled(ActionId id, bool enabled, const QString& whyNot = {});
    /// Disables an action that has no meaning for the open model, regardless of setEnabled(), while `why` is
    /// not empty.
    void withhold(ActionId id, const QString& why);
    /// Name of the disabled action bound to `keys`, and the reason; empty if there is none.
    QString whyNot(const QKeySequence& keys) const;
    /// Replaces text and tooltip; empty ones restore those of the table.
    void rename(ActionId id, const QString& text, const QString& tooltip);

  private:
    struct State {
        bool enabled = true;
        QString whyNot;
        QString withheld; ///< the reason; empty: not withheld
        QString tooltip;  ///< empty: that of the table
        const QString& why() const { return withheld.isEmpty() ? whyNot : withheld; }
    };
    QString tooltip(ActionId id) const;
    void show(ActionId id);

    std::map<ActionId, QAction*> actions_;
    std::map<ActionId, State> states_;
    std::map<QByteArray, QMenu*> menus_;
};

} // namespace headscope::app
