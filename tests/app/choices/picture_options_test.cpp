#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include "app/choices/picture_options.h"
#include "tests/registered_test.h"
#include "widgets/view_spec.h"

#include <algorithm>

using namespace headscope;

class PictureOptionsTest : public QObject {
    Q_OBJECT

    static bool isUsed(const std::string& option, const std::string& view) {
        const auto views = app::viewsThatUse(option);
        return !views || std::ranges::find(*views, view) != views->end();
    }

  private Q_SLOTS:
    void whatOneViewUsesIsOfNoOther() {
        QVERIFY(isUsed("--dimensions", "positions") && !isUsed("--dimensions", "heatmap"));
        QVERIFY(isUsed("--head", "masks") && !isUsed("--head", "branches"));
        QVERIFY(!app::viewsThatUse("--width")); // all do
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
                QVERIFY2(isUsed(found.next().captured(1).toStdString(), view), qPrintable(line));
        }
        QVERIFY(examples > 5);
    }
};

HEADSCOPE_TEST(PictureOptionsTest)
#include "picture_options_test.moc"
