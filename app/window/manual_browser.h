#pragma once

#include <QTextBrowser>
#include <QTimer>

#include <optional>
#include <vector>

class QTextDocument;

namespace headscope::app {

/// The pages of the manual. Shows files of the manual's folder and nothing else: no other files, nothing
/// remote.
///
/// Each page is parsed once, into a document of its own: QTextBrowser would parse it into the document that
/// is shown, which takes twenty times as long.
class ManualBrowser : public QTextBrowser {
    Q_OBJECT

  public:
    struct Page {
        QString file;
        QTextDocument* document;
        QString title;
        QString text;   ///< characters are at the positions that they have in the document
        int width = -1; ///< of the text, for which its pictures were scaled
    };

    /// A folder with index.md, whose links name the other pages in their order.
    ManualBrowser(const QString& folder, QWidget* parent);

    const std::vector<Page>& pages() const { return pages_; }
    /// The shown one; pages().size() before the first.
    std::size_t page() const { return shown_.page; }
    /// "page.md" or "page.md#anchor". False if there is no such page.
    bool open(const QString& target);
    QUrl urlOf(const QString& file) const;
    /// True for a file in the manual's folder that exists, wherever symbolic links lead.
    bool isInside(const QUrl& url) const;
    /// Marks all occurrences in this page and in pages shown later; nothing for empty words.
    void setMatches(const QString& words);
    /// Shows `length` characters of a page, selected.
    void select(std::size_t page, int position, int length);

    void backward() override;
    void forward() override;

    /// The anchor of a heading as Git hosts name it: lower case, hyphens for spaces, no punctuation.
    static QString anchorOf(const QString& heading);
    /// Gives every heading its anchor, which QTextDocument::setMarkdown() does not do; of several equal ones
    /// the later ones end in -1, -2 ...
    static void setAnchors(QTextDocument& document);

  Q_SIGNALS:
    void pageShown(std::size_t page);
    /// A link that leads neither to a page of the manual nor to the web.
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
    std::vector<Picture> unread_; ///< blank so far
    QTimer reading_;
};

} // namespace headscope::app
