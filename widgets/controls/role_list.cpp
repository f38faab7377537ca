#include "widgets/controls/role_list.h"

#include "widgets/controls/flow_layout.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/statistic_words.h"

#include <QAbstractButton>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <set>
#include <utility>

namespace headscope::widgets {

namespace {

/// A name and a number in a rounded frame, filled while it is pressed.
class RolePill : public QAbstractButton {
  public:
    RolePill(const QString& name, std::size_t heads, QWidget* parent)
        : QAbstractButton(parent), number_(QString::number(heads)) {
        setText(name);
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
    }

    QSize sizeHint() const override {
        return {2 * space::s + fontMetrics().horizontalAdvance(text() + ' ') +
                    QFontMetrics(bold()).horizontalAdvance(number_),
                std::max(fontMetrics().height() + space::xs, space::target)};
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = themeOf(palette());
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor ink = isChecked() ? theme.onAccent : theme.text;
        painter.setBrush(isChecked() ? theme.accent : theme.panel);
        painter.setPen(QPen(hasFocus() ? theme.focus : isChecked() ? theme.accent : theme.outline, 1));
        const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
        painter.drawRoundedRect(frame, frame.height() / 2, frame.height() / 2);
        painter.setPen(ink);
        const QRect inside = rect().adjusted(space::s, 0, -space::s, 0);
        painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, text());
        painter.setFont(bold());
        painter.drawText(inside, Qt::AlignRight | Qt::AlignVCenter, number_);
    }

  private:
    QFont bold() const {
        QFont bold = font();
        bold.setBold(true);
        return bold;
    }

    QString number_;
};

/// Text in the colour of the selection, underlined under the pointer and with the keyboard.
class HeadLink : public QAbstractButton {
  public:
    HeadLink(const QString& text, QWidget* parent) : QAbstractButton(parent) {
        setText(text);
        setAttribute(Qt::WA_Hover);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
    }

    QSize sizeHint() const override {
        return {fontMetrics().horizontalAdvance(text()), fontMetrics().height()};
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        QFont linked = font();
        linked.setUnderline(underMouse() || hasFocus());
        painter.setFont(linked);
        painter.setPen(themeOf(palette()).accent);
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, text());
    }
};

QString shortKind(trace::AttentionKind kind) {
    switch (kind) {
    case trace::AttentionKind::EncoderSelf:
        return RoleList::tr("enc");
    case trace::AttentionKind::DecoderSelf:
        return RoleList::tr("dec");
    case trace::AttentionKind::Cross:
        break;
    }
    return RoleList::tr("cross");
}

/// "enc 1.5"
QString shortAddress(const trace::HeadAddress& head, bool withKind) {
    const QString place = address(head).section('.', 1);
    return withKind ? RoleList::tr("%1 %2", "enc 1.5").arg(shortKind(head.site.kind), place) : place;
}

bool isSame(const analysis::RoleAmongHeads& one, const analysis::RoleAmongHeads& other) {
    return one.kind == other.kind && one.offset == other.offset;
}

} // namespace

RoleList::RoleList(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
    setAccessibleName(tr("Roles of the heads"));
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(space::s);
}

void RoleList::setRoles(const std::vector<analysis::RoleAmongHeads>& roles, const trace::Run* run) {
    std::vector<Listed> listed;
    for (const auto& role : roles)
        listed.push_back({.role = role, .name = listedRoleName(role.kind, role.offset, run)});
    if (listed_ == listed)
        return;
    listed_ = std::move(listed);
    while (auto* item = column_->takeAt(0)) {
        if (auto* widget = item->widget()) {
            widget->hide();
            widget->deleteLater(); // it may be what was just pressed
        }
        delete item;
    }
    nearest_ = buildNearest();
    more_ = nearest_ ? buildMore() : nullptr;
    for (QWidget* part : std::initializer_list<QWidget*>{buildPills(), nearest_, more_})
        if (part) {
            column_->addWidget(part);
            part->show(); // now, not in the next turn
        }
    column_->addStretch(1);
    fold();
}

QAbstractButton* RoleList::buildMore() {
    const auto without =
        std::ranges::count_if(listed_, [](const Listed& listed) { return listed.role.nearest.has_value(); });
    auto* more = new HeadLink(tr("Roles without a head: %1").arg(without), this);
    connect(more, &QAbstractButton::clicked, this, [this] {
        more_->hide();
        nearest_->show();
    });
    return more;
}

