#include "app/window/preferences.h"

#include "app/desktop/file_dialogs.h"
#include "app/window/top/decode_popups.h"
#include "widgets/drawing/window_style.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

namespace headscope::app {

namespace {

struct PreferencesWords {
    Q_DECLARE_TR_FUNCTIONS(Preferences)
};

/// One of several actions.
QComboBox* newChoice(const Actions& actions, std::initializer_list<ActionId> ids, QWidget* parent) {
    auto* choice = new QComboBox(parent);
    for (const auto id : ids) {
        choice->addItem(actions[id]->text().remove('&'), QVariant::fromValue(actions[id]));
        if (actions[id]->isChecked())
            choice->setCurrentIndex(choice->count() - 1);
    }
    QObject::connect(choice, &QComboBox::activated, choice,
                     [choice](int row) { choice->itemData(row).value<QAction*>()->trigger(); });
    return choice;
}

QCheckBox* newMotion(Settings* settings, QWidget* parent) {
    auto* motion = new QCheckBox(PreferencesWords::tr("Allow animations"), parent);
    motion->setChecked(settings->motion());
    QObject::connect(motion, &QCheckBox::toggled, motion, [settings](bool isOn) {
        settings->setMotion(isOn);
        widgets::setMotion(isOn);
    });
    return motion;
}

QCheckBox* newMarks(QAction* action, QWidget* parent) {
    auto* marks = new QCheckBox(PreferencesWords::tr("Mark where a token begins a word"), parent);
    marks->setChecked(action->isChecked());
    QObject::connect(marks, &QCheckBox::toggled, action, &QAction::setChecked);
    return marks;
}

QCheckBox* newKeeps(Settings* settings, QWidget* parent) {
    auto* keeps = new QCheckBox(PreferencesWords::tr("Offer to restore the last session"), parent);
    keeps->setObjectName("keepsLast");
    keeps->setChecked(settings->keepsLast());
    QObject::connect(keeps, &QCheckBox::toggled, parent, [settings](bool on) { settings->setKeepsLast(on); });
    return keeps;
}

QDoubleSpinBox* newLimit(DecodePopups* decoding, QWidget* parent) {
    auto* limit = new QDoubleSpinBox(parent);
    limit->setRange(0, 100);
    limit->setDecimals(0);
    limit->setSuffix(QStringLiteral(" %"));
    limit->setValue(100 * decoding->unsureBelow());
    QObject::connect(limit, &QDoubleSpinBox::valueChanged, decoding,
                     [decoding](double percent) { decoding->setUnsureBelow(percent / 100); });
    return limit;
}

QWidget* newFolder(Settings* settings, QWidget* parent) {
    auto* both = new QWidget(parent);
    auto* folder = new QLineEdit(settings->pictureFolder(), both);
    folder->setAccessibleName(PreferencesWords::tr("Folder of exported files"));
    folder->setPlaceholderText(PreferencesWords::tr("Pictures"));
    auto* choose = new QPushButton(PreferencesWords::tr("Choose..."), both);
    choose->setAutoDefault(false); // Enter in the field chooses nothing
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(folder, 1);
    row->addWidget(choose);
    QObject::connect(folder, &QLineEdit::textChanged, both,
                     [settings](const QString& path) { settings->setPictureFolder(path); });
    QObject::connect(choose, &QPushButton::clicked, folder, [folder] {
        const QString path =
            askFolder({.window = folder, .title = PreferencesWords::tr("Folder of Exported Files")});
        if (!path.isEmpty())
            folder->setText(path);
    });
    return both;
}

} // namespace

void showPreferences(const Actions& actions, DecodePopups* decoding, Settings* settings, QWidget* parent) {
    QDialog dialog(parent);
    dialog.setWindowTitle(PreferencesWords::tr("Preferences"));
    auto* form = new QFormLayout(&dialog);
    using enum ActionId;
    form->addRow(PreferencesWords::tr("&Theme"),
                 newChoice(actions, {ThemeSystem, ThemeLight, ThemeDark}, &dialog));
    form->addRow(PreferencesWords::tr("Text &size"),
                 newChoice(actions, {Text90, Text100, Text115, Text130, Text150}, &dialog));
    form->addRow(PreferencesWords::tr("&Motion"), newMotion(settings, &dialog));
    form->addRow(PreferencesWords::tr("T&okens"), newMarks(actions[ActionId::SpaceMarks], &dialog));
    form->addRow(PreferencesWords::tr("&Start"), newKeeps(settings, &dialog));
    form->addRow(PreferencesWords::tr("&Unsure below"), newLimit(decoding, &dialog));
    form->addRow(PreferencesWords::tr("&Export to"), newFolder(settings, &dialog));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    form->addRow(buttons);
    dialog.resize(480, dialog.sizeHint().height());
    dialog.exec();
}

} // namespace headscope::app
