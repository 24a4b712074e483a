// PDF 1.4 (ISO 32000-1 describes every operator used): one page, one stream of drawing operators, two of the
// fonts every reader has. Nothing is compressed: a figure is some tens of kilobytes.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <set>

#include "interpole/report/drawing/drawing.hpp"
#include "interpole/report/drawing/helvetica.hpp"
#include "interpole/report/drawing/markup.hpp"

namespace interpole::report {
namespace {

std::string rgb(Colour colour) {
  const auto share = [](int x) { return fmt::format("{:.3f}", x / 255.0); };
  return share(colour.red) + " " + share(colour.green) + " " + share(colour.blue);
}

// (…) with what would end or begin a nested string escaped.
std::string literal_string(const std::string& bytes) {
  std::string text = "(";
  for (const char byte : bytes) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '(' || byte == ')' || byte == '\\') {
      text += '\\';
      text += byte;
    } else if (code < 0x20 || code > 0x7E) {
      text += fmt::format("\\{:03o}", static_cast<unsigned>(code));
    } else {
      text += byte;
    }
  }
  return text + ")";
}

// Texts about the document may hold any letter: UTF-16 with a byte order mark.
std::string utf16_string(std::string_view text) {
  std::string hex = "<FEFF";
  for (const char32_t letter : letters_of(text)) {
    if (letter < 0x10000) {
      hex += fmt::format("{:04X}", static_cast<unsigned>(letter));
    } else {
      const auto rest = static_cast<unsigned>(letter - 0x10000);
      hex += fmt::format("{:04X}{:04X}", 0xD800u + (rest >> 10), 0xDC00u + (rest & 0x3FFu));
    }
  }
  return hex + ">";
}

std::string opacity_name(double opacity) {
  return fmt::format("Alpha{}", std::lround(100 * opacity));
}

class PageWriter {
 public:
  explicit PageWriter(double height) : height_(height) {}

  void operator()(const Outlines& outlines) {
    begin(outlines.look);
    for (const auto& part : outlines.parts) {
      for (std::size_t i = 0; i < part.size(); ++i) page += at(part[i]) + (i == 0 ? " m\n" : " l\n");
      if (outlines.closed) page += "h\n";
    }
    paint(outlines.look);
  }

  // A circle is four Bézier curves, off by less than 0.03% of the radius.
  void operator()(const Disc& disc) {
    constexpr double kHandle = 0.5522847498;
    const double r = disc.radius;
    const auto from_centre = [&](double x, double y) {
      return at({disc.centre.x + r * x, disc.centre.y + r * y});
    };
    begin(disc.look);
    page += from_centre(1, 0) + " m\n";
    for (int quarter = 0; quarter < 4; ++quarter) {
      const double angle = quarter * std::numbers::pi / 2;
      const double c = std::cos(angle);
      const double s = std::sin(angle);
      page += fmt::format("{} {} {} c\n", from_centre(c - kHandle * s, s + kHandle * c),
                          from_centre(kHandle * c - s, kHandle * s + c), from_centre(-s, c));
    }
    page += "h\n";
    paint(disc.look);
  }

  void operator()(const Words& words) {
    const Label& label = words.label;
    const WinAnsiText text = win_ansi(label.content);
    lacking += text.lacking;
    const double width = label.size * shown_width(label, text);
    const double shift = label.anchor == Anchor::kStart    ? 0.0
                         : label.anchor == Anchor::kMiddle ? width / 2
                                                           : width;
    const double angle = -label.turn * std::numbers::pi / 180.0;
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    const std::string start =
        fmt::format("BT /{} {} Tf {:.5f} {:.5f} {:.5f} {:.5f} {} {} Tm\n", label.bold ? "Bold" : "Regular",
                    coordinate(label.size), c, s, -s, c, coordinate(label.at.x - shift * c),
                    coordinate(height_ - label.at.y - shift * s));
    const std::string shown = literal_string(text.bytes) + " Tj ET\n";
    page += "q\n";
    if (words.halo)
      page +=
          fmt::format("{} RG {} w 1 j\n{}1 Tr {}", rgb(kWhite), coordinate(0.28 * label.size), start, shown);
    page += fmt::format("{} rg\n{}0 Tr {}Q\n", rgb(words.colour), start, shown);
  }

