// What stands in the dialog.
#include "app/window/figure_dialog.h"
#include "app/window/figure_presets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

namespace headscope::app {

QWidget* FigureDialog::buildChoices() {
    auto* box = new QWidget(this);
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    const auto combo = [&](const QString& name, const QStringList& items) {
        auto* choice = new QComboBox(box);
        choice->addItems(items);
        choice->setAccessibleName(name);
        form->addRow(name, choice);
        return choice;
    };
    QStringList names;
    for (const FigurePreset& preset : figurePresets)
        names += tr(preset.name);
    preset_ = combo(tr("&For"), names);
    format_ = combo(tr("F&ormat"), {tr("PNG picture"), tr("SVG drawing"), tr("PDF page")});
    const auto number = [&](const QString& name) {
        auto* spin = new QDoubleSpinBox(box);
        spin->setRange(1, 100'000);
        spin->setDecimals(0);
        spin->setAccessibleName(name);
        form->addRow(name, spin);
        return spin;
    };
    width_ = number(tr("&Width"));
    height_ = number(tr("&Height"));
    unit_ = combo(tr("In"), {tr("pixels, 96 an inch"), tr("millimetres")});
    dpi_ = new QSpinBox(box);
    dpi_->setRange(24, 2400);
    dpi_->setAccessibleName(tr("Dots per inch"));
    form->addRow(tr("&Dots per inch"), dpi_);
    colours_ = combo(tr("&Colours"), {tr("Light, for paper"), tr("Dark")});
    caption_ = new QCheckBox(tr("Say below where it &comes from"), box);
    caption_->setToolTip(tr("Model and hash of its weights, sentence, head, version"));
    form->addRow(caption_);
    box->setMaximumWidth(360);
    return box;
}

QWidget* FigureDialog::buildFile() {
    auto* box = new QWidget(this);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(tr("F&ile"), box);
    path_ = new QLineEdit(box);
    path_->setAccessibleName(tr("File"));
    path_->setObjectName("path");
    label->setBuddy(path_);
    auto* browse = new QPushButton(tr("&Browse..."), box);
    browse->setAutoDefault(false);
    connect(browse, &QPushButton::clicked, this, &FigureDialog::browse);
    row->addWidget(label);
    row->addWidget(path_, 1);
    row->addWidget(browse);
    return box;
}

} // namespace headscope::app
