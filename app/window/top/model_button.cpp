#include "app/window/top/model_button.h"

#include "app/desktop/file_dialogs.h"
#include "app/models/bundled_models.h"
#include "app/models/resource_folders.h"
#include "widgets/drawing/icons.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/step_columns.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/type_scale.h"
#include "widgets/words/captions.h"
#include "widgets/words/model_words.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QAction>
#include <QFile>
#include <QMenu>
#include <QPainter>
#include <QStyleOptionButton>

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

namespace space = widgets::space;

constexpr int iconSide = 16;
constexpr int chevron = 20; ///< width

/// As in "English \u2192 German, 3 + 3 layers".
QString detailOf(const trace::ModelSummary& model) {
    QStringList parts;
    if (!model.sourceLanguage.empty()) {
        const QString source = widgets::languageName(model.sourceLanguage);
        parts +=
            model.targetLanguage.empty()
                ? source
                : ModelButton::tr("%1 \u2192 %2").arg(source, widgets::languageName(model.targetLanguage));
    }
    parts += widgets::layersInWords(model);
    return parts.join(QStringLiteral(", "));
}

/// "German" finds a model whose name contains "de".
QStringList synonymsOf(const QString& name) {
    QStringList words{ModelButton::tr("model")};
    for (const QString& part : name.section('/', -1).split('-'))
        if (const QString language = widgets::languageName(part.toStdString());
            part.size() == 2 && language != part)
            words += language;
    return words;
}

} // namespace

std::vector<OfferedModel> offeredModels(const Settings& settings) {
    std::vector<OfferedModel> models;
    QStringList bundledPaths;
    for (const auto& name : bundledModels()) {
        models.push_back({.shown = QString::fromStdString(name), .pathOrName = QString::fromStdString(name)});
        bundledPaths += QString::fromStdString(bundledModel(name).string());
    }
    for (const QString& path : settings.recentModels())
        if (const bool exists = QFile::exists(path); !bundledPaths.contains(path))
            models.push_back({.shown = exists ? path : ModelButton::tr("%1 (missing)").arg(path),
                              .pathOrName = path,
                              .isRecent = true,
                              .exists = exists});
    return models;
}

void fillModelMenu(QMenu* menu, const Settings& settings, const std::function<void(const QString&)>& open) {
    menu->clear();
    menu->setToolTipsVisible(true);
    menu->addSection(ModelButton::tr("Bundled"));
    bool any = false;
    for (const auto& model : offeredModels(settings)) {
        if (model.isRecent && !std::exchange(any, true))
            menu->addSection(ModelButton::tr("Recent"));
        QAction* action = menu->addAction(QString(model.shown).replace('&', "&&"));
        action->setToolTip(model.pathOrName);
        action->setEnabled(model.exists);
        auto synonyms = synonymsOf(model.pathOrName);
        if (model.isRecent)
            synonyms += ModelButton::tr("recent");
        action->setProperty(synonymsProperty, synonyms);
        QObject::connect(action, &QAction::triggered, menu, [open, path = model.pathOrName] { open(path); });
    }
    menu->addSeparator();
}

QString chosenModel(QWidget* window, bool folder) {
    if (folder)
        return askFolder({.window = window, .title = ModelButton::tr("Open Model Folder")});
    return askFileToOpen(
        {.window = window,
         .title = ModelButton::tr("Open Weights File or Recording"),
         .filters = ModelButton::tr("Weights and recordings (*.safetensors *.pt *.pth *.ckpt "
                                    "*.bin *.gguf *.npz *.index.json);;All files (*)")});
}

ModelButton::ModelButton(const Settings& settings, const Actions& actions, QWidget* parent)
    : QPushButton(parent), settings_(settings), actions_(actions) {
    setText(tr("No model"));
    setObjectName("model");
    setToolTip(tr("Open another model"));
    setMenu(new QMenu(tr("&Models"), this));
    connect(menu(), &QMenu::aboutToShow, this, &ModelButton::fill);
    fill();
}

