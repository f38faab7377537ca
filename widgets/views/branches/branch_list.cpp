#include "widgets/views/branches/branch_list.h"

#include "widgets/drawing/theme.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/words/captions.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/plain_text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainter>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <array>
#include <cmath>

namespace headscope::widgets {

namespace {

enum BranchColumn { BranchName, BranchSum, BranchMean, BranchText, BranchColumns };

double meanOf(const Branch& branch) {
    return branch.tokens > 0 ? branch.logProbability / static_cast<double>(branch.tokens) : 0.0;
}

/// A trace may not contain the value.
QString logText(double value) {
    return std::isnan(value) ? BranchList::tr("not recorded") : numberText(value);
}

void fillRow(QTreeWidgetItem* item, const Branch& branch) {
    const double mean = meanOf(branch);
    item->setFlags(item->flags() | Qt::ItemIsEditable);
    item->setText(BranchName, branch.name);
    item->setText(BranchSum, logText(branch.logProbability));
    item->setText(BranchMean, logText(mean));
    item->setText(BranchText, isolated(branch.text));
    item->setTextAlignment(BranchSum, Qt::AlignRight | Qt::AlignVCenter);
    item->setTextAlignment(BranchMean, Qt::AlignRight | Qt::AlignVCenter);
    QFont font = item->font(BranchName);
    font.setBold(branch.shown);
    item->setFont(BranchName, font);
    const QString words =
        BranchList::tr("%1%2: %3. Log-probability %4, %5 per token, tokens: %6")
            .arg(branch.name, branch.shown ? BranchList::tr(" (shown)") : QString(), branch.text,
                 logText(branch.logProbability), logText(mean), QString::number(branch.tokens));
    for (int column = 0; column < BranchColumns; ++column)
        item->setToolTip(column, plainToolTip(words));
    item->setData(BranchName, Qt::AccessibleDescriptionRole, words);
}

} // namespace

BranchList::BranchList(QWidget* parent)
    : View(parent), list_(new QTreeWidget(this)), hint_(new QLabel(this)),
      compare_(new QPushButton(tr("Compare"), this)), rename_(new QPushButton(tr("Rename"), this)),
      remove_(new QPushButton(tr("Remove"), this)) {
    setAccessibleName(tr("Branches"));
    list_->setAccessibleName(tr("List of branches"));
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setAllColumnsShowFocus(true);
    list_->setTextElideMode(Qt::ElideRight);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setHeaderLabels({tr("Branch"), tr("Log-probability"), tr("Per token"), tr("Text")});
    list_->headerItem()->setToolTip(BranchSum, tr("Sum over the branch's tokens"));
    list_->headerItem()->setToolTip(BranchMean, tr("The sum divided by the number of tokens"));
    list_->headerItem()->setTextAlignment(BranchSum, Qt::AlignRight | Qt::AlignVCenter);
    list_->headerItem()->setTextAlignment(BranchMean, Qt::AlignRight | Qt::AlignVCenter);
    for (const BranchColumn column : {BranchName, BranchSum, BranchMean})
        list_->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    list_->setEditTriggers(QAbstractItemView::EditKeyPressed);
    list_->installEventFilter(this);
    hint_->setWordWrap(true);
    hint_->setTextFormat(Qt::PlainText);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(hint_, 1);
    for (QPushButton* button : {compare_, rename_, remove_})
        buttons->addWidget(button);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 8);
    column->addWidget(list_, 1);
    column->addLayout(buttons);
    connect(list_, &QTreeWidget::currentItemChanged, this, [this] { followRow(); });
    connect(list_, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* item, int column) {
        if (column == BranchName)
            list_->editItem(item, BranchName);
    });
    connect(list_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
        if (!filling_ && column == BranchName)
            Q_EMIT renamed(list_->indexOfTopLevelItem(item), item->text(BranchName).trimmed());
    });
    connect(compare_, &QPushButton::clicked, this, [this] { Q_EMIT compareRequested(currentRow()); });
    connect(rename_, &QPushButton::clicked, this,
            [this] { list_->editItem(list_->currentItem(), BranchName); });
    connect(remove_, &QPushButton::clicked, this, [this] { Q_EMIT removeRequested(currentRow()); });
    setBranches({});
}

