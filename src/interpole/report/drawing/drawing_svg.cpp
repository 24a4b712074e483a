#include <fmt/format.h>

#include "interpole/report/drawing/drawing.hpp"
#include "interpole/report/drawing/markup.hpp"

namespace interpole::report {
namespace {

std::string hex(Colour colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::string look_attributes(const Look& look) {
  std::string text = fmt::format(" fill=\"{}\"", look.fill ? hex(*look.fill) : "none");
  if (look.pen) {
    text += fmt::format(" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"{}\"",
                        hex(look.pen->colour), coordinate(look.pen->width),
                        look.pen->dash.empty() ? "round" : "butt");
    if (!look.pen->dash.empty())
      text += fmt::format(" stroke-dasharray=\"{}\"", fmt::join(look.pen->dash, " "));
  }
  if (look.opacity < 1.0) text += fmt::format(" opacity=\"{}\"", coordinate(look.opacity));
  return text;
}

std::string path_data(const Outlines& outlines) {
  std::string data;
  for (const auto& part : outlines.parts) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      data += i == 0 ? 'M' : i == 1 ? 'L' : ' ';
      data += coordinate(part[i].x) + "," + coordinate(part[i].y);
    }
    if (outlines.closed) data += 'Z';
  }
  return data;
}

struct Writer {
  std::string svg;

  void operator()(const Outlines& outlines) {
    svg += fmt::format("<path d=\"{}\" fill-rule=\"evenodd\"{}/>\n", path_data(outlines),
                       look_attributes(outlines.look));
  }

  void operator()(const Disc& disc) {
    svg += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", coordinate(disc.centre.x),
                       coordinate(disc.centre.y), coordinate(disc.radius), look_attributes(disc.look));
  }

  void operator()(const Words& words) {
    const Label& label = words.label;
    const char* anchor = label.anchor == Anchor::kStart    ? "start"
                         : label.anchor == Anchor::kMiddle ? "middle"
                                                           : "end";
    const std::string x = coordinate(label.at.x);
    const std::string y = coordinate(label.at.y);
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" font-size=\"{}\" fill=\"{}\"", x, y,
                       anchor, coordinate(label.size), hex(words.colour));
    if (label.bold) svg += " font-weight=\"bold\"";
    if (label.turn != 0.0)
      svg += fmt::format(" transform=\"rotate({} {} {})\"", coordinate(label.turn), x, y);
    if (words.halo) {
      svg += fmt::format(
          " paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
          coordinate(0.28 * label.size));
    }
    svg += fmt::format(">{}</text>\n", escaped(label.content));
  }
};

}  // namespace

std::string to_svg(const Drawing& drawing) {
  Writer writer;
  writer.svg = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title desc\" width=\"{0}\" "
      "height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, sans-serif\">\n"
      "<title id=\"title\">{2}</title>\n<desc id=\"desc\">{3}</desc>\n<metadata>{4}</metadata>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      coordinate(drawing.width()), coordinate(drawing.height()), escaped(drawing.title()),
      escaped(drawing.description()), escaped(drawing.origin()));
  for (const Element& element : drawing.elements()) std::visit(writer, element);
  return std::move(writer.svg) + "</svg>\n";
}

}  // namespace interpole::report
