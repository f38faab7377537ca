#pragma once

#include <QObject>
#include <QPointer>

#include "app/choices/picture_options.h"
#include "app/desktop/settings.h"
#include "app/document/decode_controller.h"
#include "app/document/model_opener.h"
#include "app/work/model_hash.h"
#include "app/work/work_queue.h"
#include "widgets/export/figure_export.h"
#include "widgets/selection.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QMenu;

namespace headscope::app {

class DataExporter;
class FigureDialog;
class FigureAnimation;
struct AnimationFrames;

/// Exports views: as pictures, as the data behind them, and as the command that draws them. Drawing and
/// writing happen outside the GUI thread.
class FigureExporter : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    struct Parts {
        WorkQueue* queue = nullptr;
        ModelHash* hash = nullptr;
        DecodeController* controller = nullptr;
        ModelOpener* opener = nullptr;
        widgets::Selection* selection = nullptr;
        Settings* settings = nullptr;
        QWidget* window = nullptr;
        std::function<widgets::Choices()> choices; ///< current choices of all views
    };
    FigureExporter(const Parts& parts, QObject* parent);

    /// Remembers the current choices as the defaults. Called before the user can change any.
    void rememberUsual() { usual_ = parts_.choices(); }

    /// Adds all export actions for `view`, a widgets::FigureSource.
    void addTo(QMenu& menu, QWidget* view);
    /// Returns the command that draws the view with default options or, if the view draws no figure, the
    /// command that runs the shown request. Empty if no command does.
    std::optional<QString> command(const QWidget* view) const;

  public Q_SLOTS:
    void savePicture(QWidget* view);
    void saveData(QWidget* view);
    void copyPicture(QWidget* view);
    void copyTable(QWidget* view);
    void copyCommand(QWidget* view);

  Q_SIGNALS:
    /// The dialog of a picture is open.
    void asked();
    void refused(const headscope::trace::RefusalText& text);
    /// Reports a completed action that is not visible otherwise.
    void done(const QString& words, const QString& file);

  private:
    /// Null if the view draws no figure.
    static widgets::FigureSource* asFigure(const QWidget* view);
    /// Null, after emitting refused(), if there is nothing to draw yet.
    widgets::FigureSource* figureOf(QWidget* view);
    engine::ModelSource namedModel() const;
    std::optional<widgets::PictureOptions> shown(const widgets::FigureSource& figure) const;
    /// Why the view's command cannot be copied now; empty if it can.
    QString whyNoCommand(const widgets::FigureSource& figure) const;
    /// Options with which `render` draws the view; empty if it cannot.
    std::optional<widgets::PictureOptions> pictureOptions(const widgets::FigureSource& figure,
                                                          const widgets::FigureOptions& options,
                                                          bool ownSize) const;
    std::optional<std::vector<std::string>>
    commandWords(const engine::ModelSource& model, const widgets::FigureSource& figure,
                 const std::optional<widgets::PictureOptions>& picture) const;
    /// The run that the figure shows: the current one, or that of its random twin.
    std::shared_ptr<const trace::Run> runOf(const widgets::FigureSource& figure) const;
    std::optional<QString> pictureCommand(const widgets::FigureSource& figure,
                                          const widgets::FigureOptions& options, bool ownSize) const;
    /// Command that reproduces the dialog's output; empty if there is none.
    std::optional<QString> command(const FigureDialog& dialog) const;
    void copyCommandOf(FigureDialog* dialog);
    void sayWhyNoCommand(FigureDialog* dialog) const;
    void readWeights(FigureDialog* dialog);
    void lookAtPath(FigureDialog* dialog);
    /// As ModelHash::ask().
    void askForWeights(QObject* receiver, const widgets::FigureSource& figure, const ModelHash::Then& then,
                       const QString& ifAbandoned = {});
    /// Calls `then` once the view is prepared for drawing.
    void onceReady(FigureDialog* dialog, std::function<void(FigureDialog*)> then);
    void preview(FigureDialog* dialog);
    void measure(FigureDialog* dialog);
    void leave(FigureDialog* dialog);

    FigureAnimation* animationOf(FigureDialog* dialog);
    AnimationFrames framesOf(const widgets::FigureSource& figure) const;
    std::optional<QStringList> animationWords(const FigureDialog& dialog,
                                              const widgets::FigureOptions& options) const;

    void write(FigureDialog* dialog, FigureAnimation* animation);
    void writeNow(FigureDialog* dialog, const QString& path);
    /// Takes a snapshot of the view with the dialog's options; the returned function draws and encodes it on
    /// any thread.
    std::function<widgets::FigureBytes()> bytesOf(const FigureDialog& dialog) const;
    void refuseCopy(const QString& why);

    Parts parts_;
    DataExporter* data_;
    widgets::Choices usual_; ///< choices of a new window
    QPointer<QWidget> view_;
    /// Each has its own jobs, of which the newest counts; the first two belong to the dialog.
    QPointer<QObject> paths_, previews_;
    QObject copies_;
    QString hash_; ///< of the weights; empty until the dialog knows it
    std::vector<std::function<void(FigureDialog*)>> waiting_; ///< callbacks until the view is prepared
};

} // namespace headscope::app
