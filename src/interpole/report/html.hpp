// The parts of a page: tables, figures, the document around them.
#pragma once

#include <string>
#include <vector>

#include "interpole/report/markup.hpp"

namespace interpole {

struct HtmlTable {
  Markup caption;
  std::vector<std::string> header;  // plain text
  std::vector<std::vector<Markup>> rows;
  int label_columns = 1;  // the first columns of each row are its headings
};
Markup render_table(const HtmlTable& table);

// The numbers behind a drawing, folded away until asked for.
Markup folded_table(std::string_view summary, const HtmlTable& table);

Markup paragraph(std::string_view css, std::string_view text);
Markup bullet_list(std::string_view css, const std::vector<std::string>& sentences);

// A drawing that may be scrolled sideways on a narrow screen rather than shrink until it cannot be read.
Markup scrollable(const Markup& drawing);

// <!doctype html> … </html>. The page can load nothing: its security policy allows its own style sheet and no
// more.
std::string html_document(std::string_view title, const Markup& body);

// RFC 4648, with padding. Exposed for its test.
std::string base64(std::string_view bytes);

}  // namespace interpole
