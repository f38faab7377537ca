#include "app/desktop/several_models_dialog.h"

#include "widgets/drawing/spacing.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <chrono>

namespace headscope::app {

namespace {

QString shownTime(std::filesystem::file_time_type time) {
    const auto since = std::chrono::file_clock::to_sys(time).time_since_epoch();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since).count();
    return QLocale().toString(QDateTime::fromSecsSinceEpoch(seconds), QLocale::ShortFormat);
}

} // namespace

SeveralModelsDialog::SeveralModelsDialog(const std::filesystem::path& folder,
                                         const std::vector<files::ModelInFolder>& models, QWidget* parent)
    : QDialog(parent), list_(new QTreeWidget(this)) {
    setWindowTitle(tr("Choose a Model"));
    setMinimumSize(560, 320);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(widgets::space::l, widgets::space::l, widgets::space::l, widgets::space::l);
    column->setSpacing(widgets::space::m);
    auto* title = new QLabel(tr("“%1” holds several models. Choose the one to open.")
                                 .arg(QString::fromStdString(folder.filename().string())),
                             this);
    title->setTextFormat(Qt::PlainText);
    title->setWordWrap(true);
    column->addWidget(title);
    fill(folder, models);
    column->addWidget(list_, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(list_, &QTreeWidget::itemActivated, this, &QDialog::accept);
    column->addWidget(buttons);
    list_->setFocus();
}

void SeveralModelsDialog::fill(const std::filesystem::path& folder,
                               const std::vector<files::ModelInFolder>& models) {
    list_->setAccessibleName(tr("Models"));
    list_->setRootIsDecorated(false);
    list_->setAllColumnsShowFocus(true);
    list_->setUniformRowHeights(true);
    list_->setHeaderLabels({tr("Name"), tr("Size"), tr("Changed")});
    const auto& latest = files::newest(models);
    for (const auto& model : models) {
        auto* row = new QTreeWidgetItem(
            list_, {QString::fromStdString(model.path.lexically_relative(folder).string()),
                    QLocale().formattedDataSize(static_cast<qint64>(model.bytes)), shownTime(model.changed)});
        row->setData(0, Qt::UserRole, QString::fromStdString(model.path.string()));
        row->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        if (&model == &latest) {
            row->setText(2, tr("%1 (newest)").arg(row->text(2)));
            list_->setCurrentItem(row);
        }
    }
    auto* header = list_->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(0, QHeaderView::Stretch);
}

QString SeveralModelsDialog::chosen() const {
    return list_->currentItem()->data(0, Qt::UserRole).toString();
}

} // namespace headscope::app
