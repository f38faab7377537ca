#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>

#include "app/export/film_process.h"
#include "widgets/export/figure_export.h"

#include <functional>
#include <memory>
#include <optional>

class QTemporaryDir;

namespace headscope::app {

class FigureDialog;

/// The decoding as an animation, for the dialog that asks for it: its preview and its file, both drawn by the
/// command that a person could give.
class FigureFilm : public QObject {
    Q_OBJECT

  public:
    /// Of the command that draws the frames; nothing where there is none.
    using Words = std::function<std::optional<QStringList>(const widgets::FigureOptions&)>;
    /// Belongs to the dialog.
    FigureFilm(FigureDialog* dialog, Words words);
    ~FigureFilm() override;

    // Whatever is being drawn is dropped.
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
    QPointer<FilmProcess> process_;          ///< null: nothing is being drawn
    bool isWriting_ = false;                 ///< the file, and no preview
    std::shared_ptr<QTemporaryDir> preview_; ///< its frames; also of a process that has not ended yet
};

} // namespace headscope::app
