#pragma once

#include <QMainWindow>

#include "app/document/decode_controller.h"
#include "app/document/kept_layout.h"
#include "app/results/run_queue.h"
#include "app/window/actions.h"
#include "app/window/settings.h"
#include "widgets/selection.h"
#include "widgets/words/way_to_a_run.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QMenu;
class QTabWidget;
class QPushButton;

namespace headscope::widgets {
class ViewChoices;
class ArchitectureView;
class CandidatesView;
class ClassifierView;
class CompareView;
class ComparedHeads;
class HeadGridView;
class HeatmapView;
class LinesView;
class MaskView;
class Overview;
class PositionalEncodingView;
class ScaleView;
class SelfCheckBadge;
class SnapshotBar;
class View;
} // namespace headscope::widgets

namespace headscope::app {

class Analyses;
class AutosaveDesk;
class ArithmeticDock;
class BranchDocks;
class CompareAnswers;
class DecodePopups;
class Errands;
class FigureDesk;
class ModelHash;
class HeadBar;
class CausalRows;
class HeadComparisons;
class LongMaps;
class ManualWindow;
class MapAnalyses;
class MapChoices;
class HeadTableDock;
class ImportanceDock;
class LensDock;
class MessagePanel;
class ModelOpener;
class PanelPlaces;
class RandomTwin;
class RandomTwinDock;
class RestoreOffer;
class SentencePanel;
class SessionDesk;
class TraceDesk;
class TrainDialog;
class TrainingTime;
class TwinAnalyses;
class UndoDesk;
class WhatIf;
class WhatIfDock;
class WindowState;

struct WindowLayout;

/// What the window opens with.
struct StartWith {
    QString model; ///< a path, of a session too, or a bundled model's name; empty: the first bundled one
    std::optional<QString> sentence;
    QString autosaveFolder;                        ///< empty: nothing is saved without being asked
    std::chrono::milliseconds autosaveDelay{3000}; ///< after the first change
};

/// Connections: what is computed is in the engine, what is drawn is in the views.
class MainWindow : public QMainWindow, public widgets::ModelWindow {
    Q_OBJECT

  public:
    MainWindow(RunQueue::MakeEngine makeEngine, StartWith startWith);
    ~MainWindow() override;

    bool isModelMissing() const override { return modelMissing_; }
    widgets::Selection* selection() const { return selection_; }
    DecodeController* controller() const { return controller_; }
    const Actions& actions() const { return *actions_; }
    WindowState* state() const { return state_; }
    UndoDesk* undo() const { return undo_; }
    SessionDesk* sessions() const { return sessions_; }
    /// For the end of the program: what is being computed is not waited for when the window goes, as the
    /// process ends next.
    void leaveComputing() { leavesComputing_ = true; }
    /// Null where nothing is saved without being asked.
    AutosaveDesk* autosave() const { return autosave_; }

  public Q_SLOTS:
    void openModel(const QString& pathOrName);
    /// The same, where it is no session.
    void openModelAt(const QString& pathOrName);
    /// Opens a second model beside the shown one, to compare them.
    void compareWith(const QString& pathOrName);

  protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    // main_window.cpp
    void start();
    void showRun(const std::shared_ptr<const trace::Run>& run);
    void chooseFirstHead(const std::shared_ptr<const trace::Run>& run);
    void followBusy();
    void followHead();
    void changeHead(int layers, int heads);
    void chooseKind(trace::AttentionKind kind);

    // main_window_models.cpp
    void modelOpened(std::shared_ptr<const trace::ModelSummary> model);
    void forgetQuestions();
    void followMissingModel();
    void holdPicture();
    void showModelName(const QString& name);
    void adoptModel(std::shared_ptr<const trace::ModelSummary> model);
    void chooseText();
    void offerSamples();
    void showRecorded();
    void showTwinOf(std::uint64_t seed);
    void decodeTyped();
    /// False where nothing is.
    bool decodeSentence();

    // main_window_places.cpp
    void buildPlaces();
    void restoreLayout();
    void resetLayout();
    WindowLayout windowLayout() const;
    /// False where the panels are those of another program version, or there are none: they are passed over.
    bool setWindowLayout(const std::optional<WindowLayout>& layout);
    void rememberLayout();

    // main_window_layout.cpp
    void buildLayout();
    void buildDocks();
    void buildStatusBar();
    /// Shows what the window shows, from now on, and what it wants computed for that is done.
    void addView(widgets::View* view);
    void sayCell(const QObject* by, const QString& words);
    /// What it is pointed at in a view, in the status bar.
    template <class View>
    void describe(View* view, void (View::*signal)(const QString&)) {
        connect(view, signal, this, [this, view](const QString& words) { sayCell(view, words); });
    }
    void nameTabs();
    QWidget* buildTop();
    /// The menu of the model's button.
    void fillModels();
    /// Bundled and recent models, each of which does `open` when it is chosen.
    void fillModelMenu(QMenu* menu, const std::function<void(const QString&)>& open);

    // main_window_actions.cpp
    void connectActions();
    void connectViewActions();
    void connectHelpActions();
    void showTab(QWidget* view);
    void search();
    /// What search() offers besides the table of actions: panels, models, changes of the model.
    std::vector<QAction*> foundBesides();
    /// "#2.5": goes to head 5 of layer 2, of the kind shown. Null where the words are no head.
    QAction* headAction(const QString& words);
    void chooseTheme(const QString& name);
    void applyTheme();
    /// Of a folder or a weights file; empty where the person thought better of it.
    QString chosenModel(bool folder);
    void openTraining();

