#pragma once

#include <QObject>

#include "model/trace/refusal.h"
#include "widgets/map/map_options.h"
#include "widgets/view.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace headscope::example {

/// Answers what a view wants to know as soon as it wants it, whether the view is visible or not. The program
/// does the same a little later. A child of the view.
class AnsweredAtOnce : public QObject, public trace::KnownAnswers {
  public:
    /// Answers what is asked of a model; may be null, and such questions then stay unanswered.
    using Model = std::function<trace::Answer(const trace::Question&)>;

    explicit AnsweredAtOnce(widgets::View* view, Model model = {}, bool isHolding = false)
        : QObject(view), view_(view), model_(std::move(model)), isHolding_(isHolding) {
        view->setContext({.document = &document_, .known = this});
        connect(view, &widgets::View::questionsChanged, this, &AnsweredAtOnce::follow);
        connect(view, &widgets::View::intended, this, [this](const widgets::Intent& intent) {
            if (const auto* choice = std::get_if<widgets::intents::Choose>(&intent)) {
                document_.choices[choice->view][choice->name] = choice->value;
                follow();
            }
        });
        follow();
    }

    /// Chosen by a person.
    void choose(const widgets::MapOptions& map) {
        auto& chosen = document_.choices["map"];
        chosen["quantity"] = widgets::quantityKey(map.quantity).toStdString();
        chosen["scale"] = std::string(widgets::scaleNames().at(static_cast<std::size_t>(map.mapping)));
#define MAP_FLAG(MEMBER, ACTION, NAME, ...) chosen[NAME] = map.MEMBER;
#include "widgets/map_flags.def"
#undef MAP_FLAG
        follow();
    }
    /// What the view takes to be shown.
    widgets::DocumentState& document() {
        return document_;
    }
    /// As long as it holds, nothing more is answered.
    void setHolding(bool holding) {
        isHolding_ = holding;
        follow();
    }
    /// Of what is awaited.
    void setShare(double share) {
        share_ = share;
        follow();
    }
    /// Refuses what is awaited, and what is wanted until setRefusal({}).
    void setRefusal(std::optional<trace::RefusalText> refusal) {
        refusal_ = std::move(refusal);
        follow();
    }
    void setModel(Model model) {
        model_ = std::move(model);
        follow();
    }
    /// Known from now on, instead of counted.
    template <class What>
    void give(What what, typename What::Value value) {
        std::erase_if(known_, [&](const Known& known) {
            return known.question == trace::Wanted(trace::Counted(what));
        });
        known_.push_back({.question = trace::Counted(std::move(what)),
                          .found = std::make_shared<const typename What::Value>(std::move(value)),
                          .refused = {}});
        follow();
    }
    /// Wanted, and neither answered nor refused.
    std::vector<trace::Wanted> awaited() const {
        auto questions = view_->questions();
        std::erase_if(questions, [this](const auto& question) { return find(question) != nullptr; });
        return questions;
    }
    /// How many were answered, ever.
    int answered() const {
        return answered_;
    }

    bool isAwaited(const trace::Wanted& question) const override {
        return std::ranges::count(awaited(), question) > 0;
    }
    double shareOf(const trace::Wanted& question) const override {
        return isAwaited(question) ? share_ : 0;
    }

  private:
    const Known* find(const trace::Wanted& question) const override {
        const auto found = std::ranges::find(known_, question, &Known::question);
        return found == known_.end() ? nullptr : &*found;
    }

    void follow() {
        isOther_ = true;
        if (std::exchange(isFollowing_, true))
            return; // whoever follows already goes round once more
        while (std::exchange(isOther_, false)) {
            view_->refresh();
            const auto questions = view_->questions();
            std::erase_if(known_, [&](const Known& known) {
                return known.refused && std::ranges::count(questions, known.question) == 0;
            });
            for (const auto& question : awaited())
                isOther_ = answer(question) || isOther_;
        }
        isFollowing_ = false;
    }

    bool answer(const trace::Wanted& question) {
        if (isHolding_ || lacksModelOf(question))
            return false;
        if (refusal_) {
            known_.push_back({.question = question, .found = {}, .refused = refusal_});
            return true;
        }
        struct Asked : trace::Answers {
            explicit Asked(const Model& m) : model(m) {}
            trace::Answer answer(const trace::Question& asked, const trace::Task&,
                                 const trace::Partial&) override {
                return model(asked);
            }
            const Model& model;
        } model(model_);
        const auto* counted = std::get_if<trace::Counted>(&question);
        Known known{.question = question, .found = {}, .refused = {}};
        try {
            if (counted)
                known.found = counted->answer(&model, {}, [](const auto&) {});
            else
                known.found = model_(std::get<trace::Question>(question));
        } catch (const trace::Refusal& refusal) {
            known.refused = refusal.text();
        }
        ++answered_;
        known_.push_back(std::move(known));
        return true;
    }

    bool lacksModelOf(const trace::Wanted& question) const {
        const auto* counted = std::get_if<trace::Counted>(&question);
        return !model_ && !refusal_ && (!counted || counted->asksModel());
    }

    widgets::View* view_;
    Model model_;
    widgets::DocumentState document_;
    std::vector<Known> known_;
    std::optional<trace::RefusalText> refusal_;
    double share_ = 0;
    int answered_ = 0;
    bool isHolding_;
    bool isFollowing_ = false;
    bool isOther_ = false;
};

/// Answers nothing but what it is given.
inline AnsweredAtOnce* givenAnswers(widgets::View* view) {
    return new AnsweredAtOnce(view, {}, true);
}

} // namespace headscope::example
