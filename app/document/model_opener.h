#pragma once

#include <QObject>
#include <QPointer>

#include "app/desktop/missing_settings_dialog.h"
#include "app/desktop/settings.h"
#include "app/desktop/several_models_dialog.h"
#include "app/models/model_series.h"
#include "app/models/reading_trials.h"
#include "app/work/work_queue.h"
#include "model/files/weights_search.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

class QWidget;

namespace headscope::app {

/// Opens models. If a model lacks settings, uses the user's earlier answers or asks the user; answers are
/// remembered with the model.
class ModelOpener : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this; `window` is the parent of dialogs.
    ModelOpener(WorkQueue* queue, Settings* settings, QWidget* window);

    /// The path or name requested last; that of the open model if the request was refused.
    const QString& path() const { return path_; }
    /// Path of the open model; empty if there is none.
    const QString& openPath() const { return openPath_; }
    /// Key under which data about the open model is remembered: the folder of its series if it belongs to
    /// one, else its path.
    QString rememberedAs() const;
    /// Series of the open model, as found on disk when it was opened.
    const std::optional<ModelSeries>& series() const { return series_; }
    /// How the open model was opened.
    const engine::ModelSource& source() const { return open_; }
    void open(const QString& pathOrName);
    /// Opens a model with these answers to missing settings. Answers given here are not remembered.
    void open(const QString& pathOrName, const ModelSettings& answers);
    /// A dialog asks for missing settings, or which of several models is meant.
    bool isAsking() const { return (dialog_ && dialog_->isVisible()) || (several_ && several_->isVisible()); }
    /// Opens the adapter that was refused last with this model as its base, which is remembered with it.
    void openWithBase(const QString& base);
    /// Opens the open model again with these languages.
    void openInLanguages(const ModelSettings& languages);
    /// Opens the open model again and splits its text by a regular expression; empty: as its files say. It is
    /// remembered with the model.
    void openWithPattern(const QString& pattern);
    /// The pattern of the open model; empty if there is none, or if its files have it.
    QString pattern() const;
    /// The last opening was openInLanguages() or openWithPattern().
    bool readsAgain() const { return readsAgain_; }
    /// The open model was read with settings that its files do not contain.
    bool usedAnswers() const;
    /// Forgets the answers about the open model and opens it again.
    void askAgain();
    /// Cancels the pending opening: the open model stays.
    void giveUp();
    /// Sentence for trial decodings with different settings.
    void setSample(const QString& sentence) { sample_ = sentence; }

  Q_SIGNALS:
    /// The model cannot be opened, or the user cancelled the dialog; the open model stays.
    void refused(const headscope::trace::RefusalText& text);
    /// After refused(): the base of this adapter was not found, or does not fit.
    void baseWanted();
    /// The model is open, but its settings could not be written beside it.
    void answersNotWritten(const headscope::trace::RefusalText& text);
    void gaveUp();

  private:
    /// Location of the requested model. Only the worker accesses the disk; the GUI thread reads this after
    /// the worker has reported.
    struct Found {
        std::filesystem::path path; ///< empty: not looked up yet
        std::optional<ModelSeries> series;
        std::vector<files::ModelInFolder> models; ///< of a folder that holds several
    };
    void takeFound();
    void openWith(const ModelSettings& answers);
    void ask(const trace::MissingSettings& missing);
    void askWhich(const trace::RefusalText& text);
    void tryOut(std::vector<ModelSettings> ways);
    void remember();
    void leave();
    void forgetRefused(const trace::RefusalText& text);
    void useAnswers(const MissingSettingsDialog& dialog);
    engine::ModelSource sourceWith(const QString& path, const ModelSettings& answers) const;

    WorkQueue* queue_;
    Settings* settings_;
    QWidget* window_;
    QString path_;
    QString adapter_;  ///< that was refused last, without its base
    QString openPath_; ///< of the open model
    engine::ModelSource open_;
    std::optional<ModelSeries> series_;
    std::shared_ptr<Found> found_ = std::make_shared<Found>(); ///< of the pending or last opening
    QString sample_;
    std::optional<ModelSettings> again_; ///< earlier answers, while the user is asked again
    ModelSettings used_;                 ///< answers used for the pending opening
    bool readsAgain_ = false;
    bool remembersPattern_ = false;
    bool given_ = false; ///< they come from a session, not from the user, and are not remembered
    std::optional<trace::RefusalText> unwritten_; ///< why its settings could not be written beside the model
    QPointer<MissingSettingsDialog> dialog_;
    QPointer<SeveralModelsDialog> several_;
};

} // namespace headscope::app
