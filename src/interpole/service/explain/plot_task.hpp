// `interpole plot`: one figure, as an SVG or a PDF file (docs/figures.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct PlotRequest {
  std::string kind;  // one of figure_kinds()
  std::string model;
  std::string study;  // for data that are not a visits table
  DataFiles data;     // not needed for a tree or a bias figure
  std::string draws;  // from `sample`; empty: the model's own approximation, if it has one
  std::vector<std::string> patients;
  std::vector<std::string> tests;  // actions that are tests, for figure4; empty: told by what they measure
  std::string output;              // ends in .svg or .pdf; "-": SVG to standard output
  bool show_ids = false;           // patients are "Patient A" otherwise
  double level = 0.9;              // of bands and intervals
  int draw_count = 200;            // at most so many draws are used
  int min_cell = 11;               // counts below it are withheld
  double margin = 0.05;            // a difference in probability that matters, for bias
  std::uint64_t seed = 1;
  int threads = 0;        // for shares, which fits the model again and again
  void validate() const;  // throws a usage error
};

const std::vector<std::string>& figure_kinds();

void run_plot(const PlotRequest& request, Sink& sink);

}  // namespace interpole::service
