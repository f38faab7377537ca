#pragma once

#include <QHash>
#include <QList>
#include <QSize>
#include <QString>
#include <QWidget>

#include "model/trace/run.h"
#include "tests/widgets/example_run.h"
#include "widgets/selection.h"

#include <functional>
#include <memory>
#include <type_traits>

/// The views that hang in the gallery, each of a run that may be null: what a view says when it is empty is a
/// picture too.
namespace headscope::gallery {

using Make = std::function<QWidget*(widgets::Selection*, std::shared_ptr<const trace::Run>)>;

struct Exhibit {
    QString name;
    Make make;
    QList<QSize> sizes;
};

inline const QList<QSize> large{{900, 640}, {420, 320}};
inline const QList<QSize> line{{900, 64}, {360, 120}};
inline constexpr trace::HeadAddress decoder{{trace::AttentionKind::DecoderSelf, 1}, 2};
inline constexpr trace::HeadAddress encoder{{trace::AttentionKind::EncoderSelf, 0}, 7};

/// A view of the run at a head, in the middle of the sentence.
template <class View>
Make viewOf(trace::HeadAddress head, std::function<void(View&)> change = {}) {
    return [=](widgets::Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        selection->setHead(head);
        selection->setStep(5);
        auto* view = new View(selection);
        view->setRun(std::move(run));
        if (change)
            change(*view);
        return view;
    };
}

/// What an exhibit shows of a run, made once for all of its pictures: some of it is computed.
template <class Function>
auto onceARun(Function make) {
    using Run = std::shared_ptr<const trace::Run>;
    using Made = std::shared_ptr<const std::invoke_result_t<Function, const Run&>>;
    return [ make, made = std::make_shared<QHash<Run, Made>>() ](const Run& run) -> const auto& {
        auto& known = (*made)[run];
        if (!known)
            known = std::make_shared<typename Made::element_type>(make(run));
        return *known;
    };
}

QList<Exhibit> mapExhibits();
QList<Exhibit> headExhibits();
QList<Exhibit> decodingExhibits();
QList<Exhibit> explainExhibits();
QList<Exhibit> changeExhibits();
QList<Exhibit> positionExhibits();
QList<Exhibit> architectureExhibits();
QList<Exhibit> scaleExhibits();
QList<Exhibit> classifierExhibits();
QList<Exhibit> compareExhibits();
QList<Exhibit> trainingExhibits();
QList<Exhibit> expertExhibits();
QList<Exhibit> longExhibits();
const QList<Exhibit>& all();

/// What the views hang with: "sentence", "right-to-left", "chinese", "mixed", "long", "book", "padded" or
/// "nothing", which is null. Each is made once: the maps of the long ones take a while.
std::shared_ptr<const trace::Run> runOf(const QString& content);

} // namespace headscope::gallery
