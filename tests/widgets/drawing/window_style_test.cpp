#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QSpinBox>
#include <QStyleOption>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include "tests/watched_test.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/window_style.h"

using namespace headscope::widgets;

class WindowStyleTest : public QObject {
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
    void fieldsAndButtonsAreSeenOnEveryWindow() {
        WindowStyle style;
        QLineEdit field;
        QPushButton button(QStringLiteral("button"));
        QComboBox list;
        QSpinBox number;
        for (const auto* theme : {&lightTheme(), &darkTheme()})
            for (QWidget* control : std::initializer_list<QWidget*>{&field, &button, &list, &number}) {
                const QPalette palette = paletteOf(*theme);
                control->setStyle(&style);
                control->setPalette(palette);
                control->resize(control->sizeHint());
                const QImage image = control->grab().toImage();
                double most = 1;
                for (int x = 0; x < 3; ++x)
                    most = std::max(most, contrastRatio(image.pixelColor(x, image.height() / 2),
                                                        palette.color(QPalette::Window)));
                QVERIFY2(most >= 3, qPrintable(QString("%1 %2: %3")
                                                   .arg(control->metaObject()->className())
                                                   .arg(theme->dark ? "dark" : "light")
                                                   .arg(most)));
            }
    }

    void aChosenSegmentIsToldFromOthersOnEveryWindow() {
        WindowStyle style;
        for (const auto* theme : {&lightTheme(), &darkTheme()}) {
            QToolButton segment;
            segment.setText(QStringLiteral("segment"));
            segment.setCheckable(true);
            segment.setStyle(&style);
            segment.setPalette(paletteOf(*theme));
            segment.resize(segment.sizeHint());
            const auto ground = [&](bool chosen) {
                segment.setChecked(chosen);
                const QImage image = segment.grab().toImage();
                return image.pixelColor(0, image.height() / 2);
            };
            const QColor without = ground(false), with = ground(true);
            QVERIFY2(
                contrastRatio(with, without) >= 1.5,
                qPrintable(
                    QString("%1: %2").arg(theme->dark ? "dark" : "light").arg(contrastRatio(with, without))));
            QVERIFY(contrastRatio(with, paletteOf(*theme).color(QPalette::Window)) >= 3);
        }
    }

    void thePrimaryButtonIsFilledAndItsTextCanBeRead() {
        WindowStyle style;
        for (const auto* theme : {&lightTheme(), &darkTheme()}) {
            QPushButton button(QStringLiteral("button"));
            setLook(&button, ButtonLook::Primary);
            button.setStyle(&style);
            button.setPalette(paletteOf(*theme));
            button.resize(button.sizeHint());
            const QImage image = button.grab().toImage();
            const QColor ground = image.pixelColor(4, image.height() / 2);
            QCOMPARE(ground, theme->accent);
            double most = 1;
            for (int x = 0; x < image.width(); ++x)
                most = std::max(most, contrastRatio(image.pixelColor(x, image.height() / 2), ground));
            QVERIFY2(most >= 4.5, qPrintable(QString::number(most)));
        }
    }

    void everyControlCanBeHit() {
        WindowStyle style;
        QToolButton quiet, icon;
        quiet.setAutoRaise(true);
        QPushButton button(QStringLiteral("b"));
        QCheckBox box;
        QComboBox list;
        QLineEdit field;
        QSpinBox number;
        for (QWidget* control :
             std::initializer_list<QWidget*>{&quiet, &icon, &button, &list, &field, &number}) {
            control->setStyle(&style);
            const QSize size = control->sizeHint();
            QVERIFY2(size.width() >= 24 && size.height() >= 24, control->metaObject()->className());
        }
        box.setStyle(&style);
        QVERIFY(box.sizeHint().height() >= 24);
    }

