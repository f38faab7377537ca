#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QTest>

#include "tests/watched_test.h"
#include "widgets/drawing/icons.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/places.h"

using namespace headscope;
using widgets::icon;

class IconsTest : public QObject {
    Q_OBJECT

    static QImage drawn(const QIcon& icon, int side, QIcon::Mode mode = QIcon::Normal) {
        return icon.pixmap(QSize(side, side), mode).toImage();
    }
    /// The colour where most of a pixel is painted.
    static QColor inkOf(const QImage& image) {
        QColor most(0, 0, 0, 0);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y).alpha() > most.alpha())
                    most = image.pixelColor(x, y);
        return most;
    }

  private Q_SLOTS:
    void everyIconIsDrawnAtEverySize_data() {
        QTest::addColumn<QString>("name");
#define ICON(name, elements) QTest::newRow(name) << QString(name);
#include "widgets/drawing/icons.def"
#undef ICON
    }
    void everyIconIsDrawnAtEverySize() {
        QFETCH(QString, name);
        const QIcon drawing = icon(name.toStdString());
        for (const int side : {16, 20, 32, 64}) {
            const QImage image = drawn(drawing, side);
            QCOMPARE(image.size(), QSize(side, side));
            QVERIFY2(inkOf(image).alpha() > 200, qPrintable(QString::number(side)));
        }
    }

    void everyWorkspaceHasOne() {
        QVERIFY(!widgets::workspaces().empty());
        for (const auto& workspace : widgets::workspaces())
            QVERIFY2(!icon(workspace.key).isNull(), workspace.key.c_str());
        QVERIFY(icon("no such icon").isNull());
    }

    void itsColourIsThatOfTextInBothThemes() {
        const QPalette before = QApplication::palette();
        const QIcon one = icon("stop");
        for (const auto* theme : {&widgets::lightTheme(), &widgets::darkTheme()}) {
            QApplication::setPalette(widgets::paletteOf(*theme));
            const QColor text = QApplication::palette().color(QPalette::ButtonText);
            const QColor faint = QApplication::palette().color(QPalette::Disabled, QPalette::ButtonText);
            QCOMPARE(inkOf(drawn(one, 64)).rgb(), text.rgb());
            QCOMPARE(inkOf(drawn(one, 64, QIcon::Disabled)).rgb(), faint.rgb());
        }
        QApplication::setPalette(before);
    }
};

HEADSCOPE_WATCHED_TEST(IconsTest)
#include "icons_test.moc"
