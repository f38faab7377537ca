#pragma once

#include <QTest>

#include "app/document/document.h"
#include "app/results/results.h"
#include "app/results/served_view.h"
#include "tests/app/window/fake_engine.h"
#include "widgets/view.h"

namespace headscope::tests {

/// A document that stands on an engine without LibTorch, and what is computed about it. Views that it serves
/// go before it.
class ServedDocument {
  public:
    explicit ServedDocument(test::FakeEngine::Script& script)
        : document_([&script] { return std::make_unique<test::FakeEngine>(script); }),
          results_(document_.queue()) {
        app::connectResults(&document_, &results_);
        document_.queue()->start();
    }

    app::Document* document() { return &document_; }
    app::WorkQueue* queue() { return document_.queue(); }
    app::DecodeController* controller() { return document_.controller(); }
    widgets::Selection* selection() { return document_.selection(); }
    app::Results* results() { return &results_; }

    void serve(widgets::View* view) {
        app::serve(view, &document_, &results_);
        QObject::connect(controller(), &app::DecodeController::runChanged, view, &widgets::View::setRun);
    }
    bool open(const char* model) {
        queue()->open({.path = model});
        return QTest::qWaitFor([this] { return !queue()->isBusy(app::WorkQueue::JobKind::Model); });
    }
    bool decode(const char* sentence) {
        controller()->decode(std::string(sentence));
        return QTest::qWaitFor([this] { return !controller()->isDecoding(); });
    }

  private:
    app::Document document_;
    app::Results results_;
};

} // namespace headscope::tests
