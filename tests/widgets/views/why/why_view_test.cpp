#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>

#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_lens.h"
#include "tests/widgets/shown_view.h"
#include "widgets/views/why/why_view.h"
#include "widgets/words/card_words.h"

using namespace headscope;
using namespace headscope::widgets;

class WhyViewTest : public QObject {
    Q_OBJECT

    Selection selection_;
    std::unique_ptr<WhyView> view_;
    example::AnsweredAtOnce* answers_ = nullptr;
    std::vector<Intent> wanted_;

    QComboBox* step() const { return tests::childNamed<QComboBox>(*view_, "Step"); }
    QComboBox* other() const { return tests::childNamed<QComboBox>(*view_, "Rather than"); }
    bool says(const QString& words) const {
        const auto labels = view_->findChildren<QLabel*>();
        return std::ranges::any_of(
            labels, [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
    }

  private Q_SLOTS:
    void init() {
        selection_.setStep(5);
        wanted_.clear();
        view_ = std::make_unique<WhyView>(&selection_);
        answers_ = new example::AnsweredAtOnce(view_.get(), {}, true);
        const auto run = example::run();
        auto& document = answers_->document();
        document.model = run->model;
        document.request = run->request;
        document.run = run;
        connect(view_.get(), &View::intended, this,
                [this](const Intent& intent) { wanted_.push_back(intent); });
        answers_->setHolding(true);
        QVERIFY(tests::isSeen(*view_, {1384, 56}));
    }

    void theStepsTokenIsComparedWithTheSecondChoice() {
        QVERIFY(tests::plain(step()->currentText()).startsWith("Tochter"));
        QVERIFY(step()->currentText().endsWith(shareText(std::exp(-0.18))));
        QVERIFY(tests::plain(other()->currentText()).startsWith("Frau"));
        QCOMPARE(*view_->lead(), double(-0.18F) - double(-2.9F));
        QVERIFY(says("2.72") && says("logits ahead at step 6") && says("15 times as probable"));
        QCOMPARE(step()->count(), static_cast<int>(answers_->document().run->next.size()));
    }

    void oneChoiceIsThatOfAllCards() {
        const auto choose = [this](int row) {
            wanted_.clear();
            Q_EMIT other()->activated(row);
            return wanted_;
        };
        const auto third = choose(1);
        QCOMPARE(std::get<intents::CompareWith>(third.back()).token, std::string("▁Kind"));
        const auto nothing = choose(other()->count() - 1);
        QVERIFY(std::get<intents::CompareWith>(nothing.back()).token.empty());
        QCOMPARE(std::get<intents::Choose>(nothing.front()).value, ChoiceValue(std::string("nothing")));
        const auto second = choose(0);
        QVERIFY(std::get<intents::CompareWith>(second.back()).token.empty());
        QCOMPARE(std::get<intents::Choose>(second.front()).value, ChoiceValue(std::string("second")));
    }

    void aTokenCanBeTyped() {
        other()->setFocus();
        other()->lineEdit()->selectAll();
        QTest::keyClicks(other()->lineEdit(), "Maus");
        QTest::keyClick(other()->lineEdit(), Qt::Key_Return);
        QCOMPARE(std::get<intents::CompareWith>(wanted_.back()).token, std::string("Maus"));
    }

    void aTokenOfSeveralPiecesIsRefused() {
        answers_->document().ratherThan = "Mausefalle";
        answers_->setRefusal(trace::RefusalText{
            .what = "This is no token", .where = trace::contrastOption, .found = "3 pieces"});
        answers_->setHolding(false);
        QVERIFY(says("This is no token"));
        QVERIFY(!says("logits ahead"));
    }

    void theBaselineIsChosenForAllCards() {
        const auto segment = [this](const QString& name) {
            return tests::childNamed<QToolButton>(*view_, name);
        };
        auto& document = answers_->document();
        QVERIFY(segment("None")->isChecked());
        segment("Random twin")->click();
        QVERIFY(baselineOf(document) == Baseline::Twin);
        QVERIFY(!hasTwin(document)); // which would open its view
        segment("Uniform")->click();
        QVERIFY(baselineOf(document) == Baseline::Uniform && segment("Uniform")->isChecked());
        document.choices.erase("why"); // undone
        answers_->setHolding(true);
        QVERIFY(segment("None")->isChecked());
    }

    void itFollowsTheStep() {
        selection_.setStep(0);
        QVERIFY(tests::plain(step()->currentText()).startsWith("Der"));
        QVERIFY(says("at step 1"));
        QVERIFY(tests::plain(view_->figureText().title).startsWith("Why “Der” rather than “Frau”?"));
    }
};

HEADSCOPE_WATCHED_TEST(WhyViewTest)
#include "why_view_test.moc"
