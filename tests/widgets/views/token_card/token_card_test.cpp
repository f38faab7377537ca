#include <QLabel>
#include <QPushButton>
#include <QTest>

#include "model/analysis/output/classifier_tokens.h"
#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_classifier.h"
#include "tests/widgets/shown_view.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/token_card/token_card.h"
#include "widgets/words/card_words.h"

using namespace headscope;
using namespace headscope::widgets;

class TokenCardTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<TokenCard> view_;
    example::AnsweredAtOnce* answers_ = nullptr;
    std::shared_ptr<trace::Run> run_;
    std::shared_ptr<trace::ClassifierReading> reading_;

    bool says(const QString& words) const {
        for (const auto* label : view_->findChildren<QLabel*>())
            if (tests::plain(label->text()).contains(words))
                return true;
        return false;
    }
    int rows() const { return view_->findChild<ColumnTable*>()->model()->rowCount(); }

  private Q_SLOTS:
    void init() {
        run_ = example::classified(*example::run());
        run_->complete = true;
        reading_ = example::classifierReading(*run_);
        selection_ = std::make_unique<Selection>();
        view_ = std::make_unique<TokenCard>(selection_.get());
        answers_ = new example::AnsweredAtOnce(view_.get());
        answers_->document().run = run_;
        answers_->document().model = run_->model;
        answers_->setModel([this](const trace::Question&) { return reading_; });
        QVERIFY(tests::isSeen(*view_, {316, 300}));
    }
    void cleanup() {
        view_.reset();
        selection_.reset();
    }

    void theFeaturesOfATokenAddUpToItsContribution() {
        for (const int token : {0, 3, 6}) {
            selection_->clearPinned();
            selection_->togglePinned(
                TokenFocus::cell(trace::AttentionKind::EncoderSelf, std::nullopt, token));
            QCOMPARE(view_->token(), std::optional<std::size_t>(token));
            double sum = 0, before = INFINITY;
            for (const auto& feature : view_->features()) {
                QCOMPARE(reading_->positions[feature.feature], std::size_t(token));
                QCOMPARE(feature.added, feature.value * reading_->weights[1][feature.feature]);
                QVERIFY(std::abs(feature.added) <= before);
                before = std::abs(feature.added);
                sum += feature.added;
            }
            QVERIFY(std::abs(sum - reading_->contributions[1][std::size_t(token)]) < 1e-12);
            QVERIFY(says(shortSignedText(sum)));
        }
    }

    void withoutAPinTheTokenThatTellsMostIsShown() {
        QCOMPARE(view_->token(), analysis::tellingToken(*reading_, 1));
        answers_->document().chosenClass = 0;
        view_->refresh();
        QCOMPARE(view_->token(), analysis::tellingToken(*reading_, 0));
        QVERIFY(says("to #0"));
    }

    void fewFeaturesAreListedUntilAllAreWanted() {
        QVERIFY(view_->features().size() > 5);
        QCOMPARE(rows(), 5);
        auto* more = view_->findChild<QPushButton*>();
        QCOMPARE(more->text(), QString("%1 more").arg(view_->features().size() - 5));
        more->click();
        QCOMPARE(rows(), static_cast<int>(view_->features().size()));
        more->click();
        QCOMPARE(rows(), 5);
    }

    void whatIsRefusedIsSaid() {
        auto other = example::classified(*run_);
        other->complete = true;
        other->request.source = std::string("another sentence");
        answers_->document().run = other;
        answers_->setRefusal(trace::RefusalText{.what = "It cannot be read"});
        QVERIFY(!view_->hasFigure());
        QVERIFY(says("It cannot be read"));
    }
};

HEADSCOPE_WATCHED_TEST(TokenCardTest)
#include "token_card_test.moc"
