#include "app/window/home/manual_browser.h"

#include <QDesktopServices>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QImageReader>
#include <QMap>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextFrame>
#include <QTextTable>

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

constexpr const char* firstPage = "index.md";
constexpr double pageMargin = 12;

QString contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The pages in the order of the first one's links.
QStringList filesOf(const QString& folder) {
    QStringList files{firstPage};
    static const QRegularExpression link("\\]\\(([a-z-]+\\.md)\\)");
    for (auto found = link.globalMatch(contentOf(folder + '/' + firstPage)); found.hasNext();)
        if (const QString file = found.next().captured(1); !files.contains(file))
            files += file;
    return files;
}

template <class Function>
void forEachFragment(const QTextDocument& document, Function&& function) {
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part)
            function(part.fragment());
}

} // namespace

ManualBrowser::ManualBrowser(const QString& folder, QWidget* parent)
    : QTextBrowser(parent), folder_(QFileInfo(folder).canonicalFilePath()) {
    setOpenLinks(false);                               // anchorClicked is handled by follow()
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // so that the text has the same width on every page
    resized_.setSingleShot(true);
    resized_.setInterval(100);
    connect(&resized_, &QTimer::timeout, this, &ManualBrowser::scaleImages);
    connect(&reading_, &QTimer::timeout, this, &ManualBrowser::readNextPicture);
    connect(this, &QTextBrowser::anchorClicked, this, &ManualBrowser::follow);
    readPages();
    shown_.page = pages_.size();
}

void ManualBrowser::readPages() {
    for (const QString& file : filesOf(folder_)) {
        const QString content = isInside(urlOf(file)) ? contentOf(folder_ + '/' + file) : QString();
        if (content.isEmpty())
            continue;
        auto* document = new QTextDocument(this); // the parent provides the pictures
        document->setUndoRedoEnabled(false);
        document->setDefaultFont(font());
        document->setDocumentMargin(pageMargin);
        document->setBaseUrl(urlOf(file));
        document->setMarkdown(content);
        setAnchors(*document);
        applyStyle(*document);
        pages_.push_back({.file = file,
                          .document = document,
                          .title = document->firstBlock().text(),
                          .text = document->toPlainText()});
    }
}

std::vector<ManualBrowser::Heading> ManualBrowser::headingsOf(const QString& folder) {
    std::vector<Heading> headings;
    static const QRegularExpression heading("^(#{1,3}) (.+)$");
    for (const QString& file : filesOf(folder)) {
        QString page;
        bool isCode = false;
        for (const QString& line : contentOf(folder + '/' + file).split('\n')) {
            isCode ^= line.startsWith("```");
            const auto found = heading.match(line);
            if (isCode || !found.hasMatch())
                continue;
            const QString title = found.captured(2);
            if (page.isEmpty())
                headings.push_back({page = title, file});
            else
                headings.push_back({QStringLiteral("%1: %2").arg(page, title), file + '#' + anchorOf(title)});
        }
    }
    return headings;
}

QUrl ManualBrowser::urlOf(const QString& file) const {
    return QUrl::fromLocalFile(folder_ + '/' + file);
}

bool ManualBrowser::isInside(const QUrl& url) const {
    const QString path = url.isLocalFile() ? QFileInfo(url.toLocalFile()).canonicalFilePath() : QString();
    return !folder_.isEmpty() && path.startsWith(folder_ + '/');
}

std::optional<std::size_t> ManualBrowser::pageOf(const QString& file) const {
    const auto found = std::ranges::find(pages_, file, &Page::file);
    return found == pages_.end() ? std::nullopt : std::optional<std::size_t>(found - pages_.begin());
}

/// Links arrive as written in the Markdown source.
void ManualBrowser::follow(const QUrl& url) {
    if (url.scheme() == "http" || url.scheme() == "https")
        QDesktopServices::openUrl(url);
    else if (!url.isRelative() || !open(url.toString()))
        Q_EMIT linkRefused(url);
}

bool ManualBrowser::open(const QString& target) {
    const QString file = target.section('#', 0, 0), anchor = target.section('#', 1);
    const auto page = file.isEmpty() ? shown_.page : pageOf(file);
    if (!page || *page >= pages_.size())
        return false;
    visit(*page);
    if (!anchor.isEmpty()) {
        document()->size(); // lays out the whole page, so that the scroll bar covers it
        scrollToAnchor(anchor);
    }
    return true;
}

void ManualBrowser::visit(std::size_t page) {
    if (shown_.page < pages_.size())
        before_.push_back({shown_.page, verticalScrollBar()->value()});
    after_.clear();
    showPage(page);
}

void ManualBrowser::showPage(std::size_t page) {
    shown_.page = page;
    if (document() != pages_[page].document)
        setDocument(pages_[page].document);
    scaleImages();
    verticalScrollBar()->setValue(0);
    markMatches();
    Q_EMIT backwardAvailable(!before_.empty());
    Q_EMIT forwardAvailable(!after_.empty());
    Q_EMIT pageShown(page);
}

void ManualBrowser::backward() {
    go(before_, after_);
}

void ManualBrowser::forward() {
    go(after_, before_);
}

void ManualBrowser::go(std::vector<Place>& from, std::vector<Place>& to) {
    if (from.empty())
        return;
    const Place place = from.back();
    from.pop_back();
    to.push_back({shown_.page, verticalScrollBar()->value()});
    showPage(place.page);
    document()->size();
    verticalScrollBar()->setValue(place.scrolled);
}

