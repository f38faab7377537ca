#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>
#include <string>

class QMessageBox;
class QWidget;

namespace headscope::app {

/// Asks about a session whose models are missing or have other weights, and whether to save it. A newer
/// question takes the place of an older one of its kind.
class SessionQuestions : public QObject {
    Q_OBJECT

  public:
    using Use = std::function<void(const QString& path)>;

    /// `chooseModel` asks for a folder or a file; empty if cancelled. `window` must outlive this.
    SessionQuestions(QWidget* window, std::function<QString(bool folder)> chooseModel, QObject* parent);

    /// A model of the session, by its path and the hash of its weights; empty: that is not known.
    struct Model {
        std::string path;
        std::string weights;
    };
    /// Of those that the session names: the shown one, or the second one that it is compared with.
    enum class Which { Shown, Second };
    /// Where the model is, which was not found.
    void askFor(Which which, const Model& model, const Use& use, const std::function<void()>& cancelled = {});

    /// The model that is open instead of the session's, and the possible answers.
    struct Found {
        std::string weights; ///< empty: not known
        Use use;             ///< another model
        std::function<void()> goOn = {};
        std::function<void()> goBack = {}; ///< to what was shown before; null: that is not offered
    };
    void askAboutWeights(Which which, const Model& model, const Found& found);

    /// Whether to save before the window closes; `answered` is not called if the user cancels.
    void askToSave(const QString& path, const std::function<void(bool save)>& answered);

    /// Closes questions about models without an answer.
    void putAway();

  private:
    QMessageBox* newQuestion(QPointer<QMessageBox>& question, const char* name, const QString& what,
                             const QString& more);
    QPointer<QMessageBox>& questionOf(Which which) {
        return which == Which::Shown ? question_ : otherQuestion_;
    }
    /// `again`: called if the user chooses no file.
    void offerSearch(QMessageBox* box, const Use& use, const std::function<void()>& again);
    void offerToGoOn(QMessageBox* box, const Found& found);
    void putAway(QMessageBox* question);

    QWidget* window_;
    std::function<QString(bool folder)> chooseModel_;
    QPointer<QMessageBox> question_;
    QPointer<QMessageBox> otherQuestion_;
    QPointer<QMessageBox> changedQuestion_;
};

} // namespace headscope::app
