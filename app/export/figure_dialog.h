#pragma once

#include <QDialog>
#include <QPointer>
#include <QStringList>
#include <QVariantMap>

#include "widgets/export/figure_export.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSlider;
class QSpinBox;
class QTimer;

namespace headscope::app {

/// Number of frames of an animation of the view; 0 if it cannot be animated, and the reason.
struct AnimationFrames {
    int count = 0;
    QString whyNot;
};

/// Dialog for exporting a picture or an animation of the decoding, with a preview: format, size, resolution,
/// colours, source line. It writes nothing itself.
class FigureDialog : public QDialog {
    Q_OBJECT

  public:
    /// `view` is a widgets::FigureSource; `choices` come from choices(), or are empty; `path` is the
    /// suggested file.
    FigureDialog(QWidget* view, AnimationFrames frames, const QVariantMap& choices, const QString& path,
                 QWidget* parent);

    widgets::FigureOptions options() const;
    /// True if the picture has the default size of the view.
    bool hasOwnSize() const;
    /// An animation is exported instead of the current picture.
    bool isAnimated() const;
    bool isNumbered() const;
    int frameTime() const; ///< milliseconds
    QString path() const;
    /// path() with the extension of the chosen format, if it has none.
    QString completePath() const;
    QVariantMap choices() const;
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
    /// Resolution at which the picture fills the preview.
    int previewDpi() const;
    void setPreview(const QImage& picture);
    /// Plays frames from these files, which must stay until the dialog is closed.
    void playPreview(const QStringList& files);
    /// True if frames for the preview are available.
    bool isPlayable() const { return !played_.isEmpty(); }
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
    /// A preview is needed, at previewDpi().
    void previewWanted();
    void saveWanted();
    /// The command that writes the same file is to be copied.
    void commandWanted();
    /// setThere() is to be called for `path`.
    void pathChanged(const QString& path);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class Kind { Png, Svg, Pdf, Animation, Numbered };
    Kind kind() const;
    QWidget* buildPreview();
    QWidget* buildChoices();
    QWidget* buildFile();
    void buildLayout();
    void connectChoices();
    void adopt(const QVariantMap& choices);
    void offerAnimations();
    void useUnit(QDoubleSpinBox* spin) const;
    void usePreset();
    void proposeSize();
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

    // figure_dialog_preview.cpp
    void askForPreview();
    void fitPreview();
    void showFrame();
    void play();
    void pause();
    void forgetFrames();
    double previewScale() const;
    void showState();
    void makeRoom();
    QString stateInWords() const;
    QString thereInWords() const;
    QString animationInWords(QSize pixels) const;
    const widgets::FigureSource& source() const;
    /// Extension of the chosen format, without its dot.
    QString ending() const;
    QSize sizeInPixels() const;
    widgets::FigureParts parts() const;

    QPointer<QWidget> view_;
    AnimationFrames frames_;
    widgets::FigureFacts facts_;
    std::optional<qint64> bytes_;
    QString refusal_;
    QString whyNoCommand_;
    bool copied_ = false;
    bool saving_ = false;
    There there_ = There::NotKnown;
    QStringList replaced_;
    bool looksFirst_ = false; ///< to be saved once it is known that no existing file is replaced

    QStringList played_; ///< frames of the preview; empty: not drawn yet
    int drawn_ = 0;

    QWidget* choices_; ///< controls that are disabled while saving
    QLabel* preview_;
    QWidget* player_; ///< controls below the preview of an animation
    QPushButton* play_;
    QSlider* frame_;
    QLabel* frameWords_;
    QLabel* result_;
    QProgressBar* progress_;
    QComboBox* preset_;
    QComboBox* format_;
    QDoubleSpinBox* width_;
    QDoubleSpinBox* height_;
    QComboBox* unit_;
    QSpinBox* dpi_;
    QSpinBox* frameTime_;
    QComboBox* colours_;
    QCheckBox* enlarged_;
    QCheckBox* provenance_;
    QCheckBox* caption_;
    QCheckBox* notes_;
    QCheckBox* marks_;
    QLabel* pathLabel_;
    QLineEdit* path_;
    QPushButton* browse_;
    QPushButton* copy_;
    QPushButton* save_;
    QTimer* rest_;   ///< delays updates while the user changes options
    QTimer* ticker_; ///< plays the preview
};

} // namespace headscope::app
