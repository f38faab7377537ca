#include "app/export/figure_dialog.h"

#include "app/choices/picture_options.h"
#include "app/export/figure_presets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope::app {

namespace {

using widgets::FigureFormat;

constexpr std::array endings{"png", "svg", "pdf", "png", ""}; // one for each Kind

} // namespace

FigureDialog::FigureDialog(QWidget* view, AnimationFrames frames, const QVariantMap& choices,
                           const QString& path, QWidget* parent)
    : QDialog(parent), view_(view), frames_(std::move(frames)), rest_(new QTimer(this)),
      ticker_(new QTimer(this)) {
    setWindowTitle(tr("Export Picture"));
    setAttribute(Qt::WA_DeleteOnClose);
    buildLayout();
    path_->setText(path);
    offerAnimations();
    adopt(choices);
    connectChoices();
    useFormat();
    usePreset();
    // Large fonts need more room.
    resize(QSize(860, 560).expandedTo(sizeHint()).boundedTo(screen()->availableSize()));
    path_->setFocus();
    path_->selectAll();
}

/// Formats that are not available explain why.
void FigureDialog::offerAnimations() {
    frame_->setRange(1, std::max(1, frames_.count));
    if (frames_.count > 0)
        return;
    auto* items = qobject_cast<QStandardItemModel*>(format_->model());
    for (const Kind kind : {Kind::Animation, Kind::Numbered}) {
        auto* item = items->item(static_cast<int>(kind));
        item->setEnabled(false);
        item->setToolTip(frames_.whyNot);
    }
}

void FigureDialog::connectChoices() {
    rest_->setSingleShot(true);
    rest_->setInterval(150);
    connect(rest_, &QTimer::timeout, this, [this] {
        askForPreview();
        if (!saving_)
            Q_EMIT optionsChanged();
    });
    connect(preset_, &QComboBox::activated, this, [this](int preset) {
        const auto& chosen = figurePresets[preset];
        if (preset != ownSize) { // the own size keeps the current values
            unit_->setCurrentIndex(chosen.isMetric ? 1 : 0);
            enlarged_->setChecked(chosen.isEnlarged);
            for (auto* part : {notes_, marks_})
                part->setChecked(!chosen.isOfPaper);
        }
        if (hasOwnSize()) // not the resolution of a paper preset chosen before
            dpi_->setValue(chosen.dpi);
        usePreset();
    });
    connect(format_, &QComboBox::activated, this, &FigureDialog::useFormat);
    connect(unit_, &QComboBox::currentIndexChanged, this, [this](int unit) {
        const double factor = unit == 1 ? 1 / pixelsAMillimetre : pixelsAMillimetre;
        for (auto* spin : {width_, height_}) {
            const QSignalBlocker quiet(spin);
            const double length = spin->value() * factor;
            useUnit(spin);
            spin->setValue(length);
        }
        follow();
    });
    for (auto* spin : {width_, height_})
        connect(spin, &QDoubleSpinBox::valueChanged, this, [this] {
            preset_->setCurrentIndex(ownSize);
            usePreset();
        });
    connect(dpi_, &QSpinBox::valueChanged, this, &FigureDialog::follow);
    connect(frameTime_, &QSpinBox::valueChanged, this, [this](int time) {
        ticker_->setInterval(time);
        copied_ = false;
        showState();
    });
    connect(ticker_, &QTimer::timeout, this,
            [this] { frame_->setValue(frame_->value() % frame_->maximum() + 1); });
    connect(frame_, &QSlider::valueChanged, this, &FigureDialog::showFrame);
    connect(play_, &QPushButton::clicked, this, [this] { ticker_->isActive() ? pause() : play(); });
    connect(colours_, &QComboBox::activated, this, &FigureDialog::follow);
    connect(enlarged_, &QCheckBox::toggled, this, &FigureDialog::follow);
    for (auto* box : {provenance_, caption_, notes_, marks_})
        connect(box, &QCheckBox::toggled, this, [this] {
            proposeSize();
            follow();
        });
    connect(path_, &QLineEdit::textChanged, this, &FigureDialog::pathEdited);
    connect(path_, &QLineEdit::textEdited, this, &FigureDialog::formatOfName);
}

