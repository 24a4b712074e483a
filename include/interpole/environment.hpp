// Simulated worlds with a decision-maker whose mind is known: what a fit should find again.
#pragma once

#include <string>
#include <vector>

#include "interpole/parameters.hpp"

namespace interpole {

struct Environment {
  std::string name;
  Model truth;                 // `agent` is in the decision-maker's head; `world` is always set
  int longest_record = 0;      // a record that has not ended by itself is cut after so many steps
  int typical_patients = 100;  // how many a data set has unless asked otherwise
  double results_lost = 0.0;   // share of results, or of measured values, that nobody gets to see
  std::vector<double> gaps{};  // between visits, equally likely, where visits have times
};

// DIAG (paper, C.1): monitor a patient by a test that errs in 40% of cases, until about 90% sure; then
// declare.
Environment diag();

// BIAS (paper, C.1): as DIAG, but the decision-maker believes that the test misses only 20% of the diseased.
Environment bias();

// Moves the belief at which the doctor of DIAG or BIAS declares (0.9 otherwise). Throws a usage error unless
// it is between 0.5 and 1.
void declare_at(Environment& environment, double boundary);

// The decision tree of the paper's C.4 (decision_tree.cpp derives its numbers): a guideline that orders a
// test for the subtype when there is a "significant risk" of disease, which here means more than 30%.
Environment decision_tree();

// Like the paper's ADNI study: is an MRI ordered at this six-monthly visit? (adni.hpp, adni_table.hpp)
Environment adni();

// A ward where patients fall ill, and are tested and treated. Clinicians see the world as it is, but also
// have habits, follow a protocol, lapse, and differ by site and by the patient's age. The plain one follows
// beliefs alone.
Environment ward();
Environment plain_ward();

// A ward with two kinds of clinicians: two in three treat when illness is likely, the others as soon as it is
// suspected.
Environment two_kinds_ward();
// plain_ward, and with every result a sign that is right in three of four cases: outcome z is result z/2 with
// sign z%2. A table without the sign holds z/2.
Environment signed_ward();

// A ward where more of the women and of the old arrive ill, which its clinicians know.
Environment starts_ward();

// An intermediate care unit where factors are measured: pressure, breaths, and lactate where it is asked for.
// Single cells are lost. Clinicians take a lactate in shock for lower than it is.
Environment vitals();

// An outpatient clinic whose patients come back after days or weeks, sooner or later by chance: pressure and
// urgency by number, and a test. Its clinicians think that a flare comes more slowly than it does.
Environment outpatient_clinic();

// "diag", "bias", "tree", "adni", "ward", "kinds", "starts", "vitals" or "clinic". Throws a usage error that
// lists these for any other name.
Environment environment_named(const std::string& name);
const std::vector<std::string>& environment_names();

// What outcomes really follow: the world where it is stated, else what the agent believes.
inline const Dynamics& world_of(const Model& model) {
  return model.world ? *model.world : model.agent.dynamics;
}

}  // namespace interpole
