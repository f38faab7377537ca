#pragma once

#include <QDialog>

#include "app/window/search_entries.h"

#include <map>
#include <vector>

class QLineEdit;
class QTreeWidget;

namespace headscope::app {

/// A dialog that searches entries: the first hit is selected, and Enter chooses the selected one.
class CommandPalette : public QDialog {
    Q_OBJECT

  public:
    /// `whyNone` says for a kind why it has no entry that matches.
    CommandPalette(std::vector<SearchEntry> entries, std::map<SearchEntry::Kind, QString> whyNone,
                   QWidget* parent);

    void setTyped(const QString& typed);
    /// Null before one was chosen.
    const SearchEntry* chosen() const { return chosen_; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void filter();
    void choose();
    QString detailOf(const SearchEntry& entry, const QString& words) const;
    void addNote(const QString& words);

    std::vector<SearchEntry> entries_;
    std::map<SearchEntry::Kind, QString> whyNone_;
    std::vector<const SearchEntry*> found_;
    const SearchEntry* chosen_ = nullptr;
    QLineEdit* words_;
    QTreeWidget* list_;
};

} // namespace headscope::app
