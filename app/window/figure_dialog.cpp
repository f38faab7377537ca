#include "app/window/figure_dialog.h"

#include "app/window/figure_presets.h"
#include "app/window/picture_names.h"
#include "widgets/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::app {

namespace {

using widgets::FigureFormat;

constexpr std::array endings{"png", "svg", "pdf"};

} // namespace

FigureDialog::FigureDialog(QWidget* view, const QVariantMap& choices, const QString& folder, QWidget* parent)
    : QDialog(parent), view_(view), rest_(new QTimer(this)) {
    setWindowTitle(tr("Save Picture"));
    setAttribute(Qt::WA_DeleteOnClose);
    preview_ = new QLabel(this);
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setMinimumSize(320, 240);
    preview_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    preview_->setAccessibleName(tr("Preview of the picture"));
    result_ = new QLabel(this);
    result_->setTextFormat(Qt::PlainText);
    result_->setWordWrap(true);
    auto* top = new QHBoxLayout;
    top->addWidget(preview_, 1);
    top->addWidget(buildChoices());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    save_ = buttons->button(QDialogButtonBox::Save);
    auto* column = new QVBoxLayout(this);
    column->addLayout(top, 1);
    column->addWidget(buildFile());
    column->addWidget(result_);
    column->addWidget(buttons);
    path_->setText(proposedFile(folder, source().figureText().title, QStringLiteral("png")));
    adopt(choices);
    connect(buttons, &QDialogButtonBox::accepted, this, &FigureDialog::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connectChoices();
    resize(860, 560);
    useFormat();
    usePreset();
    path_->setFocus();
    path_->selectAll();
}

void FigureDialog::connectChoices() {
    rest_->setSingleShot(true);
    rest_->setInterval(150);
    connect(rest_, &QTimer::timeout, this, [this] {
        showPreview();
        if (!saving_)
            Q_EMIT optionsChanged();
    });
    connect(preset_, &QComboBox::activated, this, &FigureDialog::usePreset);
    connect(format_, &QComboBox::activated, this, &FigureDialog::useFormat);
    connect(unit_, &QComboBox::activated, this, [this](int unit) {
        const double factor = unit == 1 ? 1 / pixelsAMillimetre : pixelsAMillimetre;
        for (auto* spin : {width_, height_}) {
            const QSignalBlocker quiet(spin);
            spin->setDecimals(unit == 1 ? 1 : 0);
            spin->setValue(spin->value() * factor);
        }
        follow();
    });
    for (auto* spin : {width_, height_})
        connect(spin, &QDoubleSpinBox::valueChanged, this, [this] {
            preset_->setCurrentIndex(ownSize);
            follow();
        });
    connect(dpi_, &QSpinBox::valueChanged, this, &FigureDialog::follow);
    connect(colours_, &QComboBox::activated, this, &FigureDialog::follow);
    connect(caption_, &QCheckBox::toggled, this, &FigureDialog::follow);
    connect(path_, &QLineEdit::textChanged, this, &FigureDialog::showState);
    connect(path_, &QLineEdit::textEdited, this, &FigureDialog::formatOfName);
}

void FigureDialog::adopt(const QVariantMap& choices) {
    const auto number = [&](const char* key, int usual) { return choices.value(key, usual).toInt(); };
    preset_->setCurrentIndex(std::clamp(number("preset", 0), 0, ownSize));
    format_->setCurrentIndex(std::clamp(number("format", 0), 0, 2));
    unit_->setCurrentIndex(std::clamp(number("unit", 0), 0, 1));
    for (auto* spin : {width_, height_})
        spin->setDecimals(unit_->currentIndex() == 1 ? 1 : 0);
    width_->setValue(choices.value("width", 800).toDouble());
    height_->setValue(choices.value("height", 640).toDouble());
    dpi_->setValue(number("dpi", 192));
    colours_->setCurrentIndex(choices.value("dark").toBool() ? 1 : 0);
    caption_->setChecked(choices.value("caption").toBool());
}

QVariantMap FigureDialog::choices() const {
    return {{"preset", preset_->currentIndex()},
            {"format", format_->currentIndex()},
            {"unit", unit_->currentIndex()},
            {"width", width_->value()},
            {"height", height_->value()},
            {"dpi", dpi_->value()},
            {"dark", colours_->currentIndex() == 1},
            {"caption", caption_->isChecked()}};
}

const widgets::FigureSource& FigureDialog::source() const {
    return dynamic_cast<const widgets::FigureSource&>(*view_);
}

bool FigureDialog::hasOwnSize() const {
    return preset_->currentIndex() == 0;
}

QSize FigureDialog::sizeInPixels() const {
    if (hasOwnSize())
        return source().figureSize();
    const double factor = unit_->currentIndex() == 1 ? pixelsAMillimetre : 1;
    return QSizeF(width_->value() * factor, height_->value() * factor).toSize();
}

void FigureDialog::usePreset() {
    const FigurePreset& preset = figurePresets[static_cast<std::size_t>(preset_->currentIndex())];
    if (preset_->currentIndex() != ownSize) {
        const QSizeF own = source().figureSize();
        const double wide = preset.width > 0 ? preset.width : own.width();
        const double high = preset.height > 0 ? preset.height : wide * own.height() / own.width();
        const double factor = unit_->currentIndex() == 1 ? 1 / pixelsAMillimetre : 1;
        const QSignalBlocker quietly(width_), quiet(height_);
        width_->setValue(wide * factor);
        height_->setValue(high * factor);
        if (preset.width > 0)
            dpi_->setValue(preset.dpi);
    }
    follow();
}

/// The name's ending is the format.
void FigureDialog::useFormat() {
    const QString ending = QLatin1String(endings[static_cast<std::size_t>(format_->currentIndex())]);
    const QFileInfo file(path_->text());
    const bool known = std::ranges::any_of(
        endings, [&](const char* one) { return file.suffix().toLower() == QLatin1String(one); });
    const QString stem = known ? path_->text().chopped(file.suffix().size() + 1) : path_->text();
    path_->setText(stem + '.' + ending);
    dpi_->setEnabled(format_->currentIndex() == 0);
    dpi_->setToolTip(dpi_->isEnabled() ? QString() : tr("SVG and PDF keep shapes as shapes"));
    follow();
}

void FigureDialog::browse() {
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save Picture"), path_->text(),
                                     tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)"),
                                     nullptr, QFileDialog::DontConfirmOverwrite);
    if (path.isEmpty())
        return;
    path_->setText(path);
    formatOfName();
    useFormat();
}