  std::string page;
  std::set<double> opacities;
  std::u32string lacking;

 private:
  std::string at(Point point) const { return coordinate(point.x) + " " + coordinate(height_ - point.y); }

  // What the font lacks is shown as "?" and is as wide as one.
  static double shown_width(const Label& label, const WinAnsiText& text) {
    const double question_marks = static_cast<double>(text.lacking.size());
    return helvetica_width(label.content, label.bold) -
           question_marks * (1.0 - helvetica_width("?", label.bold));
  }

  void begin(const Look& look) {
    page += "q\n";
    if (look.opacity < 1.0) {
      opacities.insert(look.opacity);
      page += "/" + opacity_name(look.opacity) + " gs\n";
    }
    if (look.fill) page += rgb(*look.fill) + " rg\n";
    if (!look.pen) return;
    page += fmt::format("{} RG {} w 1 j {} J\n", rgb(look.pen->colour), coordinate(look.pen->width),
                        look.pen->dash.empty() ? 1 : 0);
    if (!look.pen->dash.empty()) page += fmt::format("[{}] 0 d\n", fmt::join(look.pen->dash, " "));
  }

  void paint(const Look& look) {
    page += look.fill && look.pen ? "B*\n" : look.fill ? "f*\n" : look.pen ? "S\n" : "n\n";
    page += "Q\n";
  }

  double height_;
};

// Objects one after another, then the table of where each begins.
class ObjectWriter {
 public:
  void add(const std::string& content) {
    places_.push_back(bytes_.size());
    bytes_ += fmt::format("{} 0 obj\n{}\nendobj\n", places_.size(), content);
  }

  std::string finish() {
    const std::size_t table = bytes_.size();
    bytes_ += fmt::format("xref\n0 {}\n0000000000 65535 f \n", places_.size() + 1);
    for (const std::size_t place : places_) bytes_ += fmt::format("{:010d} 00000 n \n", place);
    bytes_ += fmt::format("trailer\n<< /Size {} /Root 1 0 R /Info 7 0 R >>\nstartxref\n{}\n%%EOF\n",
                          places_.size() + 1, table);
    return std::move(bytes_);
  }

 private:
  std::string bytes_ = "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n";  // bytes above 127 say: not a text file
  std::vector<std::size_t> places_;
};

std::string font(const char* name) {
  return fmt::format("<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>", name);
}

}  // namespace

PdfFile to_pdf(const Drawing& drawing) {
  PageWriter page(drawing.height());
  for (const Element& element : drawing.elements()) std::visit(page, element);
  std::string states;
  for (const double opacity : page.opacities) {
    states += fmt::format("/{} << /ca {:.2f} /CA {:.2f} >> ", opacity_name(opacity), opacity, opacity);
  }
  ObjectWriter file;
  file.add("<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>");
  file.add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
  file.add(
      fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents 4 0 R /Resources << /Font "
                  "<< /Regular 5 0 R /Bold 6 0 R >> /ExtGState << {}>> >> >>",
                  coordinate(drawing.width()), coordinate(drawing.height()), states));
  file.add(fmt::format("<< /Length {} >>\nstream\n{}endstream", page.page.size(), page.page));
  file.add(font("Helvetica"));
  file.add(font("Helvetica-Bold"));
  file.add(fmt::format("<< /Title {} /Subject {} /Creator {} >>", utf16_string(drawing.title()),
                       utf16_string(drawing.description()), utf16_string(drawing.origin())));
  return {file.finish(), std::move(page.lacking)};
}

}  // namespace interpole::report
