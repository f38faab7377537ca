#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include "app/choices/picture_options.h"
#include "app/choices/view_options.h"
#include "tests/registered_test.h"
#include "widgets/view_spec.h"

#include <algorithm>

using namespace headscope;

class ViewOptionsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyViewThatIsNamedIsThere() {
        for (const auto& [option, views] : tests::some(app::viewOptions()))
            for (const std::string view : tests::some(views))
                QVERIFY2(std::ranges::any_of(widgets::viewSpecs(),
                                             [&](const auto& known) { return known.key == view; }),
                         option);
    }

    void whatOneViewUsesIsOfNoOther() {
        QVERIFY(app::isUsed("--dimensions", "positions") && !app::isUsed("--dimensions", "heatmap"));
        QVERIFY(app::isUsed("--head", "masks") && !app::isUsed("--head", "branches"));
    }

    /// Every example has a line of its own.
    void theExamplesUseWhatTheyName() {
        QString text;
        QStringList paths{HEADSCOPE_SOURCE "/README.md"};
        for (const QString& name : QDir(HEADSCOPE_SOURCE "/resources/manual").entryList({"*.md"}))
            paths += HEADSCOPE_SOURCE "/resources/manual/" + name;
        for (const QString& path : paths) {
            QFile page(path);
            QVERIFY2(page.open(QIODevice::ReadOnly), qPrintable(path));
            text += QString::fromUtf8(page.readAll());
        }
        static const QRegularExpression option(" (--[a-z-]+)");
        int examples = 0;
        for (const QString& line : text.split('\n')) {
            const auto view = QRegularExpression(" --view ([a-z-]+)").match(line).captured(1).toStdString();
            if (!line.contains("headscope-cli render ") || view.empty())
                continue;
            ++examples;
            for (auto found = option.globalMatch(line); found.hasNext();)
                QVERIFY2(app::isUsed(found.next().captured(1).toStdString(), view), qPrintable(line));
        }
        QVERIFY(examples > 5);
    }
};

HEADSCOPE_TEST(ViewOptionsTest)
#include "view_options_test.moc"
