// What stands in the dialog.
#include "app/export/figure_dialog.h"
#include "app/export/figure_presets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

namespace headscope::app {

namespace {

/// Of large letters on a small screen, not all choices can be seen at once; none of them is cut.
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
    progress_->setAccessibleName(tr("Frames that are written"));
    progress_->setObjectName("progress");
    progress_->hide();
    auto* top = new QHBoxLayout;
    top->addWidget(buildPreview(), 1);
    choices_ = buildChoices();
    top->addWidget(new ScrolledChoices(choices_, this));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    save_ = buttons->button(QDialogButtonBox::Save);
    // The role of what stands apart from the others.
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

/// Below the picture, of a decoding, the way through its frames.
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
    preset_ = combo(tr("&For"), names);
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
    unit_ = combo(tr("In"), {tr("pixels, 96 an inch"), tr("millimetres")});
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
    enlarged_ = new QCheckBox(tr("Enlarge &letters with it"), box);
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
                     tr("The sentences below the picture; the file's metadata always contain them"));
    notes_ = check(tr("&Notes"), "figureNotes",
                   tr("Remarks on how to read the picture, such as the lines between a map and its caption"));
    marks_ = check(tr("Mar&ked row and cell"), "figureMarks",
                   tr("The row of the current step, and what is pinned or selected"));
    provenance_ = check(tr("Sa&y below where it comes from"), "caption",
                        tr("Model and hash of its weights, sentence, head, version"));
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