    void controlsBesideEachOtherHaveOneHeight() {
        WindowStyle style;
        for (const int pixels : {12, 18, 24}) {
            QPushButton button(QStringLiteral("button"));
            QToolButton segment;
            segment.setText(QStringLiteral("segment"));
            QComboBox list;
            list.addItem(QStringLiteral("list"));
            QLineEdit field;
            QSpinBox number;
            QFont font = button.font();
            font.setPixelSize(pixels);
            for (QWidget* control :
                 std::initializer_list<QWidget*>{&button, &segment, &list, &field, &number}) {
                control->setStyle(&style);
                control->setFont(font);
                QVERIFY2(control->sizeHint().height() == button.sizeHint().height(),
                         qPrintable(QString("%1 at %2: %3, a button %4")
                                        .arg(control->metaObject()->className())
                                        .arg(pixels)
                                        .arg(control->sizeHint().height())
                                        .arg(button.sizeHint().height())));
            }
            // Text does not touch the outline.
            QVERIFY(button.sizeHint().height() >= button.fontMetrics().height() + 12);
        }
    }

    void theFieldOfANumberLeavesItsOutlineAndButtonsFree() {
        WindowStyle style;
        QSpinBox number;
        number.setRange(0, 999);
        number.setValue(999);
        number.setStyle(&style);
        number.resize(number.sizeHint());
        number.grab(); // lays it out
        const QWidget* line = number.findChild<QLineEdit*>();
        QVERIFY(number.rect().adjusted(1, 1, -16, -1).contains(line->geometry()));
        QVERIFY(line->width() >= number.fontMetrics().horizontalAdvance(number.text()) + 4);
        number.setButtonSymbols(QAbstractSpinBox::NoButtons);
        QVERIFY(number.rect().adjusted(1, 1, -1, -1).contains(line->geometry()));
    }

    void iconsGrowWithTheText() {
        WindowStyle style;
        QPushButton button;
        button.setStyle(&style);
        QFont font = button.font();
        int last = 0;
        for (const int pixels : {12, 18, 24}) {
            font.setPixelSize(pixels);
            button.setFont(font);
            QVERIFY(button.iconSize().width() > last);
            last = button.iconSize().width();
            QCOMPARE(last % 4, 0);
        }
    }

    void aChosenTabIsToldFromOthers() {
        WindowStyle style;
        for (const auto* theme : {&lightTheme(), &darkTheme()}) {
            QTabBar tabs;
            tabs.addTab(QStringLiteral("one"));
            tabs.addTab(QStringLiteral("two"));
            tabs.setStyle(&style);
            tabs.setPalette(paletteOf(*theme));
            tabs.resize(tabs.sizeHint());
            const QImage image = tabs.grab().toImage();
            const auto ground = [&](int tab) {
                const QRect rect = tabs.tabRect(tab);
                return image.pixelColor(rect.left() + 6, rect.center().y());
            };
            QCOMPARE(ground(0), theme->accentSoft);
            QCOMPARE(ground(1), theme->background);
        }
    }

    void theLineOfASliderIsSeenOnEveryWindow() {
        WindowStyle style;
        for (const auto* theme : {&lightTheme(), &darkTheme()})
            for (const int value : {0, 100}) {
                QSlider slider(Qt::Horizontal);
                slider.setRange(0, 100);
                slider.setValue(value);
                slider.setStyle(&style);
                slider.setPalette(paletteOf(*theme));
                slider.resize(200, slider.sizeHint().height());
                const QImage image = slider.grab().toImage();
                const QColor line = image.pixelColor(100, image.height() / 2);
                QVERIFY(contrastRatio(line, paletteOf(*theme).color(QPalette::Window)) >= 3);
            }
    }

    void nothingMovesWhereAPersonWantsNoMotion() {
        const WindowStyle style;
        setMotion(false);
        QCOMPARE(style.styleHint(QStyle::SH_Widget_Animation_Duration), 0);
        setMotion(true);
    }

    void boxesAndRadioButtonsAreSeenOnEveryWindow() {
        WindowStyle style;
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

HEADSCOPE_WATCHED_TEST(WindowStyleTest)
#include "window_style_test.moc"
