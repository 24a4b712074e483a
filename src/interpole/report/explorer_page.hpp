// The explorer's page: one HTML file, built from web/ and held in the library. It loads nothing from
// anywhere; its policy names its own script and style by their hashes, so their text is never touched here.
#pragma once

#include <string>
#include <string_view>

namespace interpole::report {

enum class PageUse {
  kReport,  // a file: the data are in it, it may talk to nobody and does not know how
  kServe,   // served: it fetches its data from where it came from, and from there only
};

// `document`: the data as JSON (docs/explorer-data.md); of a served page, nothing. They are put in as base64
// of gzip, so no text of theirs can be taken for markup. The same document gives the same bytes.
std::string explorer_page(PageUse use, std::string_view document);

}  // namespace interpole::report