void FigureDialog::adopt(const QVariantMap& choices) {
    const auto number = [&](const char* key, int usual) { return choices.value(key, usual).toInt(); };
    preset_->setCurrentIndex(std::clamp(number("preset", 0), 0, ownSize));
    format_->setCurrentIndex(std::clamp(number("format", 0), 0, static_cast<int>(Kind::Pdf)));
    unit_->setCurrentIndex(std::clamp(number("unit", 0), 0, 1));
    for (auto* spin : {width_, height_})
        useUnit(spin);
    width_->setValue(choices.value("width", 800).toDouble());
    height_->setValue(choices.value("height", 640).toDouble());
    dpi_->setValue(number("dpi", 192));
    frameTime_->setValue(number("frameTime", widgets::PictureOptions().frameTime));
    colours_->setCurrentIndex(choices.value("dark").toBool() ? 1 : 0);
    enlarged_->setChecked(choices.value("enlarged").toBool());
    provenance_->setChecked(choices.value("caption").toBool());
    for (auto* part : {caption_, notes_, marks_})
        part->setChecked(choices.value(part->objectName(), true).toBool());
}

/// The minimum in millimetres is rounded up to a tenth.
void FigureDialog::useUnit(QDoubleSpinBox* spin) const {
    const bool isMetric = unit_->currentIndex() == 1;
    spin->setDecimals(isMetric ? 1 : 0);
    spin->setMinimum(isMetric ? std::ceil(10 * widgets::leastSide / pixelsAMillimetre) / 10
                              : widgets::leastSide);
}

QVariantMap FigureDialog::choices() const {
    const int format = isAnimated() ? 0 : format_->currentIndex(); // an animation must be chosen each time
    return {{"preset", preset_->currentIndex()},
            {"format", format},
            {"unit", unit_->currentIndex()},
            {"width", width_->value()},
            {"height", height_->value()},
            {"dpi", dpi_->value()},
            {"frameTime", frameTime_->value()},
            {"dark", colours_->currentIndex() == 1},
            {"enlarged", enlarged_->isChecked()},
            {"caption", provenance_->isChecked()},
            {"figureCaption", caption_->isChecked()},
            {"figureNotes", notes_->isChecked()},
            {"figureMarks", marks_->isChecked()}};
}

const widgets::FigureSource& FigureDialog::source() const {
    return dynamic_cast<const widgets::FigureSource&>(*view_);
}

bool FigureDialog::hasOwnSize() const {
    return preset_->currentIndex() == 0;
}

QSize FigureDialog::sizeInPixels() const {
    if (hasOwnSize())
        return widgets::suggestedSize(source(), parts());
    const double factor = unit_->currentIndex() == 1 ? pixelsAMillimetre : 1;
    return QSizeF(width_->value() * factor, height_->value() * factor).toSize();
}

widgets::FigureParts FigureDialog::parts() const {
    return {.caption = caption_->isChecked(), .notes = notes_->isChecked(), .marks = marks_->isChecked()};
}

void FigureDialog::usePreset() {
    enlarged_->setEnabled(!hasOwnSize());
    enlarged_->setToolTip(hasOwnSize() ? tr("Choose another preset to scale the text")
                                       : tr("Scale up, including text (for posters)"));
    const FigurePreset& preset = figurePresets[preset_->currentIndex()];
    if (preset.width > 0)
        dpi_->setValue(preset.dpi);
    proposeSize();
    follow();
}

/// Shows the size of the preset; without a height, the height that picture and source line need.
void FigureDialog::proposeSize() {
    if (preset_->currentIndex() == ownSize)
        return;
    const FigurePreset& preset = figurePresets[preset_->currentIndex()];
    const QSizeF own = widgets::suggestedSize(source(), parts());
    const double factor = unit_->currentIndex() == 1 ? 1 / pixelsAMillimetre : 1;
    const QSignalBlocker quietly(width_), quiet(height_);
    width_->setValue((preset.width > 0 ? preset.width : own.width()) * factor);
    const double high = preset.width == 0    ? own.height()
                        : preset.height == 0 ? widgets::figureHeight(options(), source())
                                             : preset.height;
    height_->setValue(high * factor);
}

