// Three states: the path of one record over the decision regions.
#include "interpole/report/belief_path.hpp"
#include "interpole/report/palette.hpp"
#include "interpole/report/sentences.hpp"
#include "interpole/report/triangle.hpp"

namespace interpole {

Markup triangle_path(const Model& model, const BeliefTrace& trace, const std::string& id,
                     const std::string& title) {
  constexpr double kWidth = 520, kHeight = 450;
  constexpr double kFewPoints = 40;  // more markers than this hide the path
  const Triangle triangle{{60, 390}, 400};
  const Policy& policy = model.agent.policy;
  Svg svg(id, kWidth, kHeight, title + ": path of the belief over the decision regions",
          trace_sentence(model, trace));
  const auto regions = decision_polygons(policy);
  draw_triangle_regions(svg, triangle, model.structure, regions, decision_boundaries(policy));
  draw_triangle_names(svg, triangle, model.structure, regions);
  std::vector<Point> points;
  points.reserve(trace.points());
  for (int i = 0; i < trace.points(); ++i) points.push_back(triangle.at(trace.at(i)));
  svg.polyline(points, "trail");
  for (int i = 0; i < trace.decisions && trace.points() <= kFewPoints; ++i) {
    draw_action(svg, trace.step(i).action, points[i], 4.5);
  }
  if (trace.points() > trace.decisions) svg.circle(points.back(), 3.5, "after");
  svg.text({points.front().x, points.front().y - 10}, Anchor::kMiddle, "small halo", "start");
  const Point shift{points.back().x - points.front().x, points.back().y - points.front().y};
  const bool apart =
      shift.x * shift.x + shift.y * shift.y > 40 * 40;  // pixels, so that the two words do not collide
  if (apart) svg.text({points.back().x, points.back().y - 10}, Anchor::kMiddle, "small halo", "end");
  draw_triangle_frame(svg, triangle, model.structure);
  return svg.finish();
}

}  // namespace interpole
