#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/desktop/settings.h"
#include "app/results/results.h"

#include <memory>
#include <string>

class QAction;
class QMainWindow;

namespace headscope::app {

class DecodePopups;
class Document;
class HomePage;
class MessagePanel;
class TopBar;
class TypedSentence;
class WindowSessions;
class Workbench;

/// Opens models and sessions for the window, and adapts the window to the opened model.
class OpenedModel : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    struct Parts {
        QMainWindow* window;
        Document* document;
        Actions* actions;
        TopBar* top;
        TypedSentence* typed;
        MessagePanel* message;
        HomePage* home;
        Workbench* workbench;
        DecodePopups* popups;
        WindowSessions* sessions;
        Settings* settings;
    };
    explicit OpenedModel(const Parts& parts);

  public Q_SLOTS:
    void open(const QString& pathOrName);
    /// Opens a model; `pathOrName` is not a session.
    void openModel(const QString& pathOrName);

  Q_SIGNALS:
    /// An action that the opened model suggests.
    void offered(const QString& words, QAction* action);

  private:
    void connectOpening();
    void offerActions();
    void openLink(const std::string& link);
    void askForBase();
    void askForPattern();
    void connectSentence();
    void take(std::shared_ptr<const trace::ModelSummary> model);
    void follow(const std::shared_ptr<const trace::ModelSummary>& model);
    void readAgain(const trace::Request& before);
    void decodeFirst();
    void showTask(const std::shared_ptr<const trace::ModelSummary>& model);
    void measureTrace();
    void noteModel();
    void noteSession();
    void forgetQuestions();
    void holdPicture();
    void showRecorded();
    /// Returns true if the model was opened to restore a state, which WindowState then completes.
    bool isRestored();

    Parts parts_;
    QString session_;                       ///< its path, as noted last
    std::weak_ptr<const trace::Run> trace_; ///< whose heads were asked for
};

} // namespace headscope::app
