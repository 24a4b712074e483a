// Texts of good model files, and what the reader says once one thing in them is spoiled.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/model_file.hpp"

namespace interpole::model {

// As docs/model-file.md and the published contract print it.
inline constexpr const char* kPublished = R"({ "format": "interpole-model", "version": 1,
  "states": ["healthy", "diseased"],
  "actions": ["monitor", "declare-healthy", "declare-diseased"],
  "observations": ["negative", "positive"],
  "initial_belief": [0.5, 0.5],
  "transition":  [[[1,0],[0,1]], [[1,0],[0,1]], [[1,0],[0,1]]],
  "observation": [[[0.6,0.4],[0.4,0.6]], null, null],
  "inverse_temperature": 10,
  "means": [[0.5,0.5],[1.3,-0.3],[-0.3,1.3]] })";

// As it is written, with numbers of the world and extras.
inline constexpr const char* kWritten = R"({
  "format": "interpole-model",
  "version": 1,
  "states": ["healthy", "diseased"],
  "actions": ["test", "declare"],
  "observations": ["negative", "positive", "not done"],
  "initial_belief": [0.25, 0.75],
  "transition": [
    [
      [0.9, 0.1],
      [0, 1]
    ],
    [
      [1, 0],
      [0, 1]
    ]
  ],
  "observation": [
    [
      [0.6, 0.4, 0],
      [0.4, 0.6, 0]
    ],
    null
  ],
  "inverse_temperature": 10,
  "means": [
    [0.5, 0.5],
    [1.3, -0.3]
  ],
  "outcomes": [
    ["negative", "positive"],
    null
  ],
  "world": {
    "initial_belief": [0.25, 0.75],
    "transition": [
      [
        [1, 0],
        [0, 1]
      ],
      [
        [1, 0],
        [0, 1]
      ]
    ],
    "observation": [
      [
        [0.6, 0.4, 0],
        [0.1, 0.9, 0]
      ],
      null
    ]
  },
  "provenance": {
    "program": "interpole \"1\"",
    "seeds": [1, 2],
    "none": {}
  },
  "table": [
    [1.5, null],
    []
  ]
}
)";

// To be spoiled.
inline const std::string kGood = R"({"format": "interpole-model", "version": 1,
"states": ["h", "d"], "actions": ["test", "declare"], "observations": ["-", "+"],
"initial_belief": [0.5, 0.5],
"transition": [[[0.9, 0.1], [0, 1]], [[1, 0], [0, 1]]],
"observation": [[[0.6, 0.4], [0.3, 0.7]], null],
"inverse_temperature": 10,
"means": [[0.5, 0.5], [1.3, -0.3]],
"outcomes": [["-", "+"], null],
"world": {"initial_belief": [0.2, 0.8], "transition": [[[1, 0], [0, 1]], [[1, 0], [0, 1]]],
          "observation": [[[0.8, 0.2], [0.1, 0.9]], null]},
"provenance": {"seed": 7}})";

// What a file of version 2 may have beside: every kind of term.
inline const std::string kPolicy = R"("version": 2,
"policy": {"inertia": 0.2, "lapse": 0.05,
  "covariates": [{"name": "sex", "categories": ["f", "m"]}, {"name": "age", "centre": 60, "scale": 9},
                 {"name": "site", "categories": ["A", "B", "C"]}],
  "terms": [{"kind": "habit", "weights": [[0.3, -0.3], [0, 0]]},
            {"kind": "time", "period": 2, "weights": [[1, -1], [-1, 1]]},
            {"kind": "missing", "weights": [[0.5, -0.5]]},
            {"kind": "context", "covariate": "sex", "weights": [[0.1, -0.1], [-0.1, 0.1]]},
            {"kind": "context", "covariate": "age", "weights": [[-2, 2]]},
            {"kind": "group", "covariate": "site", "weights": [[1, -1], [0, 0], [-1, 1]]}]})";

inline std::string with_policy(const std::string& policy = kPolicy) {
  std::string text = kGood;
  const std::string version = R"("version": 1)";
  return text.replace(text.find(version), version.size(), policy);
}

inline std::string refusal_of(const std::string& text) {
  return base::complaint_of([&] { parse_model(text, "m.json"); });
}

struct Spoiled {
  std::string from;  // this part of the good file …
  std::string to;    // … is replaced by this
  std::string message;
};

inline std::string spoil(std::string text, const Spoiled& spoiled) {
  const std::size_t at = text.find(spoiled.from);
  EXPECT_NE(at, std::string::npos) << spoiled.from;
  if (at != std::string::npos) text.replace(at, spoiled.from.size(), spoiled.to);
  return text;
}

}  // namespace interpole::model
