#pragma once

#include <QObject>
#include <QPointer>

#include "app/choices/picture_options.h"
#include "app/document/decode_controller.h"
#include "app/document/model_opener.h"
#include "app/results/analyses.h"
#include "app/results/model_hash.h"
#include "app/results/run_queue.h"
#include "app/window/settings.h"
#include "model/files/figure_files.h"
#include "widgets/export/figure_export.h"
#include "widgets/selection.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QMenu;

namespace headscope::app {

class FigureDialog;
class FigureFilm;
struct FilmFrames;

/// What leaves the window of a view: its picture, the numbers behind it, the command that draws it. All of it
/// is drawn and written off the window's thread.
class FigureExporter : public QObject {
    Q_OBJECT

  public:
    /// All of them are there for as long as this is used.
    struct Parts {
        RunQueue* queue = nullptr;
        ModelHash* hash = nullptr;
        DecodeController* controller = nullptr;
        Analyses* analyses = nullptr;
        ModelOpener* opener = nullptr;
        widgets::Selection* selection = nullptr;
        Settings* settings = nullptr;
        QWidget* window = nullptr;
        std::function<widgets::Choices()> choices; ///< in all views
    };
    FigureExporter(const Parts& parts, QObject* parent);

    /// Nobody has chosen anything yet.
    void rememberUsual() { usual_ = parts_.choices(); }

    /// Everything that can be done with `view`, a widgets::FigureSource.
    void addTo(QMenu& menu, QWidget* view);
    /// The command that draws the view as it is written by default, or without one that runs what is shown;
    /// nothing where no command does.
    std::optional<QString> command(const QWidget* view) const;

  public Q_SLOTS:
    void savePicture(QWidget* view);
    void saveData(QWidget* view);
    void copyPicture(QWidget* view);
    void copyTable(QWidget* view);
    void copyCommand(QWidget* view);

  Q_SIGNALS:
    void refused(const headscope::trace::RefusalText& text);
    /// What was done, in words, where nothing else shows it.
    void done(const QString& words);

  private:
    /// Null where the view draws no figure.
    static widgets::FigureSource* asFigure(const QWidget* view);
    /// Null, and said, where there is nothing to show yet.
    widgets::FigureSource* figureOf(QWidget* view);
    engine::ModelSource namedModel() const;
    std::optional<widgets::PictureOptions> shown(const widgets::FigureSource& figure) const;
    /// Why the view's command cannot be copied now; empty where it can.
    QString whyNoCommand(const widgets::FigureSource& figure) const;
    /// The view as `render` draws it; nothing where that cannot.
    std::optional<widgets::PictureOptions> pictureOptions(const widgets::FigureSource& figure,
                                                          const widgets::FigureOptions& options,
                                                          bool ownSize) const;
    std::optional<std::vector<std::string>>
    commandWords(const engine::ModelSource& model, const widgets::FigureSource& figure,
                 const std::optional<widgets::PictureOptions>& picture) const;
    /// What the picture is of: the shown run, or the one of its random twin.
    std::shared_ptr<const trace::Run> runOf(const widgets::FigureSource& figure) const;
    std::optional<QString> pictureCommand(const widgets::FigureSource& figure,
                                          const widgets::FigureOptions& options, bool ownSize) const;
    /// Command that reproduces the dialog's output.
    std::optional<QString> command(const FigureDialog& dialog) const;
    void copyCommandOf(FigureDialog* dialog);
    void sayWhyNoCommand(FigureDialog* dialog) const;
    void readWeights(FigureDialog* dialog);
    void lookAtPath(FigureDialog* dialog);
    /// As ModelHash::ask.
    void askForWeights(QObject* receiver, const widgets::FigureSource& figure, const ModelHash::Then& then,
                       const QString& ifLeft = {});
    /// Once the view is soon drawn.
    void onceReady(FigureDialog* dialog, std::function<void(FigureDialog*)> then);
    void preview(FigureDialog* dialog);
    void measure(FigureDialog* dialog);
    void leave(FigureDialog* dialog);

    // figure_desk_film.cpp
    FigureFilm* filmOf(FigureDialog* dialog);
    FilmFrames framesOf(const widgets::FigureSource& figure) const;
    std::optional<QStringList> filmWords(const FigureDialog& dialog,
                                         const widgets::FigureOptions& options) const;

    void write(FigureDialog* dialog, FigureFilm* film);
    void writeNow(FigureDialog* dialog, const QString& path);
    /// The bytes of what the dialog says: taken now, drawn and encoded by what is returned, on any thread.
    std::function<widgets::FigureBytes()> bytesOf(const FigureDialog& dialog) const;
    /// What is to be written of a view, whatever becomes of it.
    struct DataToWrite {
        QString path;
        trace::FigureData data;
        files::DataNotes notes;
        std::vector<std::filesystem::path> files;
    };
    void writeDataOnceAllowed(const widgets::FigureSource& figure, const QString& path);
    void lookAtNextData();
    void askToReplace(const std::shared_ptr<DataToWrite>& job, const QStringList& replaced);
    void writeFiles(const std::shared_ptr<const DataToWrite>& job);
    void endData();
    /// Beside the window, and again where it was dropped because another model was opened, which it does not
    /// need.
    void doBeside(const std::function<std::function<void()>()>& work);
    void refuseCopy(const QString& why);

    Parts parts_;
    widgets::Choices usual_; ///< as the window opens with
    QPointer<QWidget> view_;
    QString hash_;                                            ///< of the weights, as far as the dialog knows
    std::vector<std::function<void(FigureDialog*)>> waiting_; ///< until the view is ready
    std::deque<std::shared_ptr<DataToWrite>> dataToWrite_;    ///< the first is being written
    std::function<std::function<void()>()> beside_;           ///< what the queue does for it; empty: nothing
};

} // namespace headscope::app