/// Sets the extension to that of the format; folders have none.
void FigureDialog::useFormat() {
    const QFileInfo file(path_->text());
    const bool known = std::ranges::any_of(
        endings, [&](const char* one) { return *one && file.suffix().toLower() == QLatin1String(one); });
    const QString stem = known ? path_->text().chopped(file.suffix().size() + 1) : path_->text();
    path_->setText(isNumbered() ? stem : stem + '.' + ending());
    pathLabel_->setText(isNumbered() ? tr("Fold&er") : tr("F&ile"));
    path_->setAccessibleName(isNumbered() ? tr("Folder") : tr("File"));
    dpi_->setEnabled(kind() != Kind::Svg && kind() != Kind::Pdf);
    dpi_->setToolTip(dpi_->isEnabled() ? QString()
                                       : tr("SVG and PDF have no resolution: shapes stay vector graphics"));
    frameTime_->setEnabled(kind() == Kind::Animation);
    frameTime_->setToolTip(frameTime_->isEnabled() ? tr("The last frame is shown three times as long")
                                                   : tr("For animated PNGs only"));
    player_->setVisible(isAnimated());
    follow();
}

void FigureDialog::formatOfName() {
    if (isNumbered())
        return;
    const QString suffix = QFileInfo(path_->text()).suffix().toLower();
    for (const Kind kind : {Kind::Png, Kind::Svg, Kind::Pdf}) {
        const auto place = static_cast<int>(kind);
        if (suffix != ending() && suffix == QLatin1String(endings[place])) {
            const QSignalBlocker quiet(path_);
            format_->setCurrentIndex(place);
            useFormat();
            return;
        }
    }
}

QString FigureDialog::ending() const {
    return QLatin1String(endings[format_->currentIndex()]);
}

FigureDialog::Kind FigureDialog::kind() const {
    return static_cast<Kind>(format_->currentIndex());
}

bool FigureDialog::isAnimated() const {
    return kind() == Kind::Animation || isNumbered();
}

bool FigureDialog::isNumbered() const {
    return kind() == Kind::Numbered;
}

int FigureDialog::frameTime() const {
    return frameTime_->value();
}

widgets::FigureOptions FigureDialog::options() const {
    widgets::FigureOptions options{
        .format = isAnimated() ? FigureFormat::Png : static_cast<FigureFormat>(format_->currentIndex()),
        .size = sizeInPixels(),
        .dpi = dpi_->value(),
        .dark = colours_->currentIndex() == 1,
        .provenanceBelow = provenance_->isChecked(),
        .parts = parts(),
        .facts = facts_};
    if (enlarged_->isChecked() && !hasOwnSize() && !options.size.isEmpty())
        options.fontSize = widgets::fillingFontSize(options, source());
    return options;
}

QString FigureDialog::path() const {
    return path_->text();
}

void FigureDialog::setFacts(const widgets::FigureFacts& facts) {
    const bool first = facts_.weights.isEmpty();
    facts_ = facts;
    if (first && provenance_->isChecked() && !saving_)
        proposeSize();
    if (saving_ && !looksFirst_ && !isAnimated())
        Q_EMIT saveWanted();
    else if (first && !saving_)
        follow();
}

void FigureDialog::setBytes(std::optional<qint64> bytes) {
    bytes_ = bytes;
    showState();
}

void FigureDialog::showRefusal(const QString& why) {
    refusal_ = why;
    showState();
}

void FigureDialog::follow() {
    bytes_.reset();
    refusal_.clear();
    copied_ = false;
    forgetFrames();
    showState();
    rest_->start();
}

void FigureDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    forgetFrames(); // they have the wrong size now
    rest_->start();
}

namespace {

/// With large fonts on a small screen, options scroll instead of being cut off.
class ScrolledChoices : public QScrollArea {
  public:
    ScrolledChoices(QWidget* box, QWidget* parent) : QScrollArea(parent) {
        setWidget(box);
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setFocusPolicy(Qt::NoFocus);
        viewport()->setAutoFillBackground(false);
        box->setAutoFillBackground(false);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    }
    QSize sizeHint() const override {
        return widget()->sizeHint() + QSize(verticalScrollBar()->sizeHint().width(), 0);
    }
    QSize minimumSizeHint() const override { return {sizeHint().width(), fontMetrics().height() * 4}; }
};

} // namespace

