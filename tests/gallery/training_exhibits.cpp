#include "tests/gallery/exhibits.h"

#include "tests/widgets/answered_at_once.h"
#include "widgets/views/training/training_curves.h"

#include <cmath>

namespace headscope::gallery {

using namespace widgets;

namespace {

/// As a training of some minutes goes: fast at first, with a validation every ten points.
std::vector<trace::TrainingPoint> points(int count, bool translates) {
    std::vector<trace::TrainingPoint> points;
    for (int i = 1; i <= count; ++i) {
        const double learned = 1 - std::exp(-i / 25.0);
        trace::TrainingPoint point{.step = 50 * i, .loss = 8.2 - 5.1 * learned + 0.1 * std::sin(i * 1.7)};
        if (i % 10 == 0) {
            point.validationLoss = 8.1 - 4.6 * learned;
            point.accuracy = 0.05 + 0.6 * learned;
            point.encoderEntropy = 3.4 - 1.2 * learned;
            if (translates) {
                point.bleu = 31 * learned * learned;
                point.decoderEntropy = 2.2 - 0.5 * learned;
                point.crossEntropy = 3.5 - 2.1 * learned;
            }
        }
        addTrainingPoint(points, point);
    }
    return points;
}

Make curves(int count, bool translates) {
    return [=](Selection*, std::shared_ptr<const trace::Run> run) -> QWidget* {
        auto* view = new TrainingCurves;
        example::givenAnswers(view)->document().training = {
            "english-german", {}, run ? points(count, translates) : std::vector<trace::TrainingPoint>()};
        view->refresh();
        return view;
    };
}

} // namespace

QList<Exhibit> trainingExhibits() {
    const QList<QSize> sizes{{900, 420}, {420, 640}};
    return {
        {"training-curves", curves(120, true), sizes},
        {"training-curves-begun", curves(4, true), sizes},
        {"training-curves-classifier", curves(60, false), sizes},
    };
}

} // namespace headscope::gallery
