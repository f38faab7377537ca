#include "app/export/figure_form.h"

#include "app/choices/picture_options.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::app {

namespace {

using widgets::FigureFormat;

/// Common picture sizes; 0: follows from the view's aspect ratio.
struct FigurePreset {
    const char* name;
    double width = 0; ///< in 1/96 inch
    double height = 0;
    int dpi = 192;
    double letters = 0;      ///< points of the text; 0: that of the view
    bool isMetric = false;   ///< shows the sides in millimetres
    bool isEnlarged = false; ///< text is scaled too, to be read from a distance
    bool isOfPaper = false;  ///< without notes and marks, which the text of the paper replaces
};
constexpr std::array figurePresets{
    FigurePreset{.name = QT_TRANSLATE_NOOP("headscope::app::FigureForm", "Default size")},
    FigurePreset{.name = QT_TRANSLATE_NOOP("headscope::app::FigureForm", "Paper column, 85 mm"),
                 .width = 85 * pixelsAMillimetre,
                 .dpi = 600,
                 .letters = 7,
                 .isMetric = true,
                 .isOfPaper = true},
    FigurePreset{.name = QT_TRANSLATE_NOOP("headscope::app::FigureForm", "Paper page, 170 mm"),
                 .width = 170 * pixelsAMillimetre,
                 .dpi = 600,
                 .letters = 8,
                 .isMetric = true,
                 .isOfPaper = true},
    FigurePreset{.name = QT_TRANSLATE_NOOP("headscope::app::FigureForm", "Slide, 1920 x 1080 pixels"),
                 .width = 960,
                 .height = 540,
                 .isEnlarged = true},
    FigurePreset{.name = QT_TRANSLATE_NOOP("headscope::app::FigureForm", "Poster, 841 x 594 mm (A1)"),
                 .width = 841 * pixelsAMillimetre,
                 .height = 594 * pixelsAMillimetre,
                 .dpi = 150,
                 .isMetric = true,
                 .isEnlarged = true},
    FigurePreset{.name = QT_TRANSLATE_NOOP("headscope::app::FigureForm", "Custom size")}};
constexpr int ownSize = static_cast<int>(figurePresets.size()) - 1;

constexpr std::array endings{"png", "svg", "pdf", "html", "png", ""}; // one for each Kind

} // namespace

FigureForm::FigureForm(QWidget* view, const AnimationFrames& frames, const QVariantMap& choices,
                       QWidget* parent)
    : QWidget(parent), view_(view) {
    build();
    if (frames.count == 0)
        offerAnimations(frames.whyNot);
    adopt(choices);
    connectChoices();
    useFormat();
    usePreset();
}

