#pragma once

#include <QMainWindow>

#include "app/window/actions.h"
#include "app/window/decode_controller.h"
#include "app/window/run_queue.h"
#include "app/window/settings.h"
#include "widgets/selection.h"

#include <functional>
#include <memory>
#include <optional>

class QLabel;
class QMenu;
class QTabWidget;
class QPushButton;

namespace headscope::widgets {
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
} // namespace headscope::widgets

namespace headscope::app {

class Analyses;
class ArithmeticDock;
class BranchDocks;
class CompareAnswers;
class DecodePopups;
class FigureDesk;
class HeadBar;
class CausalRows;
class HeadComparisons;
class LongMaps;
class MapAnalyses;
class MapChoices;
class HeadTableDock;
class ImportanceDock;
class LensDock;
class MessagePanel;
class ModelOpener;
class RandomTwin;
class RandomTwinDock;
class SentencePanel;
class TrainDialog;
class TrainingTime;
class TwinAnalyses;
class WhatIf;
class WhatIfDock;

/// What the window opens with.
struct StartWith {
    QString model; ///< a path or a bundled model's name; empty: the first bundled one
    std::optional<QString> sentence;
};

/// Connections: what is computed is in the engine, what is drawn is in the views.
class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    MainWindow(RunQueue::MakeEngine makeEngine, StartWith startWith);
    ~MainWindow() override;

    widgets::Selection* selection() const { return selection_; }
    DecodeController* controller() const { return controller_; }
    const Actions& actions() const { return *actions_; }

  public Q_SLOTS:
    void openModel(const QString& pathOrName);
    /// Opens a second model beside the shown one, to compare them.
    void compareWith(const QString& pathOrName);

  protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    // main_window.cpp
    void start();
    void modelOpened(std::shared_ptr<const trace::ModelSummary> model);
    void holdPicture();
    void adoptModel(std::shared_ptr<const trace::ModelSummary> model);
    void chooseText();
    void showRecorded();
    void showRun(const std::shared_ptr<const trace::Run>& run);
    void followBusy();
    void followHead();
    void decodeSentence();
    void changeHead(int layers, int heads);
    void chooseKind(trace::AttentionKind kind);

    // main_window_layout.cpp
    void buildLayout();
    void buildDocks();
    void buildStatusBar();
    QWidget* buildTop();
    /// Bundled and recent models, each of which does `open` when it is chosen.
    void fillModelMenu(QMenu* menu, const std::function<void(const QString&)>& open);
    void restoreLayout();
    void resetLayout();
    void rememberLayout();

    // main_window_actions.cpp
    void connectActions();
    void connectViewActions();
    void connectHelpActions();
    void showTab(QWidget* view);
    void applyTheme();
    /// Of a folder or a weights file; empty where the person thought better of it.
    QString chosenModel(bool folder);
    void saveShownTrace();
    void openTraining();

    // main_window_pictures.cpp
    void offerPicture(QWidget* view);
    QWidget* viewOnTop() const;
    void buildDesk();

    // main_window_heads.cpp
    void connectHeads();
    void toggleOverview();
    void openHead();
    void followOverview();
    void followPins();
    void keepPinsOf(const trace::ModelSummary& model);
    void addPinning(QMenu& menu, const trace::HeadAddress& head);

    // main_window_scale.cpp
    void buildScale();
    void connectScale();
    void followClasses(const trace::ModelSummary* model);

    // main_window_compare.cpp
    void buildCompare();
    void connectCompare();
    void fillOtherModelMenu();

    // main_window_maps.cpp
    void connectMapActions();
    void showMaps();

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
    std::shared_ptr<const trace::ModelSummary> model_;
    bool chooseFirstHead_ = true; ///< the next run decides which head is looked at first
    bool painted_ = false;
    bool started_ = false;
    bool heatmapReported_ = false;
    QString cellWords_;
    QString keptSentence_; ///< typed before ids or a trace's took its place

    QPushButton* modelButton_ = nullptr;
    QLabel* languages_ = nullptr;
    HeadBar* headBar_ = nullptr;
    widgets::SnapshotBar* snapshots_ = nullptr;
    TrainingTime* trainingTime_ = nullptr;
    TrainDialog* training_ = nullptr; ///< once it was asked for
    SentencePanel* sentence_ = nullptr;
    MessagePanel* message_ = nullptr;
    FigureDesk* desk_ = nullptr;
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
    QLabel* cell_ = nullptr;
    QByteArray firstLayout_; ///< for putting panels back
};

} // namespace headscope::app
