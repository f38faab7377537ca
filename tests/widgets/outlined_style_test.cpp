#include <QCheckBox>
#include <QRadioButton>
#include <QStyleOption>
#include <QTest>

#include "tests/watched_test.h"
#include "widgets/outlined_style.h"
#include "widgets/theme.h"

#include <memory>

using namespace headscope::widgets;

class OutlinedStyleTest : public QObject {
    Q_OBJECT

    /// The strongest contrast with the window on a line through the middle of the outline's left side.
    static double contrastOfOutline(QStyle& style, QWidget& button, QStyle::SubElement indicator,
                                    const QPalette& palette) {
        button.setStyle(&style);
        button.setPalette(palette);
        button.setAutoFillBackground(true);
        button.resize(button.sizeHint());
        QStyleOptionButton option;
        option.initFrom(&button);
        const QRect there = style.subElementRect(indicator, &option, &button);
        const QImage image = button.grab().toImage();
        double most = 1;
        for (int x = there.left(); x <= there.left() + 2; ++x)
            most = std::max(most, contrastRatio(image.pixelColor(x, there.center().y()),
                                                palette.color(QPalette::Window)));
        return most;
    }

  private Q_SLOTS:
    void boxesAndRadioButtonsAreSeenOnEveryWindow() {
        OutlinedStyle style;
        for (const auto* theme : {&lightTheme(), &darkTheme()})
            for (const bool checked : {false, true}) {
                QCheckBox box(QStringLiteral("box"));
                box.setChecked(checked);
                QRadioButton radio(QStringLiteral("radio"));
                radio.setChecked(checked);
                for (auto [button, part] :
                     {std::pair<QWidget*, QStyle::SubElement>(&box, QStyle::SE_CheckBoxIndicator),
                      std::pair<QWidget*, QStyle::SubElement>(&radio, QStyle::SE_RadioButtonIndicator)}) {
                    const double contrast = contrastOfOutline(style, *button, part, paletteOf(*theme));
                    QVERIFY2(contrast >= 3, qPrintable(QString("%1 %2: %3")
                                                           .arg(button->metaObject()->className())
                                                           .arg(theme->dark ? "dark" : "light")
                                                           .arg(contrast)));
                }
            }
    }
};

HEADSCOPE_WATCHED_TEST(OutlinedStyleTest)
#include "outlined_style_test.moc"
