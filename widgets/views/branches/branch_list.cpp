#include "widgets/views/branches/branch_list.h"

#include "model/analysis/output/path_scores.h"
#include "model/trace/run_path.h"
#include "widgets/controls/view_choices.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tables/table_figure.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/plain_text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace headscope::widgets {

namespace {

enum BranchColumn { BranchName, BranchSum, BranchMean, BranchText, BranchColumns };

double meanOfBranch(const Branch& branch) {
    return branch.tokens > 0 ? branch.logProbability / static_cast<double>(branch.tokens) : 0.0;
}

/// A trace may not contain the value.
QString logText(double value) {
    return std::isnan(value) ? BranchList::tr("not recorded") : numberText(value);
}

void fillRow(QTreeWidgetItem* item, const Branch& branch) {
    const double mean = meanOfBranch(branch);
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

View* views::makers::branches(Selection*, QWidget* parent) {
    return new BranchList(parent);
}

std::vector<Branch> branchesOf(const trace::Run& run, const std::vector<std::string>& names) {
    std::vector<Branch> branches;
    const auto shown = trace::shownPath(run);
    // The model chose no token of a prompt; its first one has no score.
    const auto prompt =
        run.model && run.model->isDecoderAlone() && !run.source.empty() ? run.source.size() - 1 : 0;
    for (std::size_t i = 0; i < run.paths.size(); ++i) {
        const auto& path = run.paths[i]; // a reference also scores its end token, which is not fed
        const auto scores = path.decodedOn ? analysis::tokenScores(run.tree, path.leaf)
                                           : analysis::referenceScores(run, path);
        std::vector<trace::Token> tokens;
        for (const auto& score : scores)
            tokens.push_back(score.token);
        const auto given = std::min(prompt, scores.size());
        const double before = given > 0 ? scores[given - 1].sum : 0;
        branches.push_back(
            {.name = QString::fromStdString(names.at(i)),
             .text = QString::fromStdString(path.output.empty() ? trace::joinedText(tokens) : path.output),
             .logProbability = scores.empty() ? 0 : scores.back().sum - before,
             .tokens = scores.size() - given,
             .shown = shown == i});
    }
    return branches;
}

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
            rename(list_->indexOfTopLevelItem(item), item->text(BranchName).trimmed().toStdString());
    });
    connect(compare_, &QPushButton::clicked, this, &BranchList::compare);
    connect(rename_, &QPushButton::clicked, this,
            [this] { list_->editItem(list_->currentItem(), BranchName); });
    connect(remove_, &QPushButton::clicked, this,
            [this] { Q_EMIT intended(intents::RemovePath{currentRow()}); });
    setBranches({});
}

std::size_t BranchList::currentRow() const {
    return list_->indexOfTopLevelItem(list_->currentItem());
}

/// Later, as the list is filled anew.
void BranchList::followRow() {
    if (filling_ || !list_->currentItem())
        return;
    const auto show = [this, row = currentRow()] {
        Q_EMIT intended(intents::ShowPath{row, {}});
        if (listed_.run && listed_.run->model->recorded)
            list(); // a trace may lack the branch: selects the shown one again
    };
    QMetaObject::invokeMethod(this, show, Qt::QueuedConnection);
}

/// Later, as the list is filled anew.
void BranchList::rename(std::size_t row, const std::string& name) {
    const auto give = [this, row, name] {
        Q_EMIT intended(intents::NamePath{row, name});
        list();
    };
    QMetaObject::invokeMethod(this, give, Qt::QueuedConnection);
}

/// The shown branch is compared with another one.
void BranchList::compare() {
    const auto row = currentRow();
    Q_EMIT intended(intents::ComparePath{!branches_.at(row).shown ? row : row == 0 ? 1U : 0U});
}

void BranchList::refresh() {
    const auto& branches = context().document->branches;
    if (branches.run && branches == listed_)
        return;
    listed_ = branches;
    list();
    const bool isNews =
        branches.run && branches.run->paths.size() > 1 && !analysis::referencePath(*branches.run);
    if (isNews && !std::exchange(opened_, true))
        Q_EMIT intended(intents::ShowSelf());
}

void BranchList::list() {
    std::vector<Branch> branches;
    const auto& run = listed_.run;
    if (run && !(placeOfShown_ && run->path.empty())) {
        const auto ofRun = branchesOf(*run, listed_.names);
        for (const auto path : order())
            branches.push_back(ofRun[path]);
    }
    setBranches(branches);
}

