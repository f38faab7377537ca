#pragma once

#include <QTextBrowser>
#include <QTimer>

#include <optional>
#include <vector>

class QTextDocument;

namespace headscope::app {

/// Shows the pages of the manual, and no files outside the manual's folder or remote content.
///
/// Each page is parsed once, into its own document: parsing into the displayed document, as QTextBrowser
/// does, takes twenty times as long.
class ManualBrowser : public QTextBrowser {
    Q_OBJECT

  public:
    struct Page {
        QString file;
        QTextDocument* document;
        QString title;
        QString text;   ///< characters have the same positions as in the document
        int width = -1; ///< text width that the pictures were scaled for
    };

    /// `folder` contains index.md, whose links give the order of the other pages.
    ManualBrowser(const QString& folder, QWidget* parent);

    const std::vector<Page>& pages() const { return pages_; }
    /// Index of the shown page; pages().size() before the first.
    std::size_t page() const { return shown_.page; }
    /// `target` is "page.md" or "page.md#anchor". Returns false if there is no such page.
    bool open(const QString& target);
    QUrl urlOf(const QString& file) const;
    /// True for an existing file inside the manual's folder, after resolving symbolic links.
    bool isInside(const QUrl& url) const;
    /// Marks all occurrences of `words` in this page and in pages shown later; none if empty.
    void setMatches(const QString& words);
    /// Shows and selects `length` characters of a page.
    void select(std::size_t page, int position, int length);

    void backward() override;
    void forward() override;

    /// A heading of the manual, and where open() finds it.
    struct Heading {
        QString title; ///< behind that of its page, unless it is this
        QString target;
    };
    /// Of all pages, without parsing them.
    static std::vector<Heading> headingsOf(const QString& folder);

    /// Returns the anchor of a heading as Git hosts generate it: lower case, hyphens for spaces, no
    /// punctuation.
    static QString anchorOf(const QString& heading);
    /// Adds anchors to all headings, which QTextDocument::setMarkdown() does not do; repeated ones get the
    /// suffixes -1, -2 ...
    static void setAnchors(QTextDocument& document);

  Q_SIGNALS:
    void pageShown(std::size_t page);
    /// A link leads neither to a page of the manual nor to the web.
    void linkRefused(const QUrl& url);

  protected:
    QVariant loadResource(int type, const QUrl& name) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct Place {
        std::size_t page = 0;
        int scrolled = 0;
    };

    void readPages();
    void follow(const QUrl& url);
    std::optional<std::size_t> pageOf(const QString& file) const;
    void visit(std::size_t page);
    void showPage(std::size_t page);
    void go(std::vector<Place>& from, std::vector<Place>& to);
    void applyStyle(QTextDocument& document) const;
    void scaleImages();
    void markMatches();
    QSize sizeOf(const QString& path) const;
    void readNextPicture();

    QString folder_; ///< canonical
    std::vector<Page> pages_;
    Place shown_;
    std::vector<Place> before_;
    std::vector<Place> after_;
    QString words_;
    QTimer resized_;
    struct Picture {
        QTextDocument* document;
        QUrl url;
    };
    std::vector<Picture> unread_; ///< shown as blanks until they are read
    QTimer reading_;
};

} // namespace headscope::app
