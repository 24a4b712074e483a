// Why planning came to its end.
#pragma once

namespace interpole::planning {

enum class PlanStop {
  kHorizon,      // all stages were computed
  kConverged,    // within epsilon of the optimum
  kIterations,   // as many iterations or trials as allowed
  kVectors,      // more vectors than allowed
  kPrograms,     // more linear programs than allowed
  kInterrupted,  // the sink asked to stop
};

const char* name_of(PlanStop stop);

// Thrown inside this room when a limit cuts a stage short, and turned into a PlanStop before anyone sees it.
struct PlanningCut {
  PlanStop why;
};

}  // namespace interpole::planning
