#include <QSignalSpy>
#include <QTest>

#include <algorithm>

#include "tests/watched_test.h"
#include "tests/widgets/example_search.h"
#include "widgets/controls/decoding_editor.h"
#include "widgets/views/decoding/decoding_view.h"

using namespace headscope;
using namespace headscope::widgets;

class DecodingViewTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void itShowsHowTokensAreChosenAndTellsAnotherWayAtOnce() {
        DecodingView view;
        DocumentState document;
        document.decoding = {.beam = 3};
        document.newTokens = 40;
        view.setContext({.document = &document});
        view.refresh();
        auto* editor = view.findChild<DecodingEditor*>();
        QVERIFY(editor->decoding().beam == 3 && editor->newTokens() == 40);
        const QSignalSpy wanted(&view, &View::intended);
        Q_EMIT editor->decodingChanged({.beam = 5}, 30);
        const auto intent = std::get<intents::DecodeBy>(wanted.front().front().value<Intent>());
        QVERIFY(intent.decoding.beam == 5 && intent.newTokens == 30);
    }

    void ofARecordingOnlyWhatItSaysIsShown() {
        DecodingView view;
        DocumentState document;
        auto run = std::make_shared<trace::Run>(*example::searchedRun(4));
        auto model = std::make_shared<trace::ModelSummary>(*run->model);
        trace::Request recorded = run->request;
        recorded.paths.back().newTokens = 0;
        recorded.decoding.noRepeat = 3;
        run->request = recorded;
        model->recorded = std::make_shared<trace::Request>(recorded);
        run->model = document.model = model;
        document.run = run;
        view.setContext({.document = &document});
        view.refresh();
        const auto columns = view.figureData().tables.at(0).columns;
        const auto& names = std::get<std::vector<std::string>>(columns[0].values);
        QVERIFY(std::ranges::count(names, "Maximum length") == 0 &&
                std::ranges::count(names, "Minimum length") == 0);
        QCOMPARE(names.back(), std::string("Block repeated n-grams"));
        auto* editor = view.findChild<DecodingEditor*>();
        QVERIFY(!editor->isEnabled());
        QVERIFY(!viewSpec("decoding")->lacks(document));
        model->saysDecoding = false;
        QVERIFY(viewSpec("decoding")->lacks(document).has_value());
    }

    void itsFigureIsOfTheRun() {
        DecodingView view;
        DocumentState document;
        document.run = example::searchedRun(4);
        view.setContext({.document = &document});
        const auto columns = view.figureData().tables.at(0).columns;
        QCOMPARE(std::get<std::vector<std::string>>(columns[1].values).front(), std::string("Beam 4"));
        QVERIFY(view.hasFigure() && view.figureBlocks());
    }
};

HEADSCOPE_WATCHED_TEST(DecodingViewTest)
#include "decoding_view_test.moc"
