#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_run.h"
#include "widgets/selection.h"
#include "widgets/views/head_card/head_card.h"

using namespace headscope;
using namespace headscope::widgets;
using analysis::Statistic;

class HeadCardTest : public QObject {
    Q_OBJECT

    std::shared_ptr<trace::Run> run_ = example::run();
    Selection selection_;
    std::unique_ptr<HeadCard> card_;
    example::AnsweredAtOnce* answers_ = nullptr;

    QPushButton* button(const QString& text) const {
        for (auto* button : card_->findChildren<QPushButton*>())
            if (button->text() == text)
                return button;
        return nullptr;
    }
    const HeadNumber* number(const QString& name) const {
        const auto found = std::ranges::find(card_->numbers(), name, &HeadNumber::name);
        return found == card_->numbers().end() ? nullptr : &*found;
    }

  private Q_SLOTS:
    void init() {
        selection_.setHead(example::aligningHead);
        card_ = std::make_unique<HeadCard>(&selection_);
        answers_ = new example::AnsweredAtOnce(card_.get());
        answers_->document().run = run_;
        answers_->document().model = run_->model;
        answers_->document().request = run_->request;
        card_->show();
        Q_EMIT card_->questionsChanged();
    }

    void withoutARunItHasNoNumbers() {
        answers_->document().run = nullptr;
        selection_.setHead({{trace::AttentionKind::Cross, 0}, 0});
        HeadCard empty(&selection_);
        QVERIFY(!empty.hasFigure());
    }

    void itsNumbersAreThoseOfTheHeadBesideThoseOfUniformAttention() {
        const auto all = analysis::statisticsOfHeads(*run_);
        const auto& known = *std::ranges::find(all, example::aligningHead, &analysis::HeadStatistics::head);
        const auto* largest = number("Largest weight");
        QVERIFY(largest);
        QCOMPARE(*largest->share, *known.values[Statistic::Confidence]);
        QCOMPARE(*largest->uniform, *known.uniform[Statistic::Confidence]);
        const auto* keys = number("Effective keys");
        QCOMPARE(*keys->share,
                 *known.values[Statistic::EffectiveKeys] / *known.uniform[Statistic::EffectiveKeys]);
        QCOMPARE(*keys->uniform, 1.0);
        QVERIFY(number("Along the source") && !number("On one key"));
        QVERIFY(!number("Importance")); // not measured
    }

    void aHeadOfAnotherKindHasOtherNumbers() {
        selection_.setHead({{trace::AttentionKind::DecoderSelf, 0}, 0});
        QVERIFY(number("On one key") && !number("Along the source"));
        QCOMPARE(card_->figureText().head, QString("decoder.0.0"));
    }

    void itsButtonsSwitchTheHeadOffAndPinIt() {
        QSignalSpy intended(card_.get(), &View::intended);
        button("Switch Off")->click();
        QCOMPARE(intended.size(), 1);
        const auto intent = intended[0][0].value<Intent>();
        QVERIFY(std::get<intents::ToggleHead>(intent).head == example::aligningHead);
        button("Pin Beside")->click();
        QVERIFY(selection_.pinnedHeads() == std::vector{example::aligningHead});
        QVERIFY(button("Unpin"));
    }

    void aHeadThatIsOffCanBeSwitchedOn() {
        answers_->document().changes = {{trace::ScaleHead{example::aligningHead, 0}}};
        card_->refresh();
        QVERIFY(button("Switch On") && !button("Switch Off"));
    }
};

HEADSCOPE_WATCHED_TEST(HeadCardTest)
#include "head_card_test.moc"