void FigureDialog::buildLayout() {
    result_ = new QLabel(this);
    result_->setTextFormat(Qt::PlainText);
    result_->setWordWrap(true);
    progress_ = new QProgressBar(this);
    progress_->setAccessibleName(tr("Frames written"));
    progress_->setObjectName("progress");
    progress_->hide();
    auto* top = new QHBoxLayout;
    top->addWidget(buildPreview(), 1);
    choices_ = buildChoices();
    top->addWidget(new ScrolledChoices(choices_, this));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    save_ = buttons->button(QDialogButtonBox::Save);
    // This role places the button apart from the others.
    copy_ = buttons->addButton(tr("Copy as Co&mmand"), QDialogButtonBox::ResetRole);
    copy_->setAutoDefault(false);
    copy_->setObjectName("copy");
    connect(copy_, &QPushButton::clicked, this, &FigureDialog::commandWanted);
    connect(buttons, &QDialogButtonBox::accepted, this, &FigureDialog::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addLayout(top, 1);
    column->addWidget(buildFile());
    column->addWidget(result_);
    column->addWidget(progress_);
    column->addWidget(buttons);
}

/// Below the picture are controls for the frames of an animation.
QWidget* FigureDialog::buildPreview() {
    auto* box = new QWidget(this);
    preview_ = new QLabel(box);
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setMinimumSize(320, 240);
    preview_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    preview_->setAccessibleName(tr("Preview of the picture"));
    preview_->installEventFilter(this);
    player_ = new QWidget(box);
    play_ = new QPushButton(tr("&Play"), player_);
    play_->setAutoDefault(false);
    play_->setObjectName("play");
    frame_ = new QSlider(Qt::Horizontal, player_);
    frame_->setAccessibleName(tr("Frame"));
    frameWords_ = new QLabel(player_);
    auto* row = new QHBoxLayout;
    row->addWidget(play_);
    row->addWidget(frame_, 1);
    auto* lines = new QVBoxLayout(player_);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->addLayout(row);
    lines->addWidget(frameWords_);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(preview_, 1);
    column->addWidget(player_);
    return box;
}

QWidget* FigureDialog::buildChoices() {
    auto* box = new QWidget(this);
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    const auto combo = [&](const QString& name, const QStringList& items) {
        auto* choice = new QComboBox(box);
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
    format_ = combo(tr("F&ormat"), {tr("PNG picture"), tr("SVG drawing"), tr("PDF page"),
                                    tr("Animated PNG: the decoding"), tr("Numbered PNGs: the decoding")});
    format_->setObjectName("format");
    const auto number = [&](const QString& name) {
        auto* spin = new QDoubleSpinBox(box);
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
    dpi_ = new QSpinBox(box);
    dpi_->setObjectName("dpi");
    dpi_->setRange(24, 2400);
    dpi_->setAccessibleName(tr("Dots per inch"));
    form->addRow(tr("&Dots per inch"), dpi_);
    frameTime_ = new QSpinBox(box);
    frameTime_->setRange(20, 60'000);
    frameTime_->setSingleStep(50);
    frameTime_->setSuffix(tr(" ms"));
    frameTime_->setAccessibleName(tr("Time of a frame"));
    form->addRow(tr("Each fr&ame"), frameTime_);
    colours_ = combo(tr("&Colours"), {tr("Light, for paper"), tr("Dark")});
    enlarged_ = new QCheckBox(tr("Sca&le text too"), box);
    enlarged_->setObjectName("enlarged");
    form->addRow(enlarged_);
    const auto check = [&](const QString& words, const char* name, const QString& toolTip) {
        auto* choice = new QCheckBox(words, box);
        choice->setObjectName(name);
        choice->setToolTip(toolTip);
        form->addRow(choice);
        return choice;
    };
    caption_ = check(tr("Cap&tion"), "figureCaption",
                     tr("The sentences below the picture. They are always in the file's metadata."));
    notes_ = check(tr("&Notes"), "figureNotes",
                   tr("Remarks on reading the picture, such as the lines between a map and its caption"));
    marks_ = check(tr("Mar&ked row and cell"), "figureMarks",
                   tr("The row of the current step, and the pinned or selected cell"));
    provenance_ = check(tr("Add so&urce line"), "caption",
                        tr("Model, hash of the weights, sentence, head and version"));
    return box;
}

QWidget* FigureDialog::buildFile() {
    auto* box = new QWidget(this);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    pathLabel_ = new QLabel(box);
    path_ = new QLineEdit(box);
    path_->setAccessibleName(tr("File"));
    path_->setObjectName("path");
    pathLabel_->setBuddy(path_);
    browse_ = new QPushButton(tr("&Browse..."), box);
    browse_->setAutoDefault(false);
    connect(browse_, &QPushButton::clicked, this, &FigureDialog::browse);
    row->addWidget(pathLabel_);
    row->addWidget(path_, 1);
    row->addWidget(browse_);
    return box;
}

} // namespace headscope::app
