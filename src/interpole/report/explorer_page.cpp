#include "interpole/report/explorer_page.hpp"

#include <nettle/base64.h>

#include "interpole/base/files/gzip.hpp"
#include "interpole/error.hpp"

// From cmake/web.cmake: the pages as they were built; an empty line if they were not.
extern "C" {
extern const char interpole_served_page[];
extern const char interpole_served_page_end[];
extern const char interpole_report_page[];
extern const char interpole_report_page_end[];
}

namespace interpole::report {
namespace {

// With its end: a script that merely spoke of it could not hold that.
constexpr std::string_view kEmptyElement =
    R"(<script id="interpole-data" type="application/octet-stream"></script>)";
constexpr std::string_view kEnd = "</script>";
constexpr std::string_view kTalksToNobody = "connect-src 'none'";
constexpr std::string_view kTalksHome = "connect-src 'self'";

std::string base64(std::string_view bytes) {
  std::string text(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
  base64_encode_raw(text.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  return text;
}

std::string_view built_page(PageUse use) {
  return use == PageUse::kServe ? std::string_view(interpole_served_page, interpole_served_page_end)
                                : std::string_view(interpole_report_page, interpole_report_page_end);
}

std::size_t place_of(std::string_view page, std::string_view text) {
  const std::size_t place = page.find(text);
  if (place == std::string_view::npos) {
    throw runtime_error(std::string("the explorer's page has no ") + std::string(text) +
                        "; this is a bug in the program: please report it");
  }
  return place;
}

}  // namespace

std::string explorer_page(PageUse use, std::string_view document) {
  const std::string_view built = built_page(use);
  if (built.size() <= 1) {
    throw runtime_error(
        "this program was built without the explorer's page (INTERPOLE_EXPLORER=OFF); build it with Node.js "
        "for "
        "report and serve");
  }
  std::string page(built);
  if (use == PageUse::kServe) {
    return page.replace(place_of(built, kTalksToNobody), kTalksToNobody.size(), kTalksHome);
  }
  return page.insert(place_of(built, kEmptyElement) + kEmptyElement.size() - kEnd.size(),
                     base64(base::gzip(document)));
}

}  // namespace interpole::report
