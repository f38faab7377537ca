#include "app/window/home/home_page.h"

#include "app/desktop/file_dialogs.h"
#include "app/models/resource_folders.h"
#include "app/window/home/model_card.h"
#include "app/window/home/recent_row.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/tall_area.h"
#include "widgets/drawing/icons.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/window_style.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

namespace {

constexpr int pageEdge = widgets::space::xl, pageGap = widgets::space::m;

} // namespace

HomePage::HomePage(const Settings& settings, const Actions& actions, QWidget* parent)
    : QWidget(parent), settings_(settings), actions_(actions), target_(new QLabel(this)) {
    setAccessibleName(tr("Home"));
    setAcceptDrops(true);
    target_->setText(tr("Drop to open"));
    widgets::setTextRole(target_, widgets::TextRole::Title);
    target_->setAlignment(Qt::AlignCenter);
    target_->setAttribute(Qt::WA_TransparentForMouseEvents);
    target_->hide();
}

void HomePage::showEvent(QShowEvent* event) {
    if (!column_)
        fill();
    fillRecent();
    QWidget::showEvent(event);
    Q_EMIT shown(true);
}

void HomePage::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    Q_EMIT shown(false);
}

void HomePage::fill() {
    auto* page = new QWidget;
    column_ = new QVBoxLayout(page);
    column_->setContentsMargins(pageEdge, pageEdge, pageEdge, pageEdge);
    column_->setSpacing(pageGap);
    addTitle(tr("Headscope"), widgets::TextRole::Display);
    column_->addWidget(new QLabel(tr("Open a transformer and see what every attention head reads."), this));
    column_->addWidget(newButtons());
    addTitle(tr("Models that come with Headscope"), widgets::TextRole::Title);
    column_->addWidget(newCards(false));
    addTitle(tr("Toys: one idea each, readable at a glance"), widgets::TextRole::Title);
    column_->addWidget(newCards(true));
    addTitle(tr("Recent"), widgets::TextRole::Title);
    column_->addStretch(1);
    for (auto* label : page->findChildren<QLabel*>(Qt::FindDirectChildrenOnly))
        label->setWordWrap(true);
    auto* around = new QVBoxLayout(this);
    around->setContentsMargins(0, 0, 0, 0);
    around->addWidget(new widgets::TallArea(page, this));
    target_->raise();
}

QLabel* HomePage::addTitle(const QString& words, widgets::TextRole role) {
    auto* title = new QLabel(words, this);
    widgets::setTextRole(title, role);
    column_->addSpacing(pageGap);
    column_->addWidget(title);
    return title;
}

QWidget* HomePage::newButtons() {
    struct Button {
        ActionId id;
        const char* icon;
        QString words;
    };
    const std::array all{Button{ActionId::OpenFolder, "open", tr("Open a Model...")},
                         Button{ActionId::OpenFile, "data", tr("Open a Recording...")},
                         Button{ActionId::OpenSession, "save", tr("Open a Session...")},
                         Button{ActionId::Train, "train", tr("Train a Model...")}};
    auto* buttons = new QWidget(this);
    auto* flow = new widgets::FlowLayout(buttons);
    flow->setSpacing(pageGap);
    for (const auto& each : all) {
        auto* button = new QPushButton(widgets::icon(each.icon), each.words, buttons);
        button->setToolTip(actions_[each.id]->toolTip());
        button->setAutoDefault(true);
        if (each.id == ActionId::OpenFolder)
            widgets::setLook(button, widgets::ButtonLook::Primary);
        connect(button, &QPushButton::clicked, actions_[each.id], &QAction::trigger);
        flow->addWidget(button);
    }
    flow->addWidget(
        new QLabel(tr("or drop a folder, a .safetensors, .pt or .gguf file on this page"), buttons));
    return buttons;
}

QWidget* HomePage::newCards(bool ofToys) {
    auto* cards = new QWidget(this);
    auto* flow = new widgets::FlowLayout(cards, widgets::FlowLayout::Widths::Equal);
    flow->setSpacing(pageGap);
    for (const auto& model : introducedModels()) {
        if (model.isToy != ofToys)
            continue;
        auto* card = new ModelCard(model, cards);
        connect(card, &QPushButton::clicked, this,
                [this, opens = QString::fromStdString(model.opens)] { Q_EMIT chosen(opens); });
        flow->addWidget(card);
    }
    return cards;
}

void HomePage::fillRecent() {
    delete recent_;
    recent_ = new QWidget(this);
    auto* rows = new QVBoxLayout(recent_);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    using Kind = RecentRow::Kind;
    struct File {
        QString path;
        Kind kind;
        OpenedFile opened;
    };
    std::vector<File> files;
    const QString bundled = QString::fromStdString(bundledModel({}).string());
    for (const QString& path : settings_.recentModels())
        if (const auto opened = settings_.opened(path); !path.startsWith(bundled))
            files.push_back({path, opened.isRecording ? Kind::Recording : Kind::Model, opened});
    for (const QString& path : settings_.recentSessions())
        files.push_back({path, Kind::Session, settings_.opened(path)});
    std::ranges::stable_sort(files, std::greater(), [](const File& file) { return file.opened.when; });
    for (const auto& [path, kind, opened] : files) {
        auto* row = new RecentRow(path, kind, opened, recent_);
        connect(row, &QPushButton::clicked, this, [this, path = path] { Q_EMIT chosen(path); });
        rows->addWidget(row);
    }
    if (files.empty())
        rows->addWidget(
            new QLabel(tr("Models, recordings and sessions that you open are listed here."), recent_));
    column_->insertWidget(column_->count() - 1, recent_); // before the stretch
}

void HomePage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    target_->setGeometry(rect().adjusted(pageGap, pageGap, -pageGap, -pageGap));
}

void HomePage::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), widgets::themeOf(palette()).background);
}

void HomePage::dragEnterEvent(QDragEnterEvent* event) {
    if (draggedPath(*event->mimeData()).isEmpty())
        return;
    event->acceptProposedAction();
    const auto& theme = widgets::themeOf(palette());
    target_->setStyleSheet(QStringLiteral("color: %1; background: %2; border: 2px dashed %1; "
                                          "border-radius: 8px;")
                               .arg(theme.accent.name(), theme.panel.name()));
    target_->show();
}

void HomePage::dragLeaveEvent(QDragLeaveEvent*) {
    target_->hide();
}

void HomePage::dropEvent(QDropEvent* event) {
    target_->hide();
    event->acceptProposedAction();
    Q_EMIT chosen(draggedPath(*event->mimeData()));
}

} // namespace headscope::app