void ModelButton::fill() {
    fillModelMenu(menu(), settings_, [this](const QString& pathOrName) {
        Q_EMIT chosen(QString::fromStdString(openingOf(pathOrName.toStdString())));
    });
    menu()->addAction(actions_[ActionId::OpenFolder]);
    menu()->addAction(actions_[ActionId::OpenFile]);
}

void ModelButton::setModel(const trace::ModelSummary& model) {
    const QString another = tr("Open another model");
    const QString why = widgets::whyNothingRuns(model);
    setToolTip(why.isEmpty()
                   ? another
                   : widgets::plainToolTip(widgets::modelTitle(model) + '\n' + why + '\n' + another));
    setAccessibleDescription(why);
    detail_ = detailOf(model);
    updateGeometry();
}

void ModelButton::showName(const QString& name, const QStringList& others) {
    others_ = others;
    setText(name);
    setAccessibleName(tr("Model: %1").arg(name));
    updateGeometry();
}

void ModelButton::setBrief(bool isBrief) {
    if (std::exchange(isBrief_, isBrief) != isBrief)
        updateGeometry();
}

/// Two lines of large text would take too much of the window.
bool ModelButton::isBrief() const {
    constexpr int mostForTwo = 24;
    return isBrief_ || fontMetrics().height() > mostForTwo;
}

int ModelButton::widthOf(const QString& name) const {
    const QFontMetrics bold(widgets::boldFont(font()));
    const QFontMetrics small(widgets::fontOf(widgets::TextRole::Caption, font()));
    const int text = std::max(bold.horizontalAdvance(name), isBrief() ? 0 : small.horizontalAdvance(detail_));
    return text + space::xs + (isBrief() ? 0 : iconSide + space::s) + chevron + 2 * space::m;
}

QSize ModelButton::sizeHint() const {
    const QFontMetrics small(widgets::fontOf(widgets::TextRole::Caption, font()));
    int width = widthOf(text());
    for (const QString& other : others_)
        width = std::max(width, widthOf(other));
    const int lines = fontMetrics().height() + (isBrief() ? space::s : small.height());
    return {width, std::max(space::control, lines + space::xs)};
}

/// The name above what model it is.
void ModelButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    style()->drawPrimitive(QStyle::PE_PanelButtonCommand, &option, &painter, this);
    QRect room = rect().adjusted(space::m, 2, -space::m, -2);
    const auto placed = [&](const QRect& part) {
        return QStyle::visualRect(layoutDirection(), rect(), part);
    };
    option.rect = placed(QRect(room.right() - chevron + space::xs, room.top(), chevron, room.height()));
    style()->drawPrimitive(QStyle::PE_IndicatorArrowDown, &option, &painter, this);
    room.setRight(room.right() - chevron);
    if (!isBrief()) {
        const QRect side(room.left(), room.center().y() - iconSide / 2, iconSide, iconSide);
        widgets::icon("model").paint(&painter, placed(side));
        room.setLeft(room.left() + iconSide + space::s);
    }
    const bool isOneLine = isBrief() || detail_.isEmpty();
    const int line = isOneLine ? room.height() : room.height() * 54 / 100;
    const auto draw = [&](const QRect& where, const QFont& font, const QColor& ink, const QString& words) {
        painter.setFont(font);
        painter.setPen(ink);
        const auto side = QStyle::visualAlignment(layoutDirection(), Qt::AlignLeft);
        painter.drawText(placed(where), side | Qt::AlignVCenter | Qt::TextSingleLine,
                         QFontMetrics(font).elidedText(words, Qt::ElideMiddle, where.width()));
    };
    const auto& theme = widgets::themeOf(palette());
    draw(QRect(room.topLeft(), QSize(room.width(), line)), widgets::boldFont(font()), theme.text, text());
    if (!isOneLine)
        draw(room.adjusted(0, line, 0, 0), widgets::fontOf(widgets::TextRole::Caption, font()),
             theme.faintText, detail_);
}

} // namespace headscope::app
