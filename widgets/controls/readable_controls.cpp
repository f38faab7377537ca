#include "widgets/controls/readable_controls.h"

#include <QAbstractItemView>
#include <QAccessibleWidget>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTextDocumentFragment>

namespace headscope::widgets {

namespace {

QString namedText(const QWidget* widget, const QString& text) {
    const QString name = widget->accessibleName();
    if (name.isEmpty() || name.contains(text))
        return name.isEmpty() ? text : name;
    return name + QStringLiteral(": ") + text;
}

class LabelForReaders : public QAccessibleWidget {
  public:
    explicit LabelForReaders(QLabel* label)
        : QAccessibleWidget(label, QAccessible::StaticText), label_(label) {}
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Name
                   ? namedText(label_, QTextDocumentFragment::fromHtml(label_->text()).toPlainText())
                   : QAccessibleWidget::text(kind);
    }

  private:
    const QLabel* label_;
};

class ComboForReaders : public QAccessibleWidget {
  public:
    explicit ComboForReaders(QComboBox* combo)
        : QAccessibleWidget(combo, QAccessible::ComboBox), combo_(combo) {}

    int childCount() const override { return combo_->lineEdit() ? 2 : 1; }
    QAccessibleInterface* child(int index) const override {
        QWidget* const part = index == 0 ? static_cast<QWidget*>(combo_->view()) : combo_->lineEdit();
        return QAccessible::queryAccessibleInterface(part);
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        return child->object() == combo_->view() ? 0 : child->object() == combo_->lineEdit() ? 1 : -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        auto* line = combo_->lineEdit();
        const bool isIn = line && line->rect().contains(line->mapFromGlobal(QPoint(x, y)));
        return isIn ? QAccessible::queryAccessibleInterface(line) : nullptr;
    }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Name    ? namedText(combo_, combo_->currentText())
               : kind == QAccessible::Value ? combo_->currentText()
                                            : QAccessibleWidget::text(kind);
    }
    QAccessible::State state() const override {
        auto state = QAccessibleWidget::state();
        state.expandable = true;
        state.expanded = combo_->view()->isVisible();
        state.editable = combo_->isEditable();
        return state;
    }
    QStringList actionNames() const override { return {showMenuAction(), pressAction()}; }
    void doAction(const QString&) override {
        combo_->view()->isVisible() ? combo_->hidePopup() : combo_->showPopup();
    }

  private:
    QComboBox* combo_;
};

/// A widget that paints itself, or that has parts.
class PaintedForReaders : public QAccessibleWidget {
  public:
    using QAccessibleWidget::QAccessibleWidget;
    QAccessible::Role role() const override {
        const bool hasKeys = (widget()->focusPolicy() & Qt::TabFocus) && !widget()->focusProxy();
        return hasKeys ? QAccessible::Graphic : QAccessibleWidget::role();
    }
};

/// Asked for the class of an object, then for the class it is derived from.
QAccessibleInterface* makeControl(const QString& className, QObject* object) {
    if (auto* combo = qobject_cast<QComboBox*>(object))
        return new ComboForReaders(combo);
    if (auto* label = qobject_cast<QLabel*>(object))
        return label->accessibleName().isEmpty() || !label->pixmap(Qt::ReturnByValue).isNull()
                   ? nullptr
                   : new LabelForReaders(label);
    // What Qt itself has an interface for is not asked for by these names.
    return className == QLatin1String("QWidget") || className == QLatin1String("QAbstractScrollArea")
               ? new PaintedForReaders(static_cast<QWidget*>(object))
               : nullptr;
}

} // namespace

void installControlAccessibility() {
    // Qt ignores repeated factories.
    QAccessible::installFactory(makeControl);
}

} // namespace headscope::widgets
