#pragma once

#include "model/trace/question.h"
#include "tests/widgets/example_importance.h"
#include "tests/widgets/example_lens.h"

#include <memory>

namespace headscope::example {

inline double lossOf(std::size_t key) {
    return key == 5 ? 1.47 : key == 8 ? -1.19 : 0.01 * static_cast<double>(key);
}

inline double shareOf(std::size_t column) {
    return column == 5 ? 0.4 : 0.02;
}

/// What the explanations of a step ask of a model, made up, against the second choice.
class Explaining {
  public:
    explicit Explaining(std::shared_ptr<const trace::Run> run) : run_(std::move(run)) {}

    trace::Answer operator()(const trace::Question& question) const {
        return std::visit(
            trace::ByKind{
                [&](const trace::LensWhat&) -> trace::Answer {
                    return std::shared_ptr<const trace::Lens>(lens(*run_, other()));
                },
                [&](const trace::ImportanceWhat&) -> trace::Answer {
                    return std::shared_ptr<const trace::HeadImportance>(importance());
                },
                [&](const trace::RemovalWhat& what) -> trace::Answer { return removalOf(what); },
                [&](const trace::CausalRowWhat& what) -> trace::Answer { return losses(what.step); },
                [&](const auto&) -> trace::Answer { return shares(); }},
            question.what);
    }

  private:
    static trace::Token other() { return token(901, "▁Frau"); }

    std::shared_ptr<trace::HeadImportance> importance() const {
        auto made = example::importance(*run_);
        made->contrast = other();
        return made;
    }

    std::shared_ptr<const trace::RemovalCurve> removalOf(const trace::RemovalWhat& what) const {
        const auto measured = importance();
        const bool isRanked = what.order.front() != measured->effects.front().head;
        auto made = std::make_shared<trace::RemovalCurve>(*removal(*measured, what, isRanked ? 0.4F : 0.05F));
        made->contrast = other();
        for (auto& point : made->values)
            for (float& value : point)
                value += 2;
        return made;
    }

    std::shared_ptr<const trace::CausalRow> losses(std::size_t step) const {
        auto made = std::make_shared<trace::CausalRow>();
        made->step = step;
        made->contrast = other();
        const std::size_t keys = run_->model->isDecoderAlone() ? run_->target.size() : run_->source.size();
        for (std::size_t key = 0; key < keys; ++key)
            made->drops.push_back(lossOf(key));
        return made;
    }

    std::shared_ptr<const trace::QuantityMaps> shares() const {
        auto made = std::make_shared<trace::QuantityMaps>();
        const std::size_t sources = run_->model->isDecoderAlone() ? 0 : run_->source.size();
        const std::size_t columns = sources + run_->target.size();
        made->sourceColumns = sources;
        made->values = trace::HeadStack(1, run_->target.size(), columns);
        made->mask = trace::MaskMatrix(run_->target.size(), columns);
        for (std::size_t row = 0; row < run_->target.size(); ++row)
            for (std::size_t column = 0; column < columns; ++column) {
                made->mask(row, column) = column < sources + row + 1;
                made->values.at(0, row, column) = static_cast<float>(shareOf(column));
            }
        return made;
    }

    std::shared_ptr<const trace::Run> run_;
};

} // namespace headscope::example
