#include "widgets/export/figure_metadata.h"

#include "widgets/export/figure_export.h"
#include "widgets/export/xml_text.h"
#include "widgets/words/plain_words.h"

namespace headscope::widgets {

namespace {

/// Returns RDF with one property per name, in the program's own namespace.
QByteArray rdf(const FigureMetadata& metadata) {
    QString text =
        QStringLiteral("<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
                       "<rdf:Description rdf:about=\"\" xmlns:headscope=\"urn:headscope:figure\">");
    for (const auto& [name, value] : metadata)
        text += QStringLiteral("<headscope:%1>%2</headscope:%1>").arg(name.toLower(), xmlText(value));
    return (text + QStringLiteral("</rdf:Description></rdf:RDF>")).toUtf8();
}

} // namespace

FigureMetadata figureMetadata(const FigureText& text, const FigureFacts& facts) {
    FigureMetadata all{{QStringLiteral("Title"), withoutIsolation(text.title)},
                       {QStringLiteral("Description"), withoutIsolation(text.caption)},
                       {QStringLiteral("Source"), text.provenance},
                       {QStringLiteral("Head"), text.head},
                       {QStringLiteral("Quantity"), text.quantity},
                       {QStringLiteral("Weights"), facts.weights},
                       {QStringLiteral("Software"), facts.software},
                       {QStringLiteral("Command"), facts.command}};
    all.removeIf([](const auto& entry) { return entry.second.isEmpty(); });
    return all;
}

QByteArray svgMetadata(const FigureMetadata& metadata) {
    return "<metadata>" + rdf(metadata) + "</metadata>\n";
}

QByteArray xmpPacket(const FigureMetadata& metadata) {
    return "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
           "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">" +
           rdf(metadata) + "</x:xmpmeta>\n<?xpacket end=\"r\"?>\n";
}

} // namespace headscope::widgets
