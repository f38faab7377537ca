#pragma once

#include <QDialog>
#include <QPointer>
#include <QStringList>
#include <QVariantMap>

#include "app/export/figure_form.h"

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTimer;

namespace headscope::app {

class FigurePreview;

/// Dialog for exporting a picture or an animation of the decoding, with a preview: format, size, resolution,
/// colours, source line. It writes nothing itself.
class FigureDialog : public QDialog {
    Q_OBJECT

  public:
    /// `view` is a widgets::FigureSource; `choices` come from choices(), or are empty; `path` is the
    /// suggested file.
    FigureDialog(QWidget* view, AnimationFrames frames, const QVariantMap& choices, const QString& path,
                 QWidget* parent);

    widgets::FigureOptions options() const { return form_->options(); }
    bool hasOwnSize() const { return form_->hasOwnSize(); }
    bool isAnimated() const { return form_->isAnimated(); }
    bool isNumbered() const { return form_->isNumbered(); }
    int frameTime() const { return form_->frameTime(); } ///< milliseconds
    QString path() const;
    /// path() with the extension of the chosen format, if it has none.
    QString completePath() const;
    QVariantMap choices() const { return form_->choices(); }
    FigurePreview* preview() const { return preview_; }
    /// Sets the facts for the metadata and the source line. Saving waits for them.
    void setFacts(const widgets::FigureFacts& facts);
    /// Sets the size of the file; empty while it is being computed.
    void setBytes(std::optional<qint64> bytes);
    void showRefusal(const QString& why);
    /// What exists at path(). Looked up asynchronously, so that a slow disk does not block the window.
    enum class There { NotKnown, Nothing, File, Folder };
    /// `replaced` are the files of the folder that numbered pictures would replace.
    void setThere(const QString& path, There there, const QStringList& replaced = {});
    int frames() const { return frames_.count; }
    /// Shows the progress of drawing frames, for the preview or the file.
    void setDrawn(int drawn, int frames);
    /// Sets why no command can draw the view; empty if one can.
    void setWhyNoCommand(const QString& why);
    /// Shows that the command was copied to the clipboard.
    void showCopied();
    /// Shows that the picture is being saved, and disables the controls; or that saving has ended.
    void setSaving(bool saving);
    bool isSaving() const { return saving_; }

  Q_SIGNALS:
    /// The picture to be exported changed.
    void optionsChanged();
    /// The preview needs a picture.
    void previewWanted();
    void saveWanted();
    /// The command that writes the same file is to be copied.
    void commandWanted();
    /// setThere() is to be called for `path`.
    void pathChanged(const QString& path);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void buildLayout();
    QWidget* buildFile();
    void connectParts();
    void useFormat();
    void browse();
    void formatOfName();
    void save();
    bool completeName();
    QString whyNotNamed() const;
    QString whyNotCopied() const;
    void pathEdited();
    void goOnSaving();
    void follow();
    void askForPreview();
    void fitPreview();
    void showState();
    void makeRoom();
    QString stateInWords() const;
    QString thereInWords() const;
    QString animationInWords(QSize pixels) const;

    QPointer<QWidget> view_;
    AnimationFrames frames_;
    std::optional<qint64> bytes_;
    QString refusal_;
    QString whyNoCommand_;
    bool copied_ = false;
    bool saving_ = false;
    There there_ = There::NotKnown;
    QStringList replaced_;
    bool looksFirst_ = false; ///< to be saved once it is known that no existing file is replaced

    FigurePreview* preview_;
    FigureForm* form_; ///< disabled while saving
    QLabel* result_;
    QProgressBar* progress_;
    QLabel* pathLabel_;
    QLineEdit* path_;
    QPushButton* browse_;
    QPushButton* copy_;
    QPushButton* save_;
    QTimer* rest_; ///< delays updates while the user changes options
};

} // namespace headscope::app
