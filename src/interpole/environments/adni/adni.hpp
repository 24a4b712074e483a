// The decision-maker and the world behind `simulate adni`: shaped like the paper's ADNI study (its section 5
// and Figure 4), with numbers of our own (adni.cpp says which, and why).
#pragma once

#include <array>

#include "interpole/environment.hpp"

namespace interpole::environments {

// Order of the names in the environment's structure, and of the levels in studies/adni/*.toml.
inline constexpr int kNormal = 0, kMildImpairment = 1, kDementia = 2, kAdniStates = 3;
inline constexpr int kNoMri = 0, kMri = 1;
inline constexpr int kCdrLevels = 3;          // normal, questionable, impaired
inline constexpr int kHippocampusLevels = 4;  // below, within, above, not ordered
inline constexpr int kNotOrdered = 3;

// The outcome "level of CDR-SB | level of hippocampal volume" and its parts.
inline int adni_outcome(int cdr, int hippocampus) {
  return cdr * kHippocampusLevels + hippocampus;
}
inline int cdr_of(int outcome) {
  return outcome / kHippocampusLevels;
}
inline int hippocampus_of(int outcome) {
  return outcome % kHippocampusLevels;
}

// Hippocampal volume (mm³) in the simulated world: normal in each state, cut into levels at half a standard
// deviation either side of the authors' population mean, 6642 ± 1225.
inline constexpr double kHippocampusMean = 6642.0;
inline constexpr double kHippocampusSpread = 1225.0;
inline constexpr std::array<double, kAdniStates> kVolumeMean = {7430.0, 6780.0, 5760.0};
inline constexpr std::array<double, kAdniStates> kVolumeSpread = {900.0, 1150.0, 1030.0};

// Six-monthly visits from baseline (bl) to month 114.
inline constexpr int kAdniVisits = 20;

}  // namespace interpole::environments
