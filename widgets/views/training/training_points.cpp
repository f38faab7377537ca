#include "widgets/views/training/training_points.h"

namespace headscope::widgets {

void addTrainingPoint(std::vector<TrainingPoint>& points, const TrainingPoint& point) {
    while (!points.empty() && (!points.back().settled || points.back().step >= point.step))
        points.pop_back();
    points.push_back(point);
}

} // namespace headscope::widgets
