#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QTest>

#include "app/export/figure_dialog.h"
#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/map/heatmap_view.h"

using namespace headscope;
using namespace headscope::widgets;
using app::FigureDialog;

class FigureDialogTest : public QObject {
    Q_OBJECT

    widgets::Selection selection_;
    std::unique_ptr<widgets::HeatmapView> view_;
    std::unique_ptr<FigureDialog> dialog_;

    /// With large letters, where points are given.
    void open(int points = 0) {
        QFont font = QApplication::font();
        if (points > 0)
            font.setPointSize(points);
        QApplication::setFont(font);
        view_ = std::make_unique<widgets::HeatmapView>(&selection_);
        view_->setRun(example::run());
        dialog_ =
            std::make_unique<FigureDialog>(view_.get(), app::AnimationFrames{.count = 11}, QVariantMap(),
                                           QDir::home().filePath("heatmap.png"), nullptr);
        dialog_->setAttribute(Qt::WA_DeleteOnClose, false);
        dialog_->show();
        QVERIFY(QTest::qWaitForWindowExposed(dialog_.get()));
    }

    /// Whatever is to be read or used, in the dialog's pixels.
    std::vector<std::pair<QWidget*, QRect>> controls() const {
        std::vector<std::pair<QWidget*, QRect>> all;
        for (auto* widget : dialog_->findChildren<QWidget*>()) {
            const bool isControl = qobject_cast<QAbstractButton*>(widget) ||
                                   qobject_cast<QComboBox*>(widget) ||
                                   qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QLabel*>(widget) ||
                                   qobject_cast<QLineEdit*>(widget);
            const bool isPart = qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) ||
                                qobject_cast<QComboBox*>(widget->parentWidget());
            const bool isPicture = widget->accessibleName() == "Preview of the picture"; // of any size
            if (isControl && !isPart && !isPicture && widget->isVisible())
                all.emplace_back(widget, QRect(widget->mapTo(dialog_.get(), QPoint()), widget->size()));
        }
        return all;
    }

    QString says() const {
        QStringList words;
        for (const auto* label : dialog_->findChildren<QLabel*>())
            words += label->text();
        return words.join('\n');
    }

  private Q_SLOTS:
    void init() { selection_.setHead(example::aligningHead); }
    void cleanup() {
        dialog_.reset();
        view_.reset();
    }

    void nothingIsCutAndNothingLiesOnAnything_data() {
        QTest::addColumn<int>("points");
        QTest::addColumn<int>("format");
        for (const int points : {9, 16, 24})
            for (const int format : {0, 4})
                QTest::addRow("%d points, format %d", points, format) << points << format;
    }

    void nothingIsCutAndNothingLiesOnAnything() {
        QFETCH(int, points);
        QFETCH(int, format);
        const QFont usual = QApplication::font();
        open(points);
        auto* formats = dialog_->findChild<QComboBox*>("format");
        while (formats->currentIndex() != format)
            QTest::keyClick(formats, Qt::Key_Down);
        dialog_->setThere(dialog_->path(), FigureDialog::There::File);
        dialog_->showRefusal(
            "The file cannot be written. Where: /a/folder/with/quite/a/long/path/that/goes/on/"
            "and/on.png. Expected: a folder that is there. Found: none. What to do: choose "
            "another one, or make it.");
        QTest::qWait(50);
        const auto all = controls();
        QVERIFY(all.size() > 20);
        const auto* scrolled = dialog_->findChild<QScrollArea*>();
        const QRect area(scrolled->mapTo(dialog_.get(), QPoint()), scrolled->size());
        const auto seen = [&](const QWidget* widget, const QRect& place) {
            return scrolled->isAncestorOf(widget) ? place.intersected(area) : place;
        };
        for (const auto& [widget, place] : all) {
            const auto* label = qobject_cast<QLabel*>(widget);
            const QSize least = widget->minimumSizeHint();
            const int high =
                label && label->wordWrap() ? label->heightForWidth(place.width()) : least.height();
            const QByteArray what = QByteArray(widget->metaObject()->className()) + " " +
                                    widget->accessibleName().toUtf8() + " " +
                                    (label ? label->text().toUtf8() : QByteArray());
            QVERIFY2(place.height() >= high, what);
            QVERIFY2((label && label->wordWrap()) || place.width() >= least.width(), what);
            for (const auto& [other, there] : all)
                QVERIFY2(other == widget || !seen(other, there).intersects(seen(widget, place)), what);
            QVERIFY2(scrolled->isAncestorOf(widget) ? place.right() <= area.right()
                                                    : dialog_->rect().contains(place),
                     what);
        }
        QApplication::setFont(usual);
    }

    /// A preset that names no height has as much as letters that can be read need, with the line below or
    /// without.
    void aPaperColumnIsAsHighAsItsLettersNeed() {
        open();
        dialog_->setFacts({.weights = "sha256:00", .software = {}, .command = {}});
        auto* presets = dialog_->findChild<QComboBox*>("preset");
        QTest::keyClick(presets, Qt::Key_Down);
        QVERIFY(presets->currentText().contains("85 mm"));
        const int high = dialog_->options().size.height();
        QCOMPARE(dialog_->options().size, QSize(321, figureHeight(dialog_->options(), *view_)));
        QVERIFY(high > 321 * view_->figureSize().height() / view_->figureSize().width());
        QCOMPARE(dialog_->options().fontSize, 7.0);
        QVERIFY(7 * figureScale(dialog_->options(), *view_) > 6.99);
        QVERIFY2(says().contains("ext of 7.0 points"), qPrintable(says()));
        auto* caption = dialog_->findChild<QCheckBox*>("caption");
        QTest::keyClick(caption, Qt::Key_Space);
        QVERIFY(caption->isChecked() && dialog_->options().size.height() > high);
        QVERIFY2(says().contains("ext of 7.0 points"), qPrintable(says()));
        QTest::keyClick(caption, Qt::Key_Space);
        QCOMPARE(dialog_->options().size.height(), high);
    }

    /// The text is as large as asked, and what was asked is remembered; a size that was not follows the view.
    void theSizeOfTextIsChosen() {
        open();
        auto* presets = dialog_->findChild<QComboBox*>("preset");
        auto* points = dialog_->findChild<QDoubleSpinBox*>("points");
        const double usual = view_->font().pointSizeF();
        QCOMPARE(points->value(), usual);
        QCOMPARE(dialog_->choices().value("points"), QVariant(0));
        points->setValue(2 * usual);
        QCOMPARE(dialog_->options().fontSize, 2 * usual);
        QCOMPARE(view_->font().pointSizeF(), usual);
        QVERIFY2(says().contains(QString("Text of %1 points").arg(2 * usual, 0, 'f', 1)), qPrintable(says()));
        const FigureDialog again(view_.get(), app::AnimationFrames{}, dialog_->choices(), {}, nullptr);
        QCOMPARE(again.options().fontSize, 2 * usual);
        QVERIFY(again.options().size == dialog_->options().size);
        QTest::keyClick(presets, Qt::Key_Down); // a column
        QCOMPARE(points->value(), 7.0);
        points->setValue(6);
        QVERIFY(presets->currentText().contains("85 mm") && dialog_->options().size.width() == 321);
        QCOMPARE(dialog_->options().fontSize, 6.0);
        QTest::keyClick(presets, Qt::Key_End);
        QTest::keyClick(presets, Qt::Key_Up); // a poster, which the text fills
        QVERIFY(!points->isEnabled() && points->value() > 2 * usual);
        QCOMPARE(points->value(), dialog_->options().fontSize);
        QTest::keyClick(dialog_->findChild<QCheckBox*>("enlarged"), Qt::Key_Space);
        QVERIFY(points->isEnabled());
        QCOMPARE(points->value(), usual);
    }

    /// The text of a paper says what notes and marks say elsewhere; a person may want them all the same.
    void thePresetsOfAPaperLeaveNotesAndMarksOut() {
        open();
        auto* presets = dialog_->findChild<QComboBox*>("preset");
        const auto parts = [this] { return dialog_->options().parts; };
        const FigureParts all, ofPaper{.notes = false, .marks = false};
        QCOMPARE(parts(), all);
        const QSize whole = dialog_->options().size;
        for (const char* name : {"Paper column", "Paper page"}) {
            QTest::keyClick(presets, Qt::Key_Down);
            QVERIFY(presets->currentText().startsWith(name));
            QCOMPARE(parts(), ofPaper);
        }
        auto* notes = dialog_->findChild<QCheckBox*>("figureNotes");
        QTest::keyClick(notes, Qt::Key_Space);
        QVERIFY(parts().notes && !parts().marks);
        QTest::keyClick(presets, Qt::Key_End); // a size of one's own changes nothing of that
        QVERIFY(parts().notes && !parts().marks);
        QTest::keyClick(presets, Qt::Key_Up); // a poster
        QCOMPARE(parts(), all);
        QTest::keyClick(presets, Qt::Key_Home);
        QCOMPARE(dialog_->options().size, whole);
        QTest::keyClick(dialog_->findChild<QCheckBox*>("figureCaption"), Qt::Key_Space);
        QVERIFY(!parts().caption && dialog_->options().size.height() < whole.height());
        QTest::keyClick(dialog_->findChild<QCheckBox*>("figureMarks"), Qt::Key_Space);
        const auto choices = dialog_->choices();
        QCOMPARE(choices.value("caption"), QVariant(false)); // the line that says where it comes from
        const FigureDialog again(view_.get(), app::AnimationFrames{}, choices, {}, nullptr);
        QCOMPARE(again.options().parts, parts());
        QVERIFY(again.options().size == dialog_->options().size);
    }

    /// As they are named, and the other unit stays one choice away.
    void aPresetIsSizedInItsOwnUnit() {
        open();
        dialog_->setFacts({.weights = "sha256:00", .software = {}, .command = {}});
        auto* presets = dialog_->findChild<QComboBox*>("preset");
        auto* unit = dialog_->findChild<QComboBox*>("unit");
        const auto* width = dialog_->findChild<QDoubleSpinBox*>("width");
        QTest::keyClick(presets, Qt::Key_Down);
        QCOMPARE(unit->currentText(), "millimetres");
        QCOMPARE(width->value(), 85.0);
        QVERIFY2(says().contains("2006 x"), qPrintable(says())); // pixels of the PNG
        const auto* dots = dialog_->findChild<QSpinBox*>("dpi");
        QCOMPARE(dots->value(), 600);
        QTest::keyClick(presets, Qt::Key_Up); // as the view suggests
        QVERIFY(unit->currentText().startsWith("pixels"));
        QCOMPARE(dots->value(), 192);
        QTest::keyClick(presets, Qt::Key_Down);
        QTest::keyClick(unit, Qt::Key_Up);
        QCOMPARE(presets->currentIndex(), 1);
        QCOMPARE(width->value(), 321.0);
        QTest::keyClick(presets, Qt::Key_End);
        QTest::keyClick(presets, Qt::Key_Up);
        QVERIFY(presets->currentText().startsWith("Poster"));
        QCOMPARE(width->value(), 841.0);
        QVERIFY(dialog_->options().fontSize > 2 * dialog_->font().pointSizeF()); // it is read from afar
        QVERIFY2(says().contains("Text of "), qPrintable(says()));
        QTest::keyClick(presets, Qt::Key_Up);
        QVERIFY(presets->currentText().startsWith("Slide"));
        QCOMPARE(width->value(), 960.0);
        auto* enlarged = dialog_->findChild<QCheckBox*>("enlarged");
        QVERIFY(enlarged->isChecked());
        enlarged->setChecked(false);
        QCOMPARE(dialog_->options().fontSize, view_->font().pointSizeF());
        QTest::keyClick(presets, Qt::Key_Home);
        QVERIFY(!enlarged->isEnabled() && dialog_->options().fontSize == view_->font().pointSizeF());
    }

    void aAnimationSaysThatItsLastFrameIsShownLonger() {
        open();
        auto* format = dialog_->findChild<QComboBox*>("format");
        while (format->currentText() != "Animated PNG: the decoding")
            QTest::keyClick(format, Qt::Key_Down);
        QVERIFY2(says().contains("11 frames") && says().contains("three times as long"), qPrintable(says()));
    }

    /// In either unit, and a length stays what it is in the other.
    void noSideIsSmallerThanCanBeRead() {
        open();
        auto* unit = dialog_->findChild<QComboBox*>("unit");
        for (const char* name : {"width", "height"}) {
            auto* side = dialog_->findChild<QDoubleSpinBox*>(name);
            QCOMPARE(side->minimum(), double(leastSide));
            side->setValue(2);
            QCOMPARE(side->value(), double(leastSide));
            side->setValue(321);
        }
        QTest::keyClick(unit, Qt::Key_Down);
        QCOMPARE(dialog_->findChild<QDoubleSpinBox*>("width")->minimum(), 6.4);
        QCOMPARE(dialog_->options().size, QSize(321, 321));
        QTest::keyClick(unit, Qt::Key_Up);
        QCOMPARE(dialog_->options().size, QSize(321, 321));
    }

    void whatLiesAtThePathIsSaidOnceItIsKnown() {
        open();
        QVERIFY(!says().contains("will be replaced"));
        dialog_->setThere("/of/another/path.png", FigureDialog::There::File);
        QVERIFY(!says().contains("will be replaced"));
        dialog_->setThere(dialog_->path(), FigureDialog::There::File);
        QVERIFY(says().contains("This file exists and will be replaced."));
        dialog_->findChild<QLineEdit*>("path")->setText("/elsewhere.png");
        QVERIFY(!says().contains("will be replaced"));
        dialog_->setThere("/elsewhere.png", FigureDialog::There::Folder);
        QVERIFY(says().contains("A folder has this name"));
    }

    /// A folder is looked at first, and what would be replaced in it is said.
    void numberedPicturesAreReplacedOnlyOnceThatIsKnown() {
        open();
        auto* formats = dialog_->findChild<QComboBox*>("format");
        while (!dialog_->isNumbered())
            QTest::keyClick(formats, Qt::Key_Down);
        int saved = 0;
        connect(dialog_.get(), &FigureDialog::saveWanted, this, [&] { ++saved; });
        auto* path = dialog_->findChild<QLineEdit*>("path");
        const auto known = [&](const QStringList& replaced) {
            dialog_->setThere(dialog_->path(), FigureDialog::There::Folder, replaced);
        };
        path->setText("/elsewhere/frames");
        QTest::keyClick(path, Qt::Key_Return);
        QCOMPARE(saved, 0);
        known({"0001.png", "0002.png", "0004.png"});
        QVERIFY2(saved == 0 && !dialog_->isSaving() &&
                     says().contains("3 of these pictures, 0001.png to 0004.png; they will be replaced"),
                 qPrintable(says()));
        QTest::keyClick(path, Qt::Key_Return); // now it is known
        QCOMPARE(saved, 1);
        dialog_->setSaving(false);
        path->setText("/elsewhere/other");
        QTest::keyClick(path, Qt::Key_Return);
        known({});
        QCOMPARE(saved, 2); // none of its files is replaced
    }

    void aNameOfAnotherFormatIsRefused() {
        open();
        int saved = 0;
        connect(dialog_.get(), &FigureDialog::saveWanted, this, [&] { ++saved; });
        dialog_->setFacts({.weights = "sha256:00", .software = {}, .command = {}});
        auto* path = dialog_->findChild<QLineEdit*>("path");
        path->setText("/elsewhere/a.gif");
        QTest::keyClick(path, Qt::Key_Return);
        QCOMPARE(saved, 0);
        QVERIFY2(says().contains(".png, .svg, .pdf or .html, not .gif"), qPrintable(says()));
        const auto* copy = dialog_->findChild<QAbstractButton*>("copy");
        QVERIFY(!copy->isEnabled() && copy->toolTip().contains(".gif"));
        path->setText("/elsewhere/cross.1.5"); // no ending
        QVERIFY(!says().contains(".gif"));
        QVERIFY(copy->isEnabled());
        QCOMPARE(dialog_->completePath(), QString("/elsewhere/cross.1.5.png"));
        QTest::keyClick(path, Qt::Key_Return);
        QCOMPARE(dialog_->path(), QString("/elsewhere/cross.1.5.png"));
        dialog_->setThere(dialog_->path(), FigureDialog::There::Nothing);
        QCOMPARE(saved, 1);
    }

    void withoutACommandThereIsNothingToCopy() {
        open();
        auto* copy = dialog_->findChild<QAbstractButton*>("copy");
        int wanted = 0;
        connect(dialog_.get(), &FigureDialog::commandWanted, this, [&] { ++wanted; });
        copy->click();
        dialog_->setWhyNoCommand("It is still being decoded.");
        copy->click();
        QCOMPARE(wanted, 1);
        QVERIFY(!copy->isEnabled());
        QCOMPARE(copy->toolTip(), QString("It is still being decoded."));
        dialog_->setWhyNoCommand({});
        QVERIFY(copy->isEnabled());
        dialog_->findChild<QLineEdit*>("path")->clear();
        QVERIFY(!copy->isEnabled() && !copy->toolTip().isEmpty());
    }

    /// An animation whose name gets its ending is saved once nothing is known to lie there, and else not
    /// without the person's knowing.
    void aCompletedNameIsLookedAtBeforeItIsSaved() {
        open();
        auto* formats = dialog_->findChild<QComboBox*>("format");
        while (!dialog_->isAnimated())
            QTest::keyClick(formats, Qt::Key_Down);
        int saved = 0;
        connect(dialog_.get(), &FigureDialog::saveWanted, this, [&] { ++saved; });
        auto* path = dialog_->findChild<QLineEdit*>("path");
        path->setText("/elsewhere/film");
        QTest::keyClick(path, Qt::Key_Return);
        QCOMPARE(dialog_->path(), QString("/elsewhere/film.png"));
        QCOMPARE(saved, 0);
        dialog_->setThere(dialog_->path(), FigureDialog::There::File);
        QCOMPARE(saved, 0);
        QVERIFY(!dialog_->isSaving());
        QTest::keyClick(path, Qt::Key_Return); // now it is known
        QCOMPARE(saved, 1);
    }
};

HEADSCOPE_WATCHED_TEST(FigureDialogTest)
#include "figure_dialog_test.moc"
