#pragma once

#include <QObject>
#include <QPointer>

#include "app/models/model_series.h"
#include "app/models/reading_trials.h"
#include "app/results/run_queue.h"
#include "app/window/missing_settings_dialog.h"
#include "app/window/settings.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

class QWidget;

namespace headscope::app {

/// Opens models. Where one does not say how it is to be read, it is read as the person said before, or the
/// person is asked; what is answered is remembered with the model.
class ModelOpener : public QObject {
    Q_OBJECT

  public:
    /// All are there for as long as the opener is used; dialogs stand on `window`.
    ModelOpener(RunQueue* queue, Settings* settings, QWidget* window);

    /// As asked for last, perhaps by a name, or of the model that is open if that was refused.
    const QString& path() const { return path_; }
    /// Of the model that is open; empty as long as none is.
    const QString& openPath() const { return openPath_; }
    /// What is remembered of the model that is open is remembered of this path: of its series, where it is of
    /// one.
    QString rememberedAs() const;
    /// Which the model that is open is of, with what lay there as it was opened.
    const std::optional<ModelSeries>& series() const { return series_; }
    /// How the model that is open was opened.
    const engine::ModelSource& source() const { return open_; }
    void open(const QString& pathOrName);
    /// Reads it as it was read before, where it does not say so itself.
    void open(const QString& pathOrName, const ModelSettings& answers);
    /// The person is being asked how it is to be read.
    bool isAsking() const { return dialog_ && dialog_->isVisible(); }
    /// The model that is open was read as the person said, not as its files say.
    bool usedAnswers() const { return !open_.settings.empty(); }
    /// Forgets what was answered about the model that is open, and opens it anew.
    void askAgain();
    /// What is on its way is not opened after all: the model that is open stays.
    void giveUp();
    /// What a model that must be asked about is tried on.
    void setSample(const QString& sentence) { sample_ = sentence; }

  Q_SIGNALS:
    /// The model cannot be opened, or the question was put away; the one that is open stays.
    void refused(const headscope::trace::RefusalText& text);
    /// The model is open, but not the next time without being asked.
    void answersNotWritten(const headscope::trace::RefusalText& text);
    void gaveUp();

  private:
    /// Where what is asked for lies. Only the worker thread looks at the disk; who reads this was told by it.
    struct Found {
        std::filesystem::path path; ///< empty: not looked for yet
        std::optional<ModelSeries> series;
    };
    void takeFound();
    void openWith(const ModelSettings& answers);
    void ask(const trace::MissingSettings& missing);
    void remember();
    void leave();
    void forgetRefused(const trace::RefusalText& text);
    void useAnswers(const MissingSettingsDialog& dialog);
    engine::ModelSource sourceWith(const QString& path, const ModelSettings& answers) const;

    RunQueue* queue_;
    Settings* settings_;
    QWidget* window_;
    QString path_;
    QString openPath_; ///< of the model that is open
    engine::ModelSource open_;
    std::optional<ModelSeries> series_;
    std::shared_ptr<Found> found_ = std::make_shared<Found>(); ///< of the opening that is under way
    QString sample_;
    std::optional<ModelSettings> again_; ///< what was answered before, while the person is asked again
    ModelSettings used_;                 ///< what the opening that is under way was told
    bool given_ = false;                 ///< by a session, not by the person: it is not remembered
    std::optional<trace::RefusalText>
        unwritten_; ///< why the answers of that opening are not beside the model
    QPointer<MissingSettingsDialog> dialog_;
    std::vector<ModelSettings> trying_;
};

} // namespace headscope::app
