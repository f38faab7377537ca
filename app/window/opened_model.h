#pragma once

#include <QObject>

#include "app/results/results.h"
#include "app/window/actions.h"

#include <memory>

class QMainWindow;

namespace headscope::app {

class DecodePopups;
class MessagePanel;
class Panels;
class Tabs;
class TopBar;
class TypedSentence;
class WindowSessions;

/// Opens models and sessions for the window, and has it show what a model that was opened is for.
class OpenedModel : public QObject {
    Q_OBJECT

  public:
    /// All of them outlive this.
    struct Parts {
        QMainWindow* window;
        Document* document;
        Results* results;
        Actions* actions;
        TopBar* top;
        TypedSentence* typed;
        MessagePanel* message;
        Tabs* tabs;
        Panels* panels;
        DecodePopups* popups;
        WindowSessions* sessions;
    };
    explicit OpenedModel(const Parts& parts);

  public Q_SLOTS:
    void open(const QString& pathOrName);
    /// The same, where it is no session.
    void openModel(const QString& pathOrName);

  private:
    void connectOpening();
    void connectSentence();
    void take(std::shared_ptr<const trace::ModelSummary> model);
    void follow(const std::shared_ptr<const trace::ModelSummary>& model);
    void decodeFirst();
    void showTask(const trace::ModelSummary* model);
    void forgetQuestions();
    void holdPicture();
    void showRecorded();
    /// True where the model that was opened belongs to what is being restored, which says all the rest.
    bool isRestored();

    Parts parts_;
};

} // namespace headscope::app