void FigureForm::build() {
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    const auto combo = [&](const QString& name, const QStringList& items) {
        auto* choice = new QComboBox(this);
        choice->addItems(items);
        choice->setAccessibleName(QString(name).remove('&'));
        form->addRow(name, choice);
        return choice;
    };
    QStringList names;
    for (const FigurePreset& preset : figurePresets)
        names += tr(preset.name);
    preset_ = combo(tr("P&reset"), names);
    preset_->setObjectName("preset");
    format_ = combo(tr("F&ormat"),
                    {tr("PNG picture"), tr("SVG drawing"), tr("PDF page"), tr("HTML page with values"),
                     tr("Animated PNG: the decoding"), tr("Numbered PNGs: the decoding")});
    format_->setObjectName("format");
    const auto number = [&](const QString& name) {
        auto* spin = new QDoubleSpinBox(this);
        spin->setRange(widgets::leastSide, 100'000);
        spin->setDecimals(0);
        spin->setAccessibleName(QString(name).remove('&'));
        form->addRow(name, spin);
        return spin;
    };
    width_ = number(tr("&Width"));
    height_ = number(tr("&Height"));
    width_->setObjectName("width");
    height_->setObjectName("height");
    unit_ = combo(tr("In"), {tr("pixels (96 dpi)"), tr("millimetres")});
    unit_->setObjectName("unit");
    dpi_ = new QSpinBox(this);
    dpi_->setObjectName("dpi");
    dpi_->setRange(24, 2400);
    dpi_->setAccessibleName(tr("Dots per inch"));
    form->addRow(tr("&Dots per inch"), dpi_);
    frameTime_ = new QSpinBox(this);
    frameTime_->setRange(20, 60'000);
    frameTime_->setSingleStep(50);
    frameTime_->setSuffix(tr(" ms"));
    frameTime_->setAccessibleName(tr("Duration of a frame"));
    form->addRow(tr("Each fr&ame"), frameTime_);
    colours_ = combo(tr("&Colours"), {tr("Light, for paper"), tr("Dark")});
    points_ = new QDoubleSpinBox(this);
    points_->setObjectName("points");
    points_->setRange(4, widgets::largestFontSize);
    points_->setDecimals(1);
    points_->setSingleStep(0.5);
    points_->setSuffix(tr(" pt"));
    points_->setAccessibleName(tr("Text size in points"));
    form->addRow(tr("Te&xt size"), points_);
    enlarged_ = new QCheckBox(tr("Sca&le text too"), this);
    enlarged_->setObjectName("enlarged");
    form->addRow(enlarged_);
    const auto check = [&](const QString& words, const char* name, const QString& toolTip) {
        auto* choice = new QCheckBox(words, this);
        choice->setObjectName(name);
        choice->setToolTip(toolTip);
        form->addRow(choice);
        return choice;
    };
    caption_ = check(tr("Cap&tion"), "figureCaption",
                     tr("The sentences below the picture. The file's metadata always contains them."));
    notes_ = check(tr("&Notes"), "figureNotes",
                   tr("Remarks on reading the picture, such as the lines between a map and its caption"));
    marks_ = check(tr("Mar&ked row and cell"), "figureMarks",
                   tr("The row of the current step, and the pinned or selected cell"));
    provenance_ = check(tr("Add so&urce line"), "caption",
                        tr("Model, sentence, head, hash of the weights and Headscope version"));
}

/// Formats that are not available explain why.
void FigureForm::offerAnimations(const QString& whyNot) {
    auto* items = qobject_cast<QStandardItemModel*>(format_->model());
    for (const Kind kind : {Kind::Animation, Kind::Numbered}) {
        auto* item = items->item(static_cast<int>(kind));
        item->setEnabled(false);
        item->setToolTip(whyNot);
    }
}

void FigureForm::connectChoices() {
    connect(preset_, &QComboBox::activated, this, [this](int preset) {
        const auto& chosen = figurePresets[static_cast<std::size_t>(preset)];
        if (preset != ownSize) { // the own size keeps the current values
            unit_->setCurrentIndex(chosen.isMetric ? 1 : 0);
            enlarged_->setChecked(chosen.isEnlarged);
            letters_ = chosen.letters > 0 ? chosen.letters : widgets::figureFont(source()).pointSizeF();
            for (auto* part : {notes_, marks_})
                part->setChecked(!chosen.isOfPaper);
        }
        if (hasOwnSize()) // not the resolution of a paper preset chosen before
            dpi_->setValue(chosen.dpi);
        usePreset();
    });
    connect(format_, &QComboBox::activated, this, &FigureForm::useFormat);
    connect(unit_, &QComboBox::currentIndexChanged, this, [this](int unit) {
        const double factor = unit == 1 ? 1 / pixelsAMillimetre : pixelsAMillimetre;
        for (auto* spin : {width_, height_}) {
            const QSignalBlocker quiet(spin);
            const double length = spin->value() * factor;
            useUnit(spin);
            spin->setValue(length);
        }
        Q_EMIT changed();
    });
    for (auto* spin : {width_, height_})
        connect(spin, &QDoubleSpinBox::valueChanged, this, [this] {
            preset_->setCurrentIndex(ownSize);
            usePreset();
        });
    connect(dpi_, &QSpinBox::valueChanged, this, &FigureForm::changed);
    connect(frameTime_, &QSpinBox::valueChanged, this, &FigureForm::frameTimeChanged);
    connect(colours_, &QComboBox::activated, this, &FigureForm::changed);
    connect(points_, &QDoubleSpinBox::valueChanged, this, [this](double points) {
        letters_ = points;
        proposeSize();
        Q_EMIT changed();
    });
    for (auto* box : {enlarged_, provenance_, caption_, notes_, marks_})
        connect(box, &QCheckBox::toggled, this, [this] {
            proposeSize();
            Q_EMIT changed();
        });
}

void FigureForm::adopt(const QVariantMap& choices) {
    const auto number = [&](const char* key, int usual) { return choices.value(key, usual).toInt(); };
    preset_->setCurrentIndex(std::clamp(number("preset", 0), 0, ownSize));
    format_->setCurrentIndex(std::clamp(number("format", 0), 0, static_cast<int>(Kind::Html)));
    unit_->setCurrentIndex(std::clamp(number("unit", 0), 0, 1));
    for (auto* spin : {width_, height_})
        useUnit(spin);
    width_->setValue(choices.value("width", 800).toDouble());
    height_->setValue(choices.value("height", 640).toDouble());
    dpi_->setValue(number("dpi", 192));
    frameTime_->setValue(number("frameTime", widgets::PictureOptions().frameTime));
    colours_->setCurrentIndex(choices.value("dark").toBool() ? 1 : 0);
    letters_ = choices.value("points").toDouble(); // 0: that of the view, whose size may be another now
    if (letters_ <= 0)
        letters_ = widgets::figureFont(source()).pointSizeF();
    enlarged_->setChecked(choices.value("enlarged").toBool());
    provenance_->setChecked(choices.value("caption").toBool());
    for (auto* part : {caption_, notes_, marks_})
        part->setChecked(choices.value(part->objectName(), true).toBool());
}

/// The minimum in millimetres is rounded up to a tenth.
void FigureForm::useUnit(QDoubleSpinBox* spin) const {
    const bool isMetric = unit_->currentIndex() == 1;
    spin->setDecimals(isMetric ? 1 : 0);
    spin->setMinimum(isMetric ? std::ceil(10 * widgets::leastSide / pixelsAMillimetre) / 10
                              : widgets::leastSide);
}

QVariantMap FigureForm::choices() const {
    constexpr double rounded = 0.05; // in the field
    const bool isOfView = std::abs(letters_ - widgets::figureFont(source()).pointSizeF()) < rounded;
    const int format = isAnimated() ? 0 : format_->currentIndex(); // an animation must be chosen each time
    return {{"preset", preset_->currentIndex()},   {"format", format},
            {"unit", unit_->currentIndex()},       {"width", width_->value()},
            {"height", height_->value()},          {"dpi", dpi_->value()},
            {"frameTime", frameTime_->value()},    {"dark", colours_->currentIndex() == 1},
            {"points", isOfView ? 0 : letters_},   {"enlarged", enlarged_->isChecked()},
            {"caption", provenance_->isChecked()}, {"figureCaption", caption_->isChecked()},
            {"figureNotes", notes_->isChecked()},  {"figureMarks", marks_->isChecked()}};
}

const widgets::FigureSource& FigureForm::source() const {
    return dynamic_cast<const widgets::FigureSource&>(*view_);
}

bool FigureForm::hasOwnSize() const {
    return preset_->currentIndex() == 0;
}

QSize FigureForm::sizeInPixels() const {
    if (hasOwnSize())
        return widgets::suggestedSize(source(), parts(), letters_);
    const double factor = unit_->currentIndex() == 1 ? pixelsAMillimetre : 1;
    return QSizeF(width_->value() * factor, height_->value() * factor).toSize();
}

widgets::FigureParts FigureForm::parts() const {
    return {.caption = caption_->isChecked(), .notes = notes_->isChecked(), .marks = marks_->isChecked()};
}

void FigureForm::usePreset() {
    enlarged_->setEnabled(!hasOwnSize());
    enlarged_->setToolTip(hasOwnSize() ? tr("Choose another preset to scale the text")
                                       : tr("Scale up, including text (for posters)"));
    const FigurePreset& preset = figurePresets[static_cast<std::size_t>(preset_->currentIndex())];
    if (preset.width > 0)
        dpi_->setValue(preset.dpi);
    proposeSize();
    Q_EMIT changed();
}

/// Shows the size of the preset; without a height, the height that picture and source line need. And the size
/// of text that fills the page.
void FigureForm::proposeSize() {
    if (preset_->currentIndex() != ownSize) {
        const FigurePreset& preset = figurePresets[static_cast<std::size_t>(preset_->currentIndex())];
        const QSizeF own = widgets::suggestedSize(source(), parts(), letters_);
        const double factor = unit_->currentIndex() == 1 ? 1 / pixelsAMillimetre : 1;
        const QSignalBlocker quietly(width_), quiet(height_);
        width_->setValue((preset.width > 0 ? preset.width : own.width()) * factor);
        const double high = preset.width == 0    ? own.height()
                            : preset.height == 0 ? widgets::figureHeight(withLetters(letters_), source())
                                                 : preset.height;
        height_->setValue(high * factor);
    }
    const QSignalBlocker quiet(points_);
    points_->setEnabled(!fillsPage());
    points_->setToolTip(fillsPage() ? tr("The text size at which the picture fills the page") : QString());
    points_->setValue(fillsPage() ? options().fontSize : letters_);
}

bool FigureForm::fillsPage() const {
    return enlarged_->isChecked() && !hasOwnSize();
}

void FigureForm::useFormat() {
    dpi_->setEnabled(kind() == Kind::Png || isAnimated());
    dpi_->setToolTip(dpi_->isEnabled()
                         ? QString()
                         : tr("SVG, PDF and HTML have no resolution: shapes stay vector graphics"));
    frameTime_->setEnabled(kind() == Kind::Animation);
    frameTime_->setToolTip(frameTime_->isEnabled() ? tr("The last frame is shown three times as long")
                                                   : tr("For animated PNGs only"));
    Q_EMIT formatChanged();
    Q_EMIT changed();
}

bool FigureForm::isEnding(const QString& ending) {
    return !ending.isEmpty() && std::ranges::any_of(endings, [&](const char* one) {
        return ending.toLower() == QLatin1String(one);
    });
}

void FigureForm::chooseFormatOf(const QString& ending) {
    const QString wanted = ending.toLower();
    if (isNumbered() || wanted == this->ending())
        return;
    for (const Kind kind : {Kind::Png, Kind::Svg, Kind::Pdf, Kind::Html})
        if (const auto place = static_cast<std::size_t>(kind); wanted == QLatin1String(endings[place])) {
            format_->setCurrentIndex(static_cast<int>(kind));
            return useFormat();
        }
}

QString FigureForm::ending() const {
    return QLatin1String(endings[static_cast<std::size_t>(format_->currentIndex())]);
}

FigureForm::Kind FigureForm::kind() const {
    return static_cast<Kind>(format_->currentIndex());
}

int FigureForm::frameTime() const {
    return frameTime_->value();
}

widgets::FigureOptions FigureForm::withLetters(double points) const {
    return {.format = isAnimated() ? FigureFormat::Png : static_cast<FigureFormat>(format_->currentIndex()),
            .size = sizeInPixels(),
            .dpi = dpi_->value(),
            .dark = colours_->currentIndex() == 1,
            .fontSize = points,
            .provenanceBelow = provenance_->isChecked(),
            .parts = parts(),
            .facts = facts_};
}

widgets::FigureOptions FigureForm::options() const {
    auto options = withLetters(letters_);
    if (fillsPage() && !options.size.isEmpty())
        options.fontSize = widgets::fillingFontSize(options, source());
    return options;
}

void FigureForm::setFacts(const widgets::FigureFacts& facts, bool resizes) {
    facts_ = facts;
    if (resizes && provenance_->isChecked())
        proposeSize();
}

} // namespace headscope::app
