#pragma once

#include <QMainWindow>

#include "app/desktop/actions.h"
#include "app/desktop/settings.h"
#include "app/document/document.h"
#include "app/window/window_sessions.h"
#include "widgets/intent.h"
#include "widgets/words/hint_for_no_run.h"

#include <chrono>
#include <memory>
#include <optional>

namespace headscope::widgets {
class View;
}

namespace headscope::app {

class AutosaveController;
class DecodePopups;
class FigureExporter;
class FormerKeys;
class Guide;
class HomePage;
struct IntendedParts;
class ModelHash;
class MessagePanel;
class OpenedModel;
class RestoreOffer;
class Results;
class SessionController;
class Toast;
class TopBar;
class TraceSaver;
class TrainPage;
class TypedSentence;
class UndoController;
class ViewMenus;
class WelcomeStrip;
class WindowPlaces;
class WindowSessions;
class WindowState;
class WindowStatus;
class Workbench;

/// Options of the window at start.

struct StartWith {
    QString model; ///< path of a model or session, or a bundled model's name; empty: the first bundled one
    std::optional<QString> sentence;
    QString autosaveFolder;                        ///< empty: no autosave
    QString lastFile;                              ///< of what is shown at the end; empty: it is not kept
    std::chrono::milliseconds autosaveDelay{3000}; ///< after the first change
};

/// Builds the parts of the window and connects them.
class MainWindow : public QMainWindow, public widgets::ModelWindow {
    Q_OBJECT

  public:
    MainWindow(WorkQueue::MakeEngine makeEngine, StartWith startWith);
    ~MainWindow() override;

    bool isModelMissing() const override { return document_->isModelMissing(); }
    widgets::Selection* selection() const { return document_->selection(); }
    DecodeController* controller() const { return document_->controller(); }
    const Actions& actions() const { return *actions_; }
    WindowState* state() const { return sessions_->state(); }
    UndoController* undo() const { return sessions_->undo(); }
    SessionController* sessions() const { return sessions_->controller(); }
    /// For the end of the program: closing the window will not wait for running computations.
    void leaveComputing();
    /// Null if there is no autosave.
    AutosaveController* autosave() const { return sessions_->autosave(); }

  public Q_SLOTS:
    void openModel(const QString& pathOrName);
    /// Opens a second model to compare with the shown one.
    void compareWith(const QString& pathOrName);

  protected:
    bool event(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void buildParts();
    void buildCentre();
    void buildControllers();
    void buildSessions();
    void connectSentence();
    void connectViews();
    /// Connects a view: computes what it requests and forwards display options and descriptions.
    void connectView(widgets::View* view);
    /// One of the workbench.
    void addView(widgets::View* view);
    IntendedParts intended();
    void connectActions();
    void connectWork();
    void connectRun();
    void start();
    void showRun(const std::shared_ptr<const trace::Run>& run);
    void showTraining();

    Settings settings_;
    WorkQueue::MakeEngine makeEngine_;
    StartWith startWith_;
    Actions* actions_;
    Document* document_;
    Results* results_;
    ModelHash* hash_; ///< of the model's weights
    TopBar* top_ = nullptr;
    TypedSentence* typed_ = nullptr;
    MessagePanel* message_ = nullptr;
    RestoreOffer* restoreOffer_ = nullptr;
    HomePage* home_ = nullptr;
    Workbench* workbench_ = nullptr;
    WindowPlaces* places_ = nullptr;
    WindowStatus* status_ = nullptr;
    DecodePopups* popups_ = nullptr;
    FigureExporter* exporter_ = nullptr;
    Toast* toast_ = nullptr;
    FormerKeys* formerKeys_ = nullptr;
    TraceSaver* traces_ = nullptr;
    ViewMenus* menus_ = nullptr;
    TrainPage* training_ = nullptr; ///< null until requested
    WelcomeStrip* strip_ = nullptr;
    Guide* guide_ = nullptr;
    WindowSessions* sessions_ = nullptr;
    OpenedModel* opened_ = nullptr;
    bool painted_ = false;
    bool started_ = false;
    bool heatmapReported_ = false;
};

} // namespace headscope::app
