#include <QDragEnterEvent>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMimeData>
#include <QScrollArea>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/window/home/home_page.h"
#include "app/window/home/model_card.h"
#include "app/window/home/recent_row.h"
#include "model/trace/run.h"
#include "tests/watched_test.h"

#include <algorithm>

using namespace headscope;
using app::HomePage;
using app::ModelCard;
using app::RecentRow;

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class HomePageTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QWidget> window_;
    std::unique_ptr<app::Actions> actions_;
    app::Settings settings_;
    HomePage* page_ = nullptr;

    void show(QSize size) {
        window_ = std::make_unique<QWidget>();
        actions_ = std::make_unique<app::Actions>(window_.get());
        page_ = new HomePage(settings_, *actions_, window_.get());
        page_->resize(size);
        window_->resize(size);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QTest::qWait(20);
    }
    static QJsonArray introduced() {
        const auto path = app::bundledModel("models.json").string();
        return QJsonDocument::fromJson(contentOf(QString::fromStdString(path))).array();
    }

  private Q_SLOTS:
    void init() { QSettings().clear(); }
    void cleanup() {
        actions_.reset();
        window_.reset();
    }

    void everyBundledModelIsIntroduced() {
        const auto models = app::introducedModels();
        QCOMPARE(models.size(), app::bundledModels().size());
        QCOMPARE(models.front().name, app::bundledModels().front());
        for (const auto& model : models) {
            QVERIFY2(!model.says.empty() && exists(model.thumbnail), model.name.c_str());
            QVERIFY2(exists(app::bundledModel(model.opens) / "config.json"), model.opens.c_str());
        }
        QCOMPARE(app::openingOf("tatoeba-en-de-learning"), std::string("tatoeba-en-de-learning/step-0"));
        for (const char* other : {"tatoeba-en-de", "/some/model"})
            QCOMPARE(app::openingOf(other), std::string(other));
    }

    void theScoresAreThoseOfTheModelsOwnPages() {
        for (const char* fact : {"tatoeba-en-de 44.51", "tatoeba-en-fr 51.17", "tatoeba-en 16.0",
                                 "imdb-classifier 85.12", "tatoeba-en-de-learning 24.18"}) {
            const auto parts = QString(fact).split(' ');
            const auto page = app::bundledModel(parts[0].toStdString()) / "README.md";
            QVERIFY2(contentOf(QString::fromStdString(page.string())).contains(parts[1].toUtf8()), fact);
            const auto models = app::introducedModels();
            const auto model = std::ranges::find(models, parts[0].toStdString(), &app::BundledModel::name);
            const QString rounded = QString::number(parts[1].toDouble(), 'f', 1);
            QVERIFY2(QString::fromStdString(model->score).contains(rounded), fact);
        }
    }

    void theThumbnailsAreWhatTheModelsCompute_data() {
        QTest::addColumn<QJsonObject>("model");
        for (const auto& each : introduced())
            QTest::addRow("%s", qPrintable(each.toObject()["model"].toString())) << each.toObject();
    }
    void theThumbnailsAreWhatTheModelsCompute() {
        QFETCH(const QJsonObject, model);
        const auto folder = app::bundledModel(model["model"].toString().toStdString());
        const auto engine = app::loadEngine({.familyFolders = app::familyFolders(), .samples = {}});
        const auto summary =
            engine->open({.path = (folder / model["pictured"].toString().toStdString()).string()}, {});
        trace::Request request{.source = summary->samples.empty() ? app::sampleSentences().front()
                                                                  : summary->samples.front()};
        request.paths = {{.newTokens = summary->newTokens}};
        if (summary->opensWithoutMask)
            request.interventions = {{trace::LiftMask()}};
        const auto run = engine->of(request, trace::RunWhat());
        const auto head = trace::parseHeadAddress(model["head"].toString().toStdString());
        QVERIFY(head && run->recordOf(*head));
        const auto& weights = run->recordOf(*head)->weights;
        const QImage image(QString::fromStdString((folder / "thumbnail.png").string()));
        QCOMPARE(image.format(), QImage::Format_Grayscale8);
        QCOMPARE(image.size(), QSize(int(weights.columns()), int(weights.rows())));
        double largest = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                largest = std::max<double>(largest, weights(head->head, y, x));
        QVERIFY(largest > 0);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                QVERIFY(std::abs(255 * weights(head->head, y, x) / largest - qGray(image.pixel(x, y))) <
                        0.51);
    }

    void everyCardSaysWhatItIs() {
        show({1380, 800});
        const auto cards = page_->findChildren<ModelCard*>();
        QCOMPARE(cards.size(), app::bundledModels().size());
        for (const auto* card : cards) {
            QVERIFY(!card->accessibleName().isEmpty() && !card->accessibleDescription().isEmpty());
            QVERIFY(card->focusPolicy() & Qt::TabFocus);
            QVERIFY(!card->map().isNull());
            QVERIFY(card->rect().contains(card->mapRect()));
        }
    }

    void nothingIsCut_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("text");
        QTest::newRow("wide") << QSize(1380, 800) << 1.0;
        QTest::newRow("narrow") << QSize(750, 420) << 1.0;
        QTest::newRow("large text") << QSize(1380, 800) << 1.5;
    }
    void nothingIsCut() {
        QFETCH(const QSize, size);
        QFETCH(const double, text);
        settings_.addRecentModel("/a/model");
        const QFont usual = QApplication::font();
        QFont font = usual;
        font.setPointSizeF(text * usual.pointSizeF());
        QApplication::setFont(font);
        show(size);
        QApplication::setFont(usual);
        const auto* area = page_->findChild<QScrollArea*>();
        for (const auto* card : page_->findChildren<QPushButton*>()) {
            const QPoint right = card->mapTo(page_, card->rect().topRight());
            QVERIFY2(right.x() < area->viewport()->width(), qPrintable(card->objectName()));
        }
        for (const auto* label : page_->findChildren<QLabel*>()) {
            if (!label->isVisible())
                continue;
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
            QVERIFY2(label->parentWidget()->rect().contains(label->geometry()), qPrintable(label->text()));
        }
        for (const auto* card : page_->findChildren<ModelCard*>())
            for (const auto* other : page_->findChildren<ModelCard*>())
                QVERIFY(card == other || card->parent() != other->parent() ||
                        !card->geometry().intersects(other->geometry()));
    }

    void enterOpensTheCardWithTheKeys() {
        show({1380, 800});
        QSignalSpy chosen(page_, &HomePage::chosen);
        auto* card = page_->findChild<ModelCard*>("tatoeba-en-de-learning");
        card->setFocus();
        QTest::keyClick(card, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.front().front().toString(), QString("tatoeba-en-de-learning/step-0"));
    }

    void theWholePageTakesADroppedFile() {
        show({1380, 800});
        QSignalSpy chosen(page_, &HomePage::chosen);
        const auto words = [this] {
            for (const auto* label : page_->findChildren<QLabel*>(Qt::FindDirectChildrenOnly))
                if (label->isVisible() && label->text().contains("Drop"))
                    return label->size();
            return QSize();
        };
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile("/a/model")});
        const auto enter = [&] {
            QDragEnterEvent event({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, {});
            QApplication::sendEvent(page_, &event);
            return event.isAccepted();
        };
        QVERIFY(enter());
        QVERIFY(words().width() > 0.9 * page_->width() && words().height() > 0.9 * page_->height());
        QDragLeaveEvent leave;
        QApplication::sendEvent(page_, &leave);
        QVERIFY(words().isEmpty());
        QVERIFY(enter());
        QDropEvent drop({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(page_, &drop);
        QVERIFY(words().isEmpty());
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.front().front().toString(), QString("/a/model"));
    }

    void recentFilesSayWhatTheyAreAndWhen() {
        const QTemporaryDir folder;
        const auto now = QDateTime::currentDateTime();
        settings_.addRecentModel(folder.path());
        settings_.setOpened(folder.path(), {.about = "Marian, 6 + 6 layers", .when = now.addDays(-1)});
        settings_.addRecentModel("/gone/run.safetensors");
        settings_.setOpened("/gone/run.safetensors", {.isRecording = true, .when = now.addDays(-400)});
        settings_.addRecentSession("/gone/mine.headscope");
        settings_.setOpened("/gone/mine.headscope", {.about = "tatoeba-en-de", .when = now});
        show({1380, 800});
        const auto rows = page_->findChildren<RecentRow*>();
        QCOMPARE(rows.size(), 3);
        QCOMPARE(rows[0]->accessibleName(), QString("mine.headscope")); // the newest first
        QVERIFY(rows[0]->accessibleDescription().contains("Session: tatoeba-en-de"));
        QVERIFY(!rows[0]->isEnabled() && rows[1]->isEnabled());
        QVERIFY(rows[1]->accessibleDescription().startsWith("Model: Marian, 6 + 6 layers, yesterday"));
        QVERIFY(rows[2]->accessibleDescription().startsWith("Recording (missing)"));
        QSignalSpy chosen(page_, &HomePage::chosen);
        rows[1]->click();
        QCOMPARE(chosen.front().front().toString(), folder.path());
    }

    void daysAreNamed() {
        const QDate today(2026, 3, 20);
        const auto words = [&](int daysAgo) {
            return RecentRow::dayInWords(QDateTime(today.addDays(-daysAgo), QTime(23, 0)), today);
        };
        QCOMPARE(words(0), QString("today"));
        QCOMPARE(words(1), QString("yesterday"));
        QCOMPARE(words(6), QLocale().dayName(today.addDays(-6).dayOfWeek()));
        QCOMPARE(words(7), QLocale().toString(today.addDays(-7), QLocale::ShortFormat));
        QVERIFY(RecentRow::dayInWords({}, today).isEmpty());
    }
};

HEADSCOPE_WATCHED_TEST(HomePageTest)
#include "home_page_test.moc"