/// The paths of the run as they are listed.
std::vector<std::size_t> BranchList::order() const {
    std::vector<std::size_t> paths(listed_.names.size());
    std::iota(paths.begin(), paths.end(), 0);
    if (placeOfShown_ && *placeOfShown_ < paths.size())
        std::rotate(paths.begin() + static_cast<std::ptrdiff_t>(*placeOfShown_), paths.end() - 1,
                    paths.end());
    return paths;
}

void BranchList::showPicture(const PictureOptions& options) {
    const auto shown = options.choices.find("shown");
    placeOfShown_ = shown == options.choices.end()
                        ? listed_.names.size()
                        : static_cast<std::size_t>(std::get<std::int64_t>(shown->second));
    list();
}

std::vector<std::string> BranchList::givenNames() const {
    std::vector<std::string> names;
    for (const auto path : order())
        names.push_back(listed_.given[path]);
    const bool isOne = !std::ranges::all_of(names, &std::string::empty);
    return isOne ? names : std::vector<std::string>();
}

void BranchList::addChoices(ViewChoices& choices) {
    choices.add(
        "branches", "names", [this] { return ChoiceValue(givenNames()); },
        [this](const ChoiceValue& value) {
            auto names = std::get<std::vector<std::string>>(value);
            const auto paths = order();
            names.resize(paths.size());
            for (std::size_t row = 0; row < paths.size(); ++row)
                Q_EMIT intended(intents::NamePath{paths[row], names[row]});
        });
}

/// Fails if a decoded path ends within another one: given as ids, it would become a forced target.
bool BranchList::exportChoices(PictureOptions& picture, const Choices&) const {
    const auto& run = context().document->run;
    if (!run)
        return true;
    if (const auto& recorded = run->model->recorded) // a trace draws its own branches
        return run->paths.size() == recorded->paths.size();
    const auto shown = trace::shownPath(*run);
    const bool asItIs = std::ranges::all_of(run->paths, [&](const trace::RunPath& path) {
        return !path.decodedOn || !run->tree.node(path.leaf).row;
    });
    if (!shown || !asItIs)
        return false;
    if (run->paths.size() > 1)
        picture.choices[branchesChoice] = trace::otherBranches(*run, *shown);
    if (*shown + 1 < run->paths.size())
        picture.choices["shown"] = static_cast<std::int64_t>(*shown);
    return true;
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

std::optional<FigureBlocks> BranchList::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    const auto name = [](const Branch& branch) {
        return branch.shown ? tr("%1 (shown)").arg(branch.name) : branch.name;
    };
    const auto sum = [](const Branch& branch) { return logText(branch.logProbability); };
    const auto mean = [](const Branch& branch) { return logText(meanOfBranch(branch)); };
    const auto text = [](const Branch& branch) { return isolated(branch.text); };
    const TableFigure figure{
        .columns = {filled({.title = tr("Branch")}, branches_, name),
                    filled({.title = tr("Log-probability"), .atRight = true}, branches_, sum),
                    filled({.title = tr("Per token"), .atRight = true}, branches_, mean),
                    filled({.title = tr("Text")}, branches_, text)},
        .caption = figureText().caption,
        .font = font(),
        .parts = figureParts()};
    return figure.blocks();
}

FigureText BranchList::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = tr("Branches"),
            .caption = tr("Each decoding branch with the sum of its log-probabilities (nats), the sum per "
                          "token, and its text."),
            .provenance = listed_.run ? provenance(*listed_.run) : QString(),
            .quantity = tr("log-probability")};
}

trace::FigureData BranchList::figureData() const {
    if (!hasFigure())
        return {};
    return {.tables = {{.name = "branches",
                        .columns = {dataColumn("branch", branches_, &Branch::name),
                                    dataColumn("log_probability", branches_, &Branch::logProbability),
                                    dataColumn("per_token", branches_, meanOfBranch),
                                    dataColumn("tokens", branches_, &Branch::tokens),
                                    dataColumn("shown", branches_, &Branch::shown),
                                    dataColumn("text", branches_, &Branch::text)}}}};
}

bool BranchList::eventFilter(QObject* watched, QEvent* event) {
    if (watched != list_ || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Delete && remove_->isEnabled() && list_->currentItem()) {
        Q_EMIT intended(intents::RemovePath{currentRow()});
        return true;
    }
    const bool isArrow = key->key() == Qt::Key_Left || key->key() == Qt::Key_Right;
    if (isArrow && (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier) {
        Q_EMIT intended(intents::Step{key->key() == Qt::Key_Right});
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

std::optional<PictureOptions> BranchList::picture(PictureOptions) const {
    return ofTheWhole("branches");
}

} // namespace headscope::widgets
