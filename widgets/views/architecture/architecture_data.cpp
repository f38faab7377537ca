// The numbers behind the architecture: of every block what its table says.
#include "model/analysis/architecture_memory.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/views/architecture/architecture_titles.h"
#include "widgets/views/architecture/architecture_view.h"
#include "widgets/views/architecture/architecture_words.h"

namespace headscope::widgets {

namespace {

using analysis::ArchitectureBlock;

struct BlockColumns {
    QStringList roles, shapes;
    std::vector<double> parameters, activations, atTwice, atTenTimes;
    std::vector<double> before, added, after, cosine, units, dead;

    void add(const ArchitectureFacts& facts, const std::vector<ArchitectureBlock>& blocks) {
        for (const auto& block : blocks) {
            roles += QString::fromStdString(block.role);
            QStringList out;
            for (const auto& tensor : block.out)
                out += tensorInWords(facts, tensor);
            shapes += out.join(QStringLiteral("; "));
            parameters.push_back(analysis::parametersAreKnown(*facts.model)
                                     ? static_cast<double>(block.parameters)
                                     : noNumber);
            activations.push_back(bytes(facts, block, 1));
            atTwice.push_back(bytes(facts, block, 2));
            atTenTimes.push_back(bytes(facts, block, 10));
            addFlow(facts, block);
            add(facts, block.children);
        }
    }

  private:
    static double bytes(const ArchitectureFacts& facts, const ArchitectureBlock& block, int times) {
        auto lengths = facts.lengths();
        if (!lengths)
            return noNumber;
        lengths->source *= times;
        lengths->target *= times;
        return analysis::activationBytes(block, *lengths);
    }

    void addFlow(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
        const auto* flow = facts.measuredAt(block);
        const auto mean = [&](const std::vector<double> trace::SublayerFlow::*part) {
            return flow ? meanOf(facts, block.side, flow->*part) : noNumber;
        };
        before.push_back(mean(&trace::SublayerFlow::before));
        added.push_back(mean(&trace::SublayerFlow::added));
        after.push_back(mean(&trace::SublayerFlow::after));
        cosine.push_back(mean(&trace::SublayerFlow::cosine));
        units.push_back(flow && flow->units > 0 ? static_cast<double>(flow->units) : noNumber);
        dead.push_back(flow && flow->units > 0 ? static_cast<double>(flow->deadUnits) : noNumber);
    }
};

} // namespace

trace::FigureData ArchitectureView::figureData() const {
    if (!hasFigure())
        return {};
    BlockColumns all;
    all.add(facts_, facts_.architecture.source);
    all.add(facts_, facts_.architecture.target);
    return {.tables = {{.name = "blocks",
                        .columns = {dataColumn("block", all.roles), dataColumn("out", all.shapes),
                                    dataColumn("parameters", all.parameters),
                                    dataColumn("activation_bytes", all.activations),
                                    dataColumn("activation_bytes_at_twice", all.atTwice),
                                    dataColumn("activation_bytes_at_ten_times", all.atTenTimes),
                                    dataColumn("stream_before", all.before), dataColumn("added", all.added),
                                    dataColumn("stream_after", all.after), dataColumn("cosine", all.cosine),
                                    dataColumn("units", all.units), dataColumn("dead_units", all.dead)}}}};
}

} // namespace headscope::widgets