    // main_window_pictures.cpp
    void offerPicture(QWidget* view);
    QWidget* viewOnTop() const;
    void saveLayer(const trace::HeadAddress& head);
    void buildDesk();

    // main_window_heads.cpp
    void connectHeads();
    void toggleOverview();
    void openOverview();
    void openHead();
    void followOverview();
    void followPins();
    void keepPinsOf(const trace::ModelSummary& model);
    void addPinning(QMenu& menu, const trace::HeadAddress& head);

    // main_window_scale.cpp
    void buildScale();
    void connectScale();
    void followTask(const trace::ModelSummary* model);

    // main_window_compare.cpp
    void buildCompare();
    void connectCompare();
    void followCompare();
    void showPanelsAside();
    void fillOtherModelMenu();

    // main_window_session.cpp
    void buildSessions();
    void connectSessions();
    /// The session's file and the model.
    void showTitle();
    bool restoresModel();

    // main_window_choices.cpp
    void bindChoices();
    void bindMapChoices();
    void bindWindowChoices();
    void bindPanelChoices();
    void bindWindowItself();

    // main_window_maps.cpp
    void connectMapActions();
    void showMaps();
    void showCauses();

    Settings settings_;
    StartWith startWith_;
    Actions* actions_;
    RunQueue* queue_;
    ModelOpener* opener_;
    widgets::Selection* selection_;
    DecodeController* controller_;
    WhatIf* whatIf_;
    Analyses* analyses_;
    MapChoices* mapChoices_;
    MapAnalyses* mapAnalyses_;
    LongMaps* longMaps_;
    CausalRows* causalRows_;
    RandomTwin* twin_;
    TwinAnalyses* twinAnalyses_;
    Errands* errands_;
    std::vector<widgets::View*> views_;      ///< that follow the shown run
    std::vector<widgets::View*> panelViews_; ///< those of them that stand in a panel of their own
    std::shared_ptr<const trace::ModelSummary> model_;
    bool chooseFirstHead_ = true; ///< the next run decides which head is looked at first
    bool modelMissing_ = false;   ///< none is open, or about to be
    bool painted_ = false;
    bool started_ = false;
    bool leavesComputing_ = false;
    bool heatmapReported_ = false;
    QString cellWords_;
    const QObject* speaker_ = nullptr; ///< whose words the status bar shows
    QString keptSentence_;             ///< typed before ids or a trace's took its place

    QPushButton* modelButton_ = nullptr;
    QLabel* languages_ = nullptr;
    HeadBar* headBar_ = nullptr;
    widgets::SnapshotBar* snapshots_ = nullptr;
    TrainingTime* trainingTime_ = nullptr;
    TrainDialog* training_ = nullptr; ///< once it was asked for
    ManualWindow* manual_ = nullptr;  ///< the same
    SentencePanel* sentence_ = nullptr;
    MessagePanel* message_ = nullptr;
    RestoreOffer* restoreOffer_ = nullptr;
    ModelHash* hash_ = nullptr;
    FigureDesk* desk_ = nullptr;
    TraceDesk* traces_ = nullptr;
    BranchDocks* branches_ = nullptr;
    DecodePopups* popups_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    widgets::Overview* overview_ = nullptr;
    widgets::ComparedHeads* compared_ = nullptr;
    widgets::HeatmapView* heatmap_ = nullptr; ///< of the selected head, where no head is pinned
    HeadComparisons* comparisons_ = nullptr;
    widgets::LinesView* lines_ = nullptr;
    widgets::MaskView* masks_ = nullptr;
    widgets::PositionalEncodingView* positions_ = nullptr;
    widgets::ArchitectureView* architecture_ = nullptr;
    widgets::ScaleView* scale_ = nullptr;
    widgets::ClassifierView* classifier_ = nullptr;
    widgets::CompareView* compare_ = nullptr;
    CompareAnswers* compareAnswers_ = nullptr;
    widgets::HeadGridView* grid_ = nullptr;
    widgets::CandidatesView* candidates_ = nullptr;
    WhatIfDock* whatIfDock_ = nullptr;
    RandomTwinDock* twinDock_ = nullptr;
    ImportanceDock* importance_ = nullptr;
    LensDock* lens_ = nullptr;
    ArithmeticDock* arithmetic_ = nullptr;
    HeadTableDock* headTable_ = nullptr;
    widgets::SelfCheckBadge* badge_ = nullptr;
    QLabel* device_ = nullptr;
    QLabel* working_ = nullptr;
    double shareRead_ = 1; ///< of what the run that is under way is given, where that takes long
    QLabel* cell_ = nullptr;
    std::unique_ptr<widgets::ViewChoices> choices_;
    std::unique_ptr<PanelPlaces> panels_;
    KeptLayout* layout_ = nullptr;
    std::vector<std::string> aside_; ///< panels that the comparison hides, by their objects' names
    QAction* goToHead_ = nullptr;    ///< of the search, to the head that was typed last
    WindowState* state_ = nullptr;
    UndoDesk* undo_ = nullptr;
    SessionDesk* sessions_ = nullptr;
    AutosaveDesk* autosave_ = nullptr;
    QByteArray firstLayout_; ///< for putting panels back
};

} // namespace headscope::app
