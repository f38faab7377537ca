#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>

#include "app/export/animation_process.h"
#include "widgets/export/figure_export.h"

#include <functional>
#include <memory>
#include <optional>

class QTemporaryDir;

namespace headscope::app {

class FigureDialog;

/// Draws the preview and the file of an animation for the export dialog, with the command line program.
class FigureAnimation : public QObject {
    Q_OBJECT

  public:
    /// Returns the command that draws the frames; empty if there is none.
    using Words = std::function<std::optional<QStringList>(const widgets::FigureOptions&)>;
    /// The dialog is the parent.
    FigureAnimation(FigureDialog* dialog, Words words);
    ~FigureAnimation() override;

    // Each call drops frames that are still being drawn.
    void preview();
    void write();
    void stop();

  Q_SIGNALS:
    void saved(const QString& path);

  private:
    void start(const widgets::FigureOptions& options, const QString& out, bool isFolder,
               const std::function<void()>& done);
    void previewAgain();
    void refuse(const QString& why);

    FigureDialog* dialog_;
    Words words_;
    QPointer<AnimationProcess> process_;     ///< null: nothing is being drawn
    bool isWriting_ = false;                 ///< drawing for the file, not for the preview
    std::shared_ptr<QTemporaryDir> preview_; ///< its frames; kept alive by processes that still write to it
};

} // namespace headscope::app
