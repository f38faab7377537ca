#pragma once

#include <QPointer>
#include <QVariantMap>
#include <QWidget>

#include "widgets/export/figure_export.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace headscope::app {

inline constexpr double pixelsAMillimetre = 96 / 25.4;

/// Number of frames of an animation of the view; 0 if it cannot be animated, and the reason.
struct AnimationFrames {
    int count = 0;
    QString whyNot;
};

/// What can be chosen of an exported picture: format, size, resolution, colours, parts, source line.
class FigureForm : public QWidget {
    Q_OBJECT

  public:
    /// As FigureDialog(). Formats that `frames` do not allow say why.
    FigureForm(QWidget* view, const AnimationFrames& frames, const QVariantMap& choices, QWidget* parent);

    enum class Kind { Png, Svg, Pdf, Html, Animation, Numbered }; ///< first the formats
    Kind kind() const;
    /// An animation instead of the current picture.
    bool isAnimated() const { return kind() >= Kind::Animation; }
    bool isNumbered() const { return kind() == Kind::Numbered; }
    /// Extension of the chosen format, without its dot; that of numbered pictures, a folder, is empty.
    QString ending() const;
    /// True if `ending` belongs to any format.
    static bool isEnding(const QString& ending);
    /// Chooses the format of files with this extension, if there is one.
    void chooseFormatOf(const QString& ending);
    int frameTime() const; ///< milliseconds
    /// The picture has the default size of the view.
    bool hasOwnSize() const;
    widgets::FigureOptions options() const;
    /// The view, which must still be there.
    const widgets::FigureSource& source() const;
    QVariantMap choices() const;
    /// For the source line, which may need room: `resizes` if the proposed size takes account of it.
    void setFacts(const widgets::FigureFacts& facts, bool resizes);
    const widgets::FigureFacts& facts() const { return facts_; }

  Q_SIGNALS:
    /// options() are others.
    void changed();
    void formatChanged();
    void frameTimeChanged();

  private:
    void build();
    void offerAnimations(const QString& whyNot);
    void connectChoices();
    void adopt(const QVariantMap& choices);
    void useUnit(QDoubleSpinBox* spin) const;
    void usePreset();
    void proposeSize();
    /// The text is as large as the page allows.
    bool fillsPage() const;
    widgets::FigureOptions withLetters(double points) const;
    void useFormat();
    QSize sizeInPixels() const;
    widgets::FigureParts parts() const;

    QPointer<QWidget> view_;
    widgets::FigureFacts facts_;
    QComboBox* preset_;
    QComboBox* format_;
    QDoubleSpinBox* width_;
    QDoubleSpinBox* height_;
    QComboBox* unit_;
    QSpinBox* dpi_;
    QSpinBox* frameTime_;
    QComboBox* colours_;
    QDoubleSpinBox* points_;
    double letters_ = 0; ///< points of the text where it does not fill the page
    QCheckBox* enlarged_;
    QCheckBox* provenance_;
    QCheckBox* caption_;
    QCheckBox* notes_;
    QCheckBox* marks_;
};

} // namespace headscope::app
