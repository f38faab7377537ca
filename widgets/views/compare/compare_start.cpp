#include "widgets/views/compare/compare_start.h"

#include "widgets/controls/wrapped_label.h"
#include "widgets/words/captions.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::widgets {

CompareStart::CompareStart(QWidget* parent)
    : QWidget(parent), words_(new WrappedLabel(this)), details_(new QToolButton(this)),
      rest_(new WrappedLabel(this)), head_(new QPushButton(this)) {
    setAccessibleName(tr("Nothing is compared"));
    for (WrappedLabel* label : {words_, rest_})
        label->setAlignment(Qt::AlignCenter);
    rest_->setForegroundRole(QPalette::PlaceholderText);
    details_->setText(tr("Details"));
    details_->setCheckable(true);
    details_->setAutoRaise(true);
    auto* with = new QLabel(tr("Compare with:"), this);
    with->setAlignment(Qt::AlignCenter);
    auto* row = new QHBoxLayout;
    row->addStretch();
    for (int i = 0; i < CompareBar::kinds; ++i) {
        const auto kind = static_cast<CompareBar::With>(i);
        auto* button = new QPushButton(CompareBar::title(kind), this);
        button->setToolTip(CompareBar::toolTip(kind));
        row->addWidget(button);
        buttons_.push_back(button);
        connect(button, &QPushButton::clicked, this, [this, kind] { Q_EMIT wanted(kind); });
    }
    row->addStretch();
    auto* column = new QVBoxLayout(this);
    column->addStretch();
    column->addWidget(words_);
    column->addWidget(head_, 0, Qt::AlignHCenter);
    column->addWidget(details_, 0, Qt::AlignHCenter);
    column->addWidget(rest_);
    column->addSpacing(8);
    column->addWidget(with);
    column->addLayout(row);
    column->addStretch();
    connect(details_, &QToolButton::toggled, rest_, &QWidget::setVisible);
    connect(head_, &QPushButton::clicked, this, [this] { Q_EMIT headWanted(*offered_); });
    setWords({}, {});
}

void CompareStart::setModel(const trace::ModelSummary* model) {
    for (int i = 0; i < CompareBar::kinds; ++i) {
        const auto kind = static_cast<CompareBar::With>(i);
        const QString why = whyNotOffered(kind, model);
        buttons_[i]->setEnabled(why.isEmpty());
        buttons_[i]->setToolTip(why.isEmpty() ? CompareBar::toolTip(kind) : why);
        buttons_[i]->setVisible(CompareBar::has(kind, model));
    }
}

void CompareStart::setWords(const QString& words, const std::optional<trace::HeadAddress>& head) {
    const qsizetype end = words.indexOf(QStringLiteral(". ")) + 1;
    const QString first = end > 0 ? words.left(end) : words;
    words_->setText(first);
    words_->setVisible(!first.isEmpty());
    rest_->setText(words.mid(first.size()).trimmed());
    details_->setVisible(!rest_->text().isEmpty());
    details_->setChecked(false);
    rest_->hide();
    offered_ = head;
    head_->setVisible(head.has_value());
    if (head)
        head_->setText(tr("Show %1").arg(kindTitle(head->site.kind)));
}

} // namespace headscope::widgets
