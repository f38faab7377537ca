#include "model/files/torch/pickle_stack.h"

#include <string>

namespace headscope::files {

void PickleStack::push(PickleId id) {
    if (values_.size() == limits_.depth)
        input_.fail("a stack of at most " + std::to_string(limits_.depth), "more");
    values_.push_back(id);
}

PickleId PickleStack::top() const {
    if (available() == 0)
        input_.fail("a value on the stack", "none");
    return values_.back();
}

PickleId PickleStack::pop() {
    const PickleId id = top();
    values_.pop_back();
    return id;
}

std::vector<PickleId> PickleStack::pop(std::size_t number) {
    if (available() < number)
        input_.fail(std::to_string(number) + " values on the stack", std::to_string(available()));
    countLinks(number);
    const std::vector<PickleId> items(values_.end() - static_cast<std::ptrdiff_t>(number), values_.end());
    values_.resize(values_.size() - number);
    return items;
}

void PickleStack::mark() {
    countLinks(1);
    marks_.push_back(values_.size());
}

std::vector<PickleId> PickleStack::popToMark() {
    if (marks_.empty())
        input_.fail("a mark on the stack", "none");
    std::vector<PickleId> items = pop(available());
    marks_.pop_back();
    return items;
}

PickleId PickleStack::last() const {
    if (values_.size() != 1 || !marks_.empty())
        input_.fail("one value at the end",
                    std::to_string(values_.size()) + " and " + std::to_string(marks_.size()) + " marks");
    return values_.back();
}

void PickleStack::remember(std::uint64_t number) {
    countLinks(1);
    memo_[number] = top();
}

void PickleStack::recall(std::uint64_t number) {
    const auto found = memo_.find(number);
    if (found == memo_.end())
        input_.fail("a value remembered as " + std::to_string(number), "none");
    push(found->second);
}

void PickleStack::countLinks(std::size_t links) {
    links_ += links;
    if (links_ > limits_.links)
        input_.fail("at most " + std::to_string(limits_.links) + " links between values", "more");
}

} // namespace headscope::files
