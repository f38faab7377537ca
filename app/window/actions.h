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

/// Everything a person can do, once. Menus, the command palette, shortcuts, buttons and tooltips are made of
/// it.
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
    MapColourPerRow,
    MapWithoutSpecial,
    MapWords,
    MapTransposed,
    MapNumbers,
    MapReceived,
    MapLosses,
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

/// Of a QAction: other words that it is found by, a list of texts.
inline constexpr const char* synonymsProperty = "synonyms";

class Actions : public QObject {
    Q_OBJECT

  public:
    /// Actions are added to `window`, so that their shortcuts work there.
    explicit Actions(QWidget* window);

    QAction* operator[](ActionId id) const { return actions_.at(id); }
    /// In the order of the table.
    std::vector<QAction*> all() const;
    /// Puts every action into its menu. Menus that others add to are returned by menu().
    void fill(QMenuBar* bar);
    /// By its name in the table, such as "File".
    QMenu* menu(const char* name) const { return menus_.at(name); }

    /// A disabled action says why in its tooltip.
    void setEnabled(ActionId id, bool enabled, const QString& whyNot = {});
    /// What means nothing for the model that is open is disabled, whatever setEnabled() says, for as long as
    /// there is a reason; an empty one gives it back.
    void withhold(ActionId id, const QString& why);
    /// Name of the disabled action bound to `keys`, and the reason; empty if there is none.
    QString whyNot(const QKeySequence& keys) const;
    /// Calls it by other words; empty: by those of the table.
    void rename(ActionId id, const QString& text, const QString& tooltip);

  private:
    struct State {
        bool enabled = true;
        QString whyNot;
        QString withheld; ///< why; empty: it is not
        QString tooltip;  ///< empty: the table's
        const QString& why() const { return withheld.isEmpty() ? whyNot : withheld; }
    };
    QString tooltip(ActionId id) const;
    void show(ActionId id);

    std::map<ActionId, QAction*> actions_;
    std::map<ActionId, State> states_;
    std::map<QByteArray, QMenu*> menus_;
};

} // namespace headscope::app