/// Loads nothing, as the documents already contain their pictures. Returns an empty value, because
/// QTextDocument reads the file itself if the result is invalid.
QVariant ManualBrowser::loadResource(int type, const QUrl&) {
    return type == QTextDocument::ImageResource ? QVariant(QImage()) : QVariant(QString());
}

/// Returns the size of a picture, limited to the text width, as QTextDocument draws pictures at their full
/// size.
QSize ManualBrowser::sizeOf(const QString& path) const {
    const QSize size = QImageReader(path).size();
    const int widest = static_cast<int>((viewport()->width() - 2 * pageMargin) * devicePixelRatioF());
    return size.width() > widest && widest > 0 ? size.scaled(widest, size.height(), Qt::KeepAspectRatio)
                                               : size;
}

/// Scales the pictures of the shown page if the text width changed. They are blank until they are read one by
/// one, so that the page appears at once and its layout does not move later.
void ManualBrowser::scaleImages() {
    const int width = viewport()->width();
    if (shown_.page >= pages_.size() || std::exchange(pages_[shown_.page].width, width) == width)
        return;
    std::erase_if(unread_, [this](const Picture& picture) { return picture.document == document(); });
    forEachFragment(*document(), [&](const QTextFragment& fragment) {
        const auto format = fragment.charFormat();
        const QUrl url = document()->baseUrl().resolved(QUrl(format.toImageFormat().name()));
        if (!format.isImageFormat() || !isInside(url))
            return;
        QImage blank(sizeOf(url.toLocalFile()), QImage::Format_RGB32);
        blank.fill(palette().color(QPalette::Base));
        blank.setDevicePixelRatio(devicePixelRatioF());
        document()->addResource(QTextDocument::ImageResource, url, blank);
        unread_.push_back({document(), url});
    });
    document()->markContentsDirty(0, document()->characterCount());
    if (unread_.empty())
        reading_.stop();
    else
        reading_.start();
}

void ManualBrowser::readNextPicture() {
    const auto [document, url] = unread_.front();
    unread_.erase(unread_.begin());
    if (unread_.empty())
        reading_.stop();
    QImage image(url.toLocalFile());
    image.convertTo(QImage::Format_RGB32); // indexed colours cannot be smoothly scaled
    image = image.scaled(sizeOf(url.toLocalFile()), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    image.setDevicePixelRatio(devicePixelRatioF());
    document->addResource(QTextDocument::ImageResource, url, image);
    viewport()->update();
}

void ManualBrowser::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    resized_.start();
}

void ManualBrowser::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        for (const Page& page : pages_)
            applyStyle(*page.document);
    if (event->type() == QEvent::FontChange)
        for (const Page& page : pages_)
            page.document->setDefaultFont(font());
    if (event->type() == QEvent::PaletteChange)
        markMatches();
}

QString ManualBrowser::anchorOf(const QString& heading) {
    static const QRegularExpression punctuation("[^\\w\\- ]", QRegularExpression::UseUnicodePropertiesOption);
    return heading.trimmed().toLower().remove(punctuation).replace(' ', '-');
}

void ManualBrowser::setAnchors(QTextDocument& document) {
    QMap<QString, int> used;
    QTextCursor cursor(&document);
    cursor.beginEditBlock();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0)
            continue;
        QString anchor = anchorOf(block.text());
        if (const int before = used[anchor]++; before > 0)
            anchor += '-' + QString::number(before);
        QTextCharFormat format;
        format.setAnchor(true);
        format.setAnchorNames({anchor});
        cursor.setPosition(block.position());
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(format);
    }
    cursor.endEditBlock();
}

/// Formats tables, code and links in the theme's colours.
void ManualBrowser::applyStyle(QTextDocument& document) const {
    constexpr double padding = 4, below = 10;
    QTextCursor cursor(&document);
    cursor.beginEditBlock();
    for (QTextFrame* frame : document.rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            auto format = table->format();
            format.setBorder(1);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBorderCollapse(true);
            format.setBorderBrush(palette().mid());
            format.setCellPadding(padding);
            format.setCellSpacing(0);
            format.setBottomMargin(below);
            table->setFormat(format);
        }
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        if (block.blockFormat().hasProperty(QTextFormat::BlockCodeFence)) {
            QTextBlockFormat format;
            format.setBackground(palette().alternateBase());
            cursor.setPosition(block.position());
            cursor.mergeBlockFormat(format);
        }
    QTextCharFormat link;
    link.setForeground(palette().link());
    forEachFragment(document, [&](const QTextFragment& fragment) {
        if (fragment.charFormat().anchorHref().isEmpty())
            return;
        cursor.setPosition(fragment.position());
        cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(link);
    });
    cursor.endEditBlock();
}

void ManualBrowser::setMatches(const QString& words) {
    words_ = words;
    markMatches();
}

void ManualBrowser::markMatches() {
    QList<QTextEdit::ExtraSelection> marks;
    QTextCharFormat format;
    QColor colour = palette().color(QPalette::Highlight);
    colour.setAlphaF(0.3F); // keeps the text readable
    format.setBackground(colour);
    if (!words_.isEmpty())
        for (QTextCursor found(document()); !(found = document()->find(words_, found)).isNull();)
            marks.append({found, format});
    setExtraSelections(marks);
}

void ManualBrowser::select(std::size_t page, int position, int length) {
    if (page != shown_.page)
        visit(page);
    QTextCursor cursor(document());
    cursor.setPosition(position);
    cursor.setPosition(position + length, QTextCursor::KeepAnchor);
    setTextCursor(cursor);
    ensureCursorVisible();
}

} // namespace headscope::app
