#pragma once

#include <QDialog>
#include <QPointer>
#include <QVariantMap>

#include "widgets/figure_export.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTimer;

namespace headscope::app {

/// How a picture is to be written, with a preview of it: format, size, dots per inch, colours, the line
/// below. It writes nothing itself.
class FigureDialog : public QDialog {
    Q_OBJECT

  public:
    /// `view` is a widgets::FigureSource; `choices` are those of choices(), or empty; `folder` is where the
    /// file is offered to go.
    FigureDialog(QWidget* view, const QVariantMap& choices, const QString& folder, QWidget* parent);

    /// Without facts.
    widgets::FigureOptions options() const;
    /// True where the size is the view's own.
    bool hasOwnSize() const;
    QString path() const;
    QVariantMap choices() const;
    /// In the metadata and below the picture. Before they are known nothing is saved.
    void setFacts(const widgets::FigureFacts& facts);
    /// How large the file will be; nothing: it is being found out.
    void setBytes(std::optional<qint64> bytes);
    void showRefusal(const QString& why);
    /// What is wanted cannot be written, or not yet.
    void setSaving(bool saving);

  Q_SIGNALS:
    /// Another picture will be written.
    void optionsChanged();
    void saveWanted();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    QWidget* buildChoices();
    QWidget* buildFile();
    void connectChoices();
    void adopt(const QVariantMap& choices);
    void usePreset();
    void useFormat();
    void browse();
    void formatOfName();
    void save();
    void follow();
    void showPreview();
    void showState();
    const widgets::FigureSource& source() const;
    QSize sizeInPixels() const;

    QPointer<QWidget> view_;
    widgets::FigureFacts facts_;
    std::optional<qint64> bytes_;
    QString refusal_;
    bool saving_ = false;

    QLabel* preview_;
    QLabel* result_;
    QComboBox* preset_;
    QComboBox* format_;
    QDoubleSpinBox* width_;
    QDoubleSpinBox* height_;
    QComboBox* unit_;
    QSpinBox* dpi_;
    QComboBox* colours_;
    QCheckBox* caption_;
    QLineEdit* path_;
    QPushButton* save_;
    QTimer* rest_; ///< while a person goes on choosing
};

} // namespace headscope::app