void RoleList::setFolded(bool folded) {
    if (std::exchange(folded_, folded) != folded)
        fold();
}

void RoleList::fold() {
    if (!nearest_)
        return;
    nearest_->setVisible(!folded_);
    more_->setVisible(folded_);
}

/// Null if no head has a role.
QWidget* RoleList::buildPills() {
    if (std::ranges::all_of(listed_, [](const Listed& listed) { return listed.role.heads.empty(); }))
        return nullptr;
    auto* pills = new QWidget(this);
    auto* row = new FlowLayout(pills);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::xs);
    for (auto& listed : listed_)
        if (!listed.role.heads.empty()) {
            listed.pill = pillOf(listed, pills);
            row->addWidget(listed.pill);
        }
    return pills;
}

QAbstractButton* RoleList::pillOf(const Listed& listed, QWidget* parent) {
    const auto& heads = listed.role.heads;
    auto* pill = new RolePill(listed.name, heads.size(), parent);
    pill->setAccessibleName(tr("%1, heads: %2", "a role").arg(listed.name).arg(heads.size()));
    QStringList addresses;
    for (const auto& head : heads)
        addresses += address(head);
    pill->setToolTip(addresses.join(QStringLiteral(", ")));
    connect(pill, &QAbstractButton::clicked, this, [this, role = listed.role](bool isPressed) {
        const auto chosen = isPressed ? std::optional(role) : std::nullopt;
        setChosen(chosen);
        Q_EMIT roleChosen(chosen);
    });
    return pill;
}

int RoleList::leastWidth() const {
    return nearest_ ? nearest_->minimumSizeHint().width() : 0;
}

/// Null if every role has a head.
QWidget* RoleList::buildNearest() {
    std::set<trace::AttentionKind> kinds;
    bool isAny = false;
    for (const auto& listed : listed_) {
        for (const auto& head : listed.role.heads)
            kinds.insert(head.site.kind);
        if (const auto& nearest = listed.role.nearest) {
            kinds.insert(nearest->head.site.kind);
            isAny = true;
        }
    }
    if (!isAny)
        return nullptr;
    auto* table = new QWidget(this);
    auto* rows = new QGridLayout(table);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setHorizontalSpacing(space::xs);
    rows->setVerticalSpacing(space::xs);
    rows->setColumnStretch(0, 1);
    int column = 0;
    for (const QString& title : {tr("Role, nearest head"), QString(), tr("has"), tr("needs")}) {
        auto* label = new QLabel(title, table);
        label->setForegroundRole(QPalette::PlaceholderText);
        rows->addWidget(label, 0, column, column > 1 ? Qt::AlignRight : Qt::AlignLeft);
        ++column;
    }
    for (const auto& listed : listed_)
        if (listed.role.nearest)
            addNearest(listed, kinds.size() > 1, rows);
    return table;
}

void RoleList::addNearest(const Listed& listed, bool withKind, QGridLayout* rows) {
    const auto& nearest = *listed.role.nearest;
    const auto words = hasAndNeeds(nearest.role);
    auto* table = rows->parentWidget();
    auto* name = new QLabel(listed.name, table);
    name->setTextFormat(Qt::PlainText);
    auto* link = new HeadLink(shortAddress(nearest.head, withKind), table);
    link->setAccessibleName(tr("%1, nearest to %2: has %3, needs %4")
                                .arg(address(nearest.head), listed.name, words.has, words.needs));
    auto* has = new QLabel(words.has, table);
    auto* needs = new QLabel(words.needs, table);
    needs->setForegroundRole(QPalette::PlaceholderText);
    const int row = rows->rowCount();
    int column = 0;
    for (QWidget* part : std::initializer_list<QWidget*>{name, link, has, needs}) {
        part->setToolTip(words.both);
        rows->addWidget(part, row, column, column > 1 ? Qt::AlignRight : Qt::Alignment());
        ++column;
    }
    connect(link, &QAbstractButton::clicked, this, [this, head = nearest.head] { Q_EMIT headChosen(head); });
}

void RoleList::setChosen(const std::optional<analysis::RoleAmongHeads>& role) {
    for (const auto& listed : listed_)
        if (listed.pill)
            listed.pill->setChecked(role && isSame(listed.role, *role));
}

} // namespace headscope::widgets
