#pragma once

#include <QObject>
#include <QPointer>

#include "app/plain/weights_hash.h"
#include "app/window/analyses.h"
#include "app/window/decode_controller.h"
#include "app/window/model_opener.h"
#include "app/window/run_queue.h"
#include "app/window/settings.h"
#include "widgets/figure_export.h"
#include "widgets/selection.h"

#include <functional>
#include <optional>

class QMenu;

namespace headscope::app {

class FigureDialog;

/// What leaves the window of a view: its picture, the numbers behind it, the command that draws it. Whatever
/// takes long is done off the window's thread; only drawing itself is not.
class FigureDesk : public QObject {
    Q_OBJECT

  public:
    /// All of them are there for as long as this is used.
    struct Parts {
        RunQueue* queue = nullptr;
        DecodeController* controller = nullptr;
        Analyses* analyses = nullptr;
        ModelOpener* opener = nullptr;
        widgets::Selection* selection = nullptr;
        Settings* settings = nullptr;
        QWidget* window = nullptr;
    };
    FigureDesk(const Parts& parts, QObject* parent);

    /// Everything that can be done with `view`, a widgets::FigureSource.
    void addTo(QMenu& menu, QWidget* view);
    /// The command that draws the view as it is written by default, else the one that runs what is shown.
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
    /// Null, and said, where there is nothing to show yet.
    widgets::FigureSource* figureOf(QWidget* view);
    engine::ModelSource namedModel() const;
    std::optional<QString> pictureCommand(const widgets::FigureSource& figure,
                                          const widgets::FigureOptions& options, bool ownSize) const;
    void readWeights(FigureDialog* dialog);
    void measure(FigureDialog* dialog);
    void write(FigureDialog* dialog);
    /// The bytes of what the dialog says: drawn now, encoded by what is returned, on any thread.
    std::function<widgets::FigureBytes()> bytesOf(const FigureDialog& dialog) const;
    void writeData(QWidget* view, const QString& path);

    Parts parts_;
    WeightsFile weights_; ///< of the model that is open
    QPointer<QWidget> view_;
    QString hash_; ///< of the weights, as far as the dialog knows
};

} // namespace headscope::app
