#include "interpole/report/html.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "interpole/base/hash.hpp"
#include "interpole/report/style.hpp"

namespace interpole {
namespace {

std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

// Only the style sheet with this fingerprint applies: no scripts, no images, no fonts, no network.
std::string security_policy(std::string_view style) {
  return fmt::format("default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
                     base64(bytes_of_hex(sha256(style))));
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t block = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      block = block << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kAlphabet[block >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

Markup render_table(const HtmlTable& table) {
  Markup html = literal("<div class=\"scroll\"><table>");
  if (!table.caption.html.empty()) html += element("caption", "", table.caption);
  html += literal("<thead><tr>");
  for (const std::string& cell : table.header) html += {"<th scope=\"col\">" + escaped(cell).html + "</th>"};
  html += literal("</tr></thead><tbody>\n");
  for (const auto& row : table.rows) {
    html += literal("<tr>");
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool label = static_cast<int>(i) < table.label_columns;
      html += {(label ? "<th scope=\"row\">" : "<td>") + row[i].html + (label ? "</th>" : "</td>")};
    }
    html += literal("</tr>\n");
  }
  return {html.html + "</tbody></table></div>\n"};
}

Markup folded_table(std::string_view summary, const HtmlTable& table) {
  return {"<details><summary>" + escaped(summary).html + "</summary>" + render_table(table).html +
          "</details>\n"};
}

Markup paragraph(std::string_view css, std::string_view text) {
  return {element("p", css, escaped(text)).html + "\n"};
}

Markup bullet_list(std::string_view css, const std::vector<std::string>& sentences) {
  Markup items;
  for (const std::string& sentence : sentences) items += element("li", "", escaped(sentence));
  return {element("ul", css, items).html + "\n"};
}

Markup scrollable(const Markup& drawing) {
  return {element("div", "scroll", drawing).html + "\n"};
}

std::string html_document(std::string_view title, const Markup& body) {
  const std::string_view style = report_style();
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" "
      "content=\"no-referrer\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      security_policy(style), escaped(title).html, style, body.html);
}

}  // namespace interpole
