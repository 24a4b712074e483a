#include "interpole/planning/plan_stop.hpp"

namespace interpole::planning {

const char* name_of(PlanStop stop) {
  switch (stop) {
    case PlanStop::kHorizon:
      return "horizon";
    case PlanStop::kConverged:
      return "converged";
    case PlanStop::kIterations:
      return "iterations";
    case PlanStop::kVectors:
      return "vectors";
    case PlanStop::kPrograms:
      return "programs";
    case PlanStop::kInterrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace interpole::planning