void FigureDialog::formatOfName() {
    const QString suffix = QFileInfo(path_->text()).suffix().toLower();
    for (std::size_t i = 0; i < endings.size(); ++i)
        if (suffix == QLatin1String(endings[i]) && format_->currentIndex() != static_cast<int>(i)) {
            format_->setCurrentIndex(static_cast<int>(i));
            dpi_->setEnabled(i == 0);
            follow();
        }
}

/// What is not known yet is waited for.
void FigureDialog::save() {
    if (saving_ || !save_->isEnabled())
        return;
    setSaving(true);
    rest_->stop();
    if (!facts_.weights.isEmpty())
        Q_EMIT saveWanted();
}

widgets::FigureOptions FigureDialog::options() const {
    return {.format = static_cast<FigureFormat>(format_->currentIndex()),
            .size = sizeInPixels(),
            .dpi = dpi_->value(),
            .dark = colours_->currentIndex() == 1,
            .provenanceBelow = caption_->isChecked(),
            .facts = facts_};
}

QString FigureDialog::path() const {
    return path_->text();
}

void FigureDialog::setFacts(const widgets::FigureFacts& facts) {
    const bool first = facts_.weights.isEmpty();
    facts_ = facts;
    if (saving_)
        Q_EMIT saveWanted();
    else if (first)
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

void FigureDialog::setSaving(bool saving) {
    saving_ = saving;
    showState();
}

void FigureDialog::follow() {
    bytes_.reset();
    refusal_.clear();
    showState();
    rest_->start();
}

/// What will be written, made smaller by the painter alone.
void FigureDialog::showPreview() {
    if (!view_ || preview_->width() < 8 || preview_->height() < 8)
        return;
    const auto options = this->options();
    if (!widgets::whyTooLarge(options).isEmpty())
        return preview_->clear();
    const QSizeF whole = options.size;
    const double scale =
        std::min({(preview_->width() - 4) / whole.width(), (preview_->height() - 4) / whole.height(), 1.0});
    QPixmap picture(QSizeF(whole * scale * devicePixelRatioF()).toSize());
    picture.setDevicePixelRatio(devicePixelRatioF());
    picture.fill((options.dark ? widgets::darkTheme() : widgets::lightTheme()).background);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.scale(scale, scale);
    widgets::drawWholeFigure(painter, options, source());
    painter.end();
    preview_->setPixmap(picture);
}

void FigureDialog::showState() {
    if (!view_)
        return reject();
    const auto options = this->options();
    const QString tooLarge = widgets::whyTooLarge(options);
    const QSize pixels = options.format == FigureFormat::Png ? widgets::pixelsOf(options) : options.size;
    QString words = options.format == FigureFormat::Png
                        ? tr("%1 x %2 pixels").arg(pixels.width()).arg(pixels.height())
                        : tr("%1 x %2 mm")
                              .arg(pixels.width() / pixelsAMillimetre, 0, 'f', 1)
                              .arg(pixels.height() / pixelsAMillimetre, 0, 'f', 1);
    words += bytes_ ? QStringLiteral(", ") + QLocale().formattedDataSize(*bytes_) : QStringLiteral(", ...");
    if (QFileInfo::exists(path_->text()))
        words += QStringLiteral(". ") + tr("The file is there: it will be replaced.");
    const QString bad = !refusal_.isEmpty() ? refusal_ : tooLarge;
    result_->setText(saving_ ? tr("Saving...") : bad.isEmpty() ? words : bad);
    save_->setEnabled(!saving_ && tooLarge.isEmpty() && !path_->text().isEmpty());
    save_->setToolTip(save_->isEnabled() ? QString() : result_->text());
}

void FigureDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    rest_->start();
}

} // namespace headscope::app
