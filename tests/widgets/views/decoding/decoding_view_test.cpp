#include <QSignalSpy>
#include <QTest>

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
