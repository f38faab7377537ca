#include <QAction>
#include <QFile>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTest>

#include "app/desktop/actions.h"
#include "tests/watched_test.h"

#include <algorithm>

using headscope::app::Actions;

class ActionsTest : public QObject {
    Q_OBJECT

    QMainWindow window_;
    Actions actions_{&window_};

    static QStringList linesOf(const QString& path) {
        QFile file(QStringLiteral(HEADSCOPE_SOURCE "/") + path);
        return file.open(QIODevice::ReadOnly)
                   ? QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts)
                   : QStringList();
    }
    static QString nameOf(const QAction* action) { return action->text().remove('&').remove("..."); }
    static QString keysOf(const QAction* action) { return action->shortcut().toString(); }
    /// Those with this name now or before; a workspace and an action may share one.
    std::vector<QAction*> named(const QString& name) const {
        std::vector<QAction*> found;
        std::ranges::copy_if(actions_.all(), std::back_inserter(found), [&](const auto* each) {
            return nameOf(each) == name ||
                   each->property(headscope::app::formerProperty).toStringList().contains(name);
        });
        return found;
    }

  private Q_SLOTS:
    /// Each is there under its name or knows this as an earlier one, or says why it is gone; the same of
    /// keys.
    void noActionOfThePreviousVersionIsLost() {
        const QStringList lines = linesOf("tests/app/desktop/former_actions.txt");
        QVERIFY(lines.size() > 100);
        for (const QString& line : lines) {
            if (line.startsWith('#'))
                continue;
            const QStringList parts = line.split('\t');
            const auto actions = named(parts[0]);
            const bool isReplaced = parts.size() > 2;
            QVERIFY2(!actions.empty() || isReplaced, qPrintable(parts[0]));
            for (const auto& keys : QKeySequence::listFromString(parts[1])) {
                const auto known = actions_.former().find(keys);
                const bool isFormer = known != actions_.former().end();
                const auto has = [&](QAction* action) {
                    return keys.isEmpty() || action->shortcuts().contains(keys) ||
                           (isFormer && known->second == action);
                };
                QVERIFY2(std::ranges::any_of(actions, has) || (isReplaced && isFormer), qPrintable(line));
            }
        }
    }

    void noKeyBelongsToTwoActions() {
        std::map<QKeySequence, QString> taken;
        for (const auto* action : actions_.all())
            for (const auto& keys : action->shortcuts()) {
                QVERIFY2(!taken.contains(keys), qPrintable(taken[keys] + ", " + nameOf(action)));
                taken[keys] = nameOf(action);
            }
    }

    /// Rows of three cells: the key before, the key now, the action.
    void theManualNamesEveryKeyThatDoesSomethingElseNow() {
        static const QRegularExpression row(
            QStringLiteral("^\\| (\\S+) \\| (\\S*) ?\\| \\*\\*(.+)\\*\\* \\|$"));
        std::map<QString, QStringList> inManual;
        const QStringList lines = linesOf("resources/manual/keys.md");
        for (const QString& line : lines.mid(lines.indexOf("## Keys of the previous version")))
            if (const auto cells = row.match(line); cells.hasMatch())
                inManual[cells.captured(1)] = {cells.captured(2), cells.captured(3)};
        std::map<QString, QStringList> inProgram;
        for (const auto& [keys, action] : actions_.former())
            inProgram[keys.toString()] = {keysOf(action), nameOf(action)};
        for (const auto& [keys, now] : inProgram)
            QVERIFY2(inManual[keys] == now, qPrintable(keys + ": " + now.join(' ')));
        QCOMPARE(inManual.size(), inProgram.size());
    }

    /// Of actions with keys in the tables of the manual.
    void theManualNamesTheKeysOfEveryAction() {
        const QString manual = linesOf("resources/manual/keys.md").join('\n');
        for (const auto* action : actions_.all()) {
            if (keysOf(action).isEmpty() || action->isCheckable()) // the latter stand together
                continue;
            const QRegularExpression row("\\| [^|\n]*\\*\\*" + QRegularExpression::escape(nameOf(action)) +
                                         "\\*\\*[^|\n]*\\| [^|\n]*" +
                                         QRegularExpression::escape(keysOf(action)));
            QVERIFY2(row.match(manual).hasMatch(), qPrintable(nameOf(action) + ' ' + keysOf(action)));
        }
    }

    void menusAreThoseOfEveryWindowAndEachActionIsInOne() {
        auto* bar = new QMenuBar(&window_);
        QMenu models("&Models");
        actions_.fill(bar, &models);
        QStringList titles;
        for (const auto* menu : bar->actions())
            titles += menu->text().remove('&');
        QCOMPARE(titles, QStringList({"File", "Edit", "View", "Run", "Analyse", "Window", "Help"}));
        QSet<const QAction*> inMenus;
        for (const auto* menu : bar->findChildren<QMenu*>())
            for (const auto* action : menu->actions())
                inMenus.insert(action);
        for (const auto* action : actions_.all())
            QVERIFY2(inMenus.contains(action), qPrintable(nameOf(action)));
    }
};

HEADSCOPE_WATCHED_TEST(ActionsTest)
#include "actions_test.moc"