int BranchList::currentRow() const {
    return list_->indexOfTopLevelItem(list_->currentItem());
}

void BranchList::followRow() {
    if (!filling_ && currentRow() >= 0)
        Q_EMIT showRequested(currentRow());
}

void BranchList::setBranches(const std::vector<Branch>& branches) {
    branches_ = branches;
    filling_ = true;
    list_->clear();
    for (const Branch& branch : branches) {
        auto* item = new QTreeWidgetItem(list_);
        fillRow(item, branch);
        if (branch.shown)
            list_->setCurrentItem(item);
    }
    filling_ = false;
    const bool some = !branches.empty();
    const bool several = branches.size() > 1;
    list_->setVisible(some);
    hint_->setText(several ? QString()
                   : some
                       ? tr("Another next token (right panel, or a click in the beam tree) opens a branch.")
                       : tr("Lists the decoding branches. %1").arg(hintForNoRun(*this)));
    hint_->setAlignment(some ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignCenter);
    rename_->setVisible(some);
    rename_->setEnabled(some);
    for (QPushButton* button : {compare_, remove_}) {
        button->setVisible(some);
        button->setEnabled(several);
    }
    const QString alone = tr("There is one branch only.");
    compare_->setToolTip(several ? tr("Compare this branch with another") : alone);
    remove_->setToolTip(several ? tr("Remove this branch (Delete)") : alone);
    rename_->setToolTip(tr("Rename this branch (F2)"));
}

TableFigure BranchList::figure() const {
    TableColumn name{.title = tr("Branch")}, sum{.title = tr("Log-probability"), .atRight = true},
        mean{.title = tr("Per token"), .atRight = true}, text{.title = tr("Text")};
    for (const Branch& branch : branches_) {
        name.texts += branch.shown ? tr("%1 (shown)").arg(branch.name) : branch.name;
        sum.texts += logText(branch.logProbability);
        mean.texts += logText(meanOf(branch));
        text.texts += isolated(branch.text);
    }
    return {.columns = {name, sum, mean, text},
            .caption = figureText().caption,
            .font = font(),
            .parts = figureParts()};
}

void BranchList::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    figure().draw(painter, QRectF(QPointF(), QSizeF(size)), theme);
}

FigureText BranchList::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = tr("Branches"),
            .caption = tr("Each decoding branch with the sum of its log-probabilities (nats), the sum per "
                          "token, and its text."),
            .provenance = provenance_,
            .quantity = tr("log-probability")};
}

QSize BranchList::figureSize() const {
    return hasFigure() ? figure().size() : FigureSource::figureSize();
}

trace::FigureData BranchList::figureData() const {
    if (!hasFigure())
        return {};
    QStringList names, texts;
    std::vector<double> sums, means, tokens, shown;
    for (const Branch& branch : branches_) {
        names += branch.name;
        texts += branch.text;
        sums.push_back(branch.logProbability);
        means.push_back(meanOf(branch));
        tokens.push_back(static_cast<double>(branch.tokens));
        shown.push_back(branch.shown ? 1 : 0);
    }
    return {.tables = {{.name = "branches",
                        .columns = {dataColumn("branch", names), dataColumn("log_probability", sums),
                                    dataColumn("per_token", means), dataColumn("tokens", tokens),
                                    dataColumn("shown", shown), dataColumn("text", texts)}}}};
}

bool BranchList::eventFilter(QObject* watched, QEvent* event) {
    if (watched != list_ || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Delete && remove_->isEnabled() && currentRow() >= 0) {
        Q_EMIT removeRequested(currentRow());
        return true;
    }
    const bool isArrow = key->key() == Qt::Key_Left || key->key() == Qt::Key_Right;
    if (isArrow && (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier) {
        Q_EMIT stepRequested(key->key() == Qt::Key_Right);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

std::optional<PictureOptions> BranchList::picture(PictureOptions) const {
    return ofTheWhole("branches");
}

} // namespace headscope::widgets
