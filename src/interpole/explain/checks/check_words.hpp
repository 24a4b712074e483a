// Checks as numbers for people, and in sentences.
#pragma once

#include <string>

#include "interpole/explain/checks/check_family.hpp"
#include "interpole/explain/checks/joint_chi_square.hpp"
#include "interpole/model_checks.hpp"

namespace interpole::explain {

// Everything of a check but whether it failed, which depends on the others, and its sentence.
ModelCheck checked_numbers(const Structure& structure, const CheckFamily& family, const CategorySites& sites,
                           const Eigen::VectorXd& observed, const Eigen::VectorXd& expected,
                           const Eigen::MatrixXd& chance, const JointChiSquare& test, double level);

std::string sentence_of(const ModelCheck& check);

}  // namespace interpole::explain
