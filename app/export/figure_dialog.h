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

/// How many frames the decoding has, as the view can show it; 0: none, and why.
struct FilmFrames {
    int count = 0;
    QString whyNot;
};

/// How a picture is to be written, with a preview of it: format, size, dots per inch, colours, the line
/// below; or the decoding, a frame for each step. It writes nothing itself.
class FigureDialog : public QDialog {
    Q_OBJECT

  public:
    /// `view` is a widgets::FigureSource; `choices` are those of choices(), or empty; `path` is the file that
    /// is offered.
    FigureDialog(QWidget* view, FilmFrames frames, const QVariantMap& choices, const QString& path,
                 QWidget* parent);

    widgets::FigureOptions options() const;
    /// True where the size is the view's own.
    bool hasOwnSize() const;
    /// The decoding is wanted, not only what is seen; numbered: as files of a folder, which path() is then.
    bool isAnimated() const;
    bool isNumbered() const;
    int frameTime() const; ///< milliseconds
    QString path() const;
    /// With the ending that it gets where it has none.
    QString completePath() const;
    QVariantMap choices() const;
    /// In the metadata and below the picture. Before they are known nothing is saved.
    void setFacts(const widgets::FigureFacts& facts);
    /// How large the file will be; nothing: it is being found out.
    void setBytes(std::optional<qint64> bytes);
    void showRefusal(const QString& why);
    /// What lies at path() now; whoever looks must not keep the window waiting for a slow disk.
    enum class There { NotKnown, Nothing, File, Folder };
    /// `replaced` are those files of a folder that numbered pictures would replace.
    void setThere(const QString& path, There there, const QStringList& replaced = {});
    int frames() const { return frames_.count; }
    /// At which a picture fills the preview.
    int previewDpi() const;
    void setPreview(const QImage& picture);
    /// Frames of the decoding as files, which stay; they are played.
    void playPreview(const QStringList& files);
    /// They are there.
    bool isPlayable() const { return !played_.isEmpty(); }
    /// So many frames of the preview, or of the file, are drawn.
    void setDrawn(int drawn, int frames);
    /// Why no command draws what the view shows; empty: one does.
    void setWhyNoCommand(const QString& why);
    /// The command is on the clipboard.
    void showCopied();
    /// What is wanted cannot be written, or not yet.
    void setSaving(bool saving);
    bool isSaving() const { return saving_; }

  Q_SIGNALS:
    /// Another picture will be written.
    void optionsChanged();
    /// It is to be seen, at previewDpi().
    void previewWanted();
    void saveWanted();
    /// The command that writes the same file, on the clipboard.
    void commandWanted();
    /// What lies there is not known.
    void pathChanged(const QString& path);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class Kind { Png, Svg, Pdf, Film, Numbered };
    Kind kind() const;
    QWidget* buildPreview();
    QWidget* buildChoices();
    QWidget* buildFile();
    void buildLayout();
    void connectChoices();
    void adopt(const QVariantMap& choices);
    void offerFilms();
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
    QString filmInWords(QSize pixels) const;
    const widgets::FigureSource& source() const;
    /// Of a file in the chosen format, without its dot.
    QString ending() const;
    QSize sizeInPixels() const;
    widgets::FigureParts parts() const;

    QPointer<QWidget> view_;
    FilmFrames frames_;
    widgets::FigureFacts facts_;
    std::optional<qint64> bytes_;
    QString refusal_;
    QString whyNoCommand_;
    bool copied_ = false;
    bool saving_ = false;
    There there_ = There::NotKnown;
    QStringList replaced_;
    bool looksFirst_ = false; ///< it is saved once it is known that nothing that is there is replaced

    QStringList played_; ///< frames of the preview; empty: not drawn yet
    int drawn_ = 0;

    QWidget* choices_; ///< what cannot be changed while it is saved
    QLabel* preview_;
    QWidget* player_; ///< what is below the preview of a decoding
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
    QTimer* rest_;   ///< while a person goes on choosing
    QTimer* ticker_; ///< plays the preview
};

} // namespace headscope::app
