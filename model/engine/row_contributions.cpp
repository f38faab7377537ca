#include "model/engine/row_contributions.h"

#include "model/engine/tensor_values.h"
#include "model/engine/whole_path.h"
#include "model/network/attention_block.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

namespace headscope::engine {

namespace {

trace::NormAfter normAfter(network::NormScheme scheme) {
    switch (scheme) {
    case network::NormScheme::Post:
        return trace::NormAfter::OfTheSum;
    case network::NormScheme::SublayerOutput:
    case network::NormScheme::Sandwich:
        return trace::NormAfter::OfItAlone;
    case network::NormScheme::Pre:
    case network::NormScheme::PreNormedResidual:
    case network::NormScheme::Parallel:
        break;
    }
    return trace::NormAfter::None;
}

void refuseMissingRow(const trace::HeadAddress& head, std::size_t query, std::int64_t rows) {
    if (std::cmp_less(query, rows))
        return;
    throw trace::Refusal({.what = "There is no such row",
                          .where = toString(head),
                          .expected = "a row from 0 to " + std::to_string(rows - 1),
                          .found = "row " + std::to_string(query),
                          .wayOut = "choose a token that was decoded"});
}

} // namespace

std::shared_ptr<const trace::RowContributions>
rowContributions(const OpenModel& model, const EncodedSource& source,
                 const network::Interventions& interventions, const trace::Run& run,
                 const trace::HeadAddress& head, std::size_t query, std::stop_token stop) {
    refuseMissingHead(*model.summary, head);
    const auto input = wholePathOf(model, source, interventions, run);
    const auto pass = network::wholePass(*model.network, input, nullptr, std::move(stop));
    const auto& here = pass.sites.at(head.site);
    refuseMissingRow(head, query, here.weights.size(1));
    const network::AttentionBlock block(*model.network, interventions, head.site, here);
    const auto row = static_cast<std::int64_t>(query);
    const auto weights = here.weights[head.head][row];                // [keys]
    const auto written = block.written()[head.head] * block.factor(); // [keys, d_model]
    auto result = std::make_shared<trace::RowContributions>();
    result->request = run.request;
    result->head = head;
    result->query = query;
    for (const float weight : floats(weights))
        result->weights.push_back(weight);
    result->added = matrix(written * weights.unsqueeze(1));
    if (block.bias().defined())
        result->bias = floats(block.bias() * block.factor());
    result->sublayer = floats(block.output()[row] * block.factor());
    result->before = floats(block.addedTo()[row]);
    result->normAfter = normAfter(model.network->config().stackOf(head.site.kind).normScheme);
    return result;
}

} // namespace headscope::engine
