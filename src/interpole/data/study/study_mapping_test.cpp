// Studies that map a table: what is read from them, and every refusal.

#include <gmock/gmock.h>

#include "interpole/data/mapping/mapped_testing.hpp"
#include "interpole/data/study/study_file_testing.hpp"

namespace interpole::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string complaint(const std::string& text) {
  return study_file::refusal_of(text);
}

std::string complaint(const ClinicStudy& study) {
  return complaint(study.text());
}

TEST(StudyMapping, DerivesJointOutcomesMasksAndLevels) {
  const Study study = ClinicStudy().parse();
  ASSERT_TRUE(study.mapping.has_value());
  EXPECT_THAT(study.structure.observations,
              ElementsAre("low | small", "low | large", "low | not ordered", "high | small", "high | large",
                          "high | not ordered"));
  EXPECT_THAT(study.structure.allowed, ElementsAre(0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0));
  const TableMapping& mapping = *study.mapping;
  std::vector<int> levels(6);
  for (int z = 0; z < 6; ++z) levels[z] = 10 * mapping.level_of(z, 0) + mapping.level_of(z, 1);
  EXPECT_THAT(levels, ElementsAre(0, 1, 2, 10, 11, 12));
  EXPECT_EQ(mapping.factors[1].measured_levels(), 2);
  EXPECT_EQ(mapping.factors[0].measured_levels(), 2);
}

TEST(StudyMapping, NumbersThreeFactorsWithTheLastVaryingFastest) {
  ClinicStudy study;
  study.factors +=
      "[[factors]]\nname = \"more\"\ncolumn = \"x\"\nkind = \"categorical\"\nlevels = [\"p\", \"q\"]\n";
  const Study parsed = study.parse();
  const TableMapping& mapping = *parsed.mapping;
  for (int z = 0; z < 12; ++z) {
    const std::string name = mapping.factors[0].levels[mapping.level_of(z, 0)] + " | " +
                             mapping.factors[1].levels[mapping.level_of(z, 1)] + " | " +
                             mapping.factors[2].levels[mapping.level_of(z, 2)];
    EXPECT_EQ(parsed.structure.observations[z], name);
  }
}

TEST(StudyMapping, TerminalActionsYieldNothing) {
  ClinicStudy study;
  study.actions += "[[actions]]\nname = \"stop\"\nterminal = true\n";
  const Study parsed = study.parse();
  EXPECT_TRUE(parsed.structure.is_terminal(2));
  for (int z = 0; z < 6; ++z) EXPECT_FALSE(parsed.structure.can_yield(2, z));
}

TEST(StudyMapping, ReadsEverySection) {
  ClinicStudy study;
  study.source =
      "[source]\ntables = [\"visits\", \"people\"]\nsql = \"SELECT * FROM visits\"\ndelimiter = \";\"\n"
      "missing = [\"\", \"NA\"]\n";
  study.record =
      "[record]\nid = \"RID\"\norder = \"MONTH\"\nkind = \"number\"\nspacing = 6\ntolerance = 1.5\nfirst = "
      "0\n"
      "gaps = \"drop\"\n";
  study.action = "[action]\npresent = \"size\"\nif_present = \"scan\"\nif_absent = \"wait\"\n";
  study.rest =
      "[filters]\nwhere = \"age > 3\"\nrequired = [\"DX\"]\nminimum_visits = 2\ndrop_if_last = \"DX = 'x'\"\n"
      "[[covariates]]\nname = \"old\"\nsql = \"age > 75\"\n[group]\ncolumn = \"SITE\"\n";
  const Study parsed = study.parse();
  const TableMapping& mapping = *parsed.mapping;
  EXPECT_EQ(mapping.study, "s.toml");
  EXPECT_THAT(mapping.source.tables, ElementsAre("visits", "people"));
  EXPECT_EQ(mapping.source.delimiter, ';');
  EXPECT_EQ(mapping.record.kind, OrderKind::kNumber);
  EXPECT_EQ(mapping.record.spacing, 6.0);
  EXPECT_EQ(mapping.record.tolerance, 1.5);
  EXPECT_EQ(mapping.record.first, 0.0);
  EXPECT_EQ(mapping.record.gaps, GapRule::kDrop);
  EXPECT_TRUE(mapping.action.by_presence);
  EXPECT_EQ(mapping.action.if_present, 1);
  EXPECT_EQ(mapping.action.if_absent, 0);
  EXPECT_EQ(mapping.filters.minimum_visits, 2);
  EXPECT_EQ(mapping.filters.drop_if_last, "DX = 'x'");
  EXPECT_EQ(mapping.covariates[0].sql, "age > 75");
  EXPECT_EQ(mapping.group, "SITE");
  EXPECT_FALSE(parsed.labels.has_value());
}

TEST(StudyMapping, NamesStatesByAFactorsLevel) {
  ClinicStudy study;
  study.rest = "[labels]\nfactor = \"score\"\nlevel = \"high\"\norder = [\"ill\", \"well\"]\n";
  const Study parsed = study.parse();
  EXPECT_EQ(parsed.labels->description, "\"high\" of \"score\"");
  EXPECT_THAT(parsed.labels->order, ElementsAre(1, 0));
  EXPECT_THAT(parsed.labels->outcomes, ElementsAre(Outcome{0, 5}, Outcome{1, 3}, Outcome{1, 4}));
}

TEST(StudyMapping, NamesStatesByDiagnosesOrByOneOutcome) {
  ClinicStudy study;
  study.rest = "[labels]\ncolumn = \"DX\"\nvalues = { AD = \"ill\", NL = \"well\" }\n";
  const Study diagnosed = study.parse();
  EXPECT_FALSE(diagnosed.labels.has_value());
  EXPECT_THAT(diagnosed.mapping->diagnosis->values, ElementsAre(CellMeaning{"AD", 1}, CellMeaning{"NL", 0}));
  study.rest = "[labels]\ncolumn = \"DX\"\n";
  EXPECT_THAT(study.parse().mapping->diagnosis->values,
              ElementsAre(CellMeaning{"well", 0}, CellMeaning{"ill", 1}));
  study.rest = "[labels]\naction = \"scan\"\nobservation = \"high | large\"\norder = [\"well\", \"ill\"]\n";
  EXPECT_THAT(study.parse().labels->outcomes, ElementsAre(Outcome{1, 4}));
}

TEST(StudyMapping, RefusesSectionsOfAMappingWithoutSource) {
  const std::string plain =
      "format = \"interpole-study\"\nversion = 1\nstates = [\"s\"]\nobservations = "
      "[\"z\"]\n[[actions]]\nname = \"a\"\n";
  EXPECT_EQ(complaint(plain), "accepted");
  EXPECT_EQ(complaint(plain + "[record]\nid = \"x\"\n"),
            "s.toml:7: record: belongs to a study that maps a table of its own; add [source]");
  EXPECT_EQ(complaint(plain + "[[factors]]\nname = \"x\"\n"),
            "s.toml:7: factors: belongs to a study that maps a table of its own; add [source]");
}

TEST(StudyMapping, RefusesWhatTheFactorsSettle) {
  ClinicStudy study;
  study.actions = "[[actions]]\nname = \"wait\"\noutcomes = [\"x\"]\n";
  study.factors = "";
  EXPECT_EQ(complaint(study),
            "s.toml:6: actions[0].outcomes: follows from the factors' yielded_by in a study with [source]; "
            "remove the key");
  EXPECT_EQ(complaint("observations = [\"x\"]\n" + ClinicStudy().text()),
            "s.toml:1: observations: follow from the factors in a study with [source]; remove the key");
}

TEST(StudyMapping, RefusesMissingSections) {
  ClinicStudy study;
  study.factors = "";
  EXPECT_THAT(complaint(study), HasSubstr("s.toml: factors: the key is missing; add a [[factors]] table"));
  study.record = "";
  EXPECT_THAT(complaint(study),
              HasSubstr("s.toml: record: the key is missing; add [record] with id and order"));
  study = {};
  study.action = "";
  EXPECT_THAT(complaint(study), HasSubstr("s.toml: action: the key is missing; add [action]"));
}

TEST(StudyMapping, RefusesBadSources) {
  const auto of = [](const std::string& source) {
    ClinicStudy study;
    study.source = "[source]\n" + source;
    return complaint(study);
  };
  EXPECT_THAT(of(""), HasSubstr("source.tables: the key is missing; name the table"));
  EXPECT_THAT(of("tables = []\n"), HasSubstr("source.tables: the list is empty"));
  EXPECT_THAT(of("tables = [\"my table\"]\n"),
              HasSubstr("source.tables[0]: \"my table\" is not a name for a table; use"));
  EXPECT_THAT(of("tables = [\"a\", \"A\"]\nsql = \"x\"\n"),
              HasSubstr("\"A\" is listed twice (case is ignored)"));
  EXPECT_THAT(of("tables = [\"a\", \"b\"]\n"),
              HasSubstr("source.sql: the key is missing; several tables must be joined"));
  EXPECT_THAT(of("tables = [\"a\"]\nsql = \" \"\n"), HasSubstr("source.sql: the text is empty"));
  EXPECT_THAT(of("tables = [\"a\"]\ndelimiter = \"ab\"\n"),
              HasSubstr("source.delimiter: \"ab\" is not a delimiter"));
  EXPECT_THAT(of("tables = [\"a\"]\ndelimiter = \"\\\"\"\n"), HasSubstr("is not a delimiter"));
  EXPECT_THAT(of("tables = [\"a\"]\nmising = []\n"),
              HasSubstr("source.mising: unknown key; did you mean \"missing\"?"));
  EXPECT_THAT(of("tables = [\"a\"]\nmissing = [-4]\n"),
              HasSubstr("source.missing[0]: expected a text in quotes, found the number -4"));
}

TEST(StudyMapping, RefusesBadRecords) {
  const auto of = [](const std::string& record) {
    ClinicStudy study;
    study.record = "[record]\nid = \"id\"\norder = \"visit\"\n" + record;
    return complaint(study);
  };
  EXPECT_THAT(of(""), HasSubstr("record.codes: the key is missing; say how visits are ordered: codes"));
  EXPECT_THAT(of("codes = [\"a\"]\nkind = \"date\"\n"),
              HasSubstr("record.codes: stated beside kind; keep one"));
  EXPECT_THAT(of("codes = []\n"), HasSubstr("record.codes: the list is empty"));
  EXPECT_THAT(of("codes = [\"a\", \"a\"]\n"), HasSubstr("record.codes[1]: \"a\" is listed twice"));
  EXPECT_THAT(of("kind = \"month\"\n"),
              HasSubstr("record.kind: expected \"number\" or \"date\", found the text \"month\""));
  EXPECT_THAT(of("codes = [\"bl\", \"m06\"]\nfirst = \"b1\"\n"),
              HasSubstr("record.first: \"b1\" is not one of the codes; did you mean \"bl\"?"));
  EXPECT_THAT(of("kind = \"date\"\nfirst = \"2001-01-01\"\n"),
              HasSubstr("record.first: records ordered by date have no"));
  EXPECT_THAT(of("kind = \"number\"\nfirst = \"0\"\n"),
              HasSubstr("record.first: expected a number, found the text \"0\""));
  EXPECT_THAT(of("kind = \"number\"\nspacing = 0\n"), HasSubstr("record.spacing: 0 must be above 0"));
  EXPECT_THAT(of("kind = \"number\"\nspacing = 1\ntolerance = -1\n"),
              HasSubstr("record.tolerance: -1 must not be negative"));
  EXPECT_THAT(of("kind = \"number\"\ngaps = \"cut\"\n"),
              HasSubstr("record.gaps: means something only with spacing"));
  EXPECT_THAT(of("kind = \"number\"\nspacing = 1\ngaps = \"end\"\n"),
              HasSubstr("record.gaps: expected \"cut\""));
  ClinicStudy study;
  study.record = "[record]\norder = \"visit\"\nkind = \"number\"\n";
  EXPECT_THAT(complaint(study),
              HasSubstr("record.id: the key is missing; name the column that tells whose row it is"));
}

TEST(StudyMapping, RefusesBadActions) {
  const auto of = [](const std::string& action) {
    ClinicStudy study;
    study.action = "[action]\n" + action;
    return complaint(study);
  };
  EXPECT_THAT(of(""), HasSubstr("action.column: the key is missing; name the column that holds the action"));
  EXPECT_THAT(of("column = \"a\"\npresent = \"b\"\n"), HasSubstr("action.column: stated beside present"));
  EXPECT_THAT(of("column = \"a\"\nif_absent = \"wait\"\n"), HasSubstr("action.if_absent: goes with present"));
  EXPECT_THAT(of("column = \"a\"\nvalues = { x = \"scam\" }\n"),
              HasSubstr("action.values.x: \"scam\" is not an action; did you mean \"scan\"?"));
  EXPECT_THAT(of("column = \"a\"\nvalues = {}\n"), HasSubstr("action.values: the table is empty"));
  EXPECT_THAT(of("present = \"a\"\nif_present = \"scan\"\n"),
              HasSubstr("action.if_absent: the key is missing"));
  EXPECT_THAT(of("present = \"a\"\nvalues = { x = \"scan\" }\nif_present = \"scan\"\nif_absent = \"wait\"\n"),
              HasSubstr("action.values: goes with column"));
}

TEST(StudyMapping, RefusesBadFactors) {
  const auto of = [](const std::string& factor) {
    ClinicStudy study;
    study.factors = "[[factors]]\nname = \"f\"\ncolumn = \"c\"\n" + factor;
    return complaint(study);
  };
  const std::string numeric = "kind = \"numeric\"\nlevels = [\"a\", \"b\"]\n";
  const std::string categorical = "kind = \"categorical\"\nlevels = [\"a\", \"b\"]\n";
  EXPECT_EQ(of(numeric + "cuts = [1]\n"), "accepted");
  EXPECT_EQ(of(categorical), "accepted");
  EXPECT_EQ(of("kind = \"numeric\"\nbins = { sd = 0.5 }\n"), "accepted");
  EXPECT_THAT(of(""), HasSubstr("factors[0].kind: the key is missing"));
  EXPECT_THAT(of("kind = \"number\"\n"),
              HasSubstr("factors[0].kind: expected \"numeric\" or \"categorical\", found the text"));
  EXPECT_THAT(of("kind = \"numeric\"\ncuts = [1]\n"),
              HasSubstr("factors[0].levels: the key is missing; name the levels, from low to high"));
  EXPECT_THAT(of(numeric), HasSubstr("factors[0].cuts: the key is missing; a numeric factor needs cuts"));
  EXPECT_THAT(of(numeric + "cuts = [1]\nbins = { sd = 1 }\n"),
              HasSubstr("factors[0].cuts: stated beside bins"));
  EXPECT_THAT(of(numeric + "cuts = [1, 2]\n"), HasSubstr("factors[0].levels: 2 levels for 3 bins"));
  EXPECT_THAT(of(numeric + "cuts = [2, 1]\n"), HasSubstr("factors[0].cuts[1]: 1 does not come after 2"));
  EXPECT_THAT(of(numeric + "cuts = [nan]\n"), HasSubstr("factors[0].cuts[0]: nan is not a finite number"));
  EXPECT_THAT(of(numeric + "bins = { sd = 1 }\n"), HasSubstr("2 levels for 3 bins"));
  EXPECT_THAT(of(numeric + "bins = { sd = 1, quantiles = [0.5] }\n"),
              HasSubstr("factors[0].bins: write either { sd"));
  EXPECT_THAT(of("kind = \"numeric\"\nbins = { sd = 1, mean = 3 }\n"),
              HasSubstr("factors[0].bins: mean and spread go together"));
  EXPECT_THAT(of("kind = \"numeric\"\nbins = { sd = -1 }\n"),
              HasSubstr("factors[0].bins.sd: -1 must be above 0"));
  EXPECT_THAT(of(numeric + "bins = { quantiles = [1] }\n"),
              HasSubstr("factors[0].bins.quantiles[0]: 1 is not between 0 and 1"));
  EXPECT_THAT(of(numeric + "cuts = [1]\nupper = \"yes\"\n"),
              HasSubstr("factors[0].upper: expected \"inclusive\""));
  EXPECT_THAT(of("kind = \"numeric\"\nbins = { sd = 1 }\nupper = \"exclusive\"\n"),
              HasSubstr("factors[0].upper: with bins = { sd"));
  EXPECT_THAT(of(numeric + "cuts = [1]\nvalues = { x = \"a\" }\n"),
              HasSubstr("factors[0].values: only a categorical factor"));
  EXPECT_THAT(of(categorical + "cuts = [1]\n"), HasSubstr("factors[0].cuts: only a numeric factor has bins"));
  EXPECT_THAT(of(categorical + "values = { x = \"c\" }\n"),
              HasSubstr("factors[0].values.x: \"c\" is not a level of this factor; there are"));
  EXPECT_THAT(of("kind = \"categorical\"\nlevels = []\n"), HasSubstr("factors[0].levels: the list is empty"));
  EXPECT_THAT(of("kind = \"categorical\"\nlevels = [\"a\", \"a\"]\n"),
              HasSubstr("factors[0].levels[1]: \"a\" is listed twice"));
  EXPECT_THAT(of("kind = \"categorical\"\nlevels = [\"a | b\"]\n"),
              HasSubstr("contains \" | \", which joins"));
  EXPECT_THAT(of(categorical + "otherwise = \"x\"\n"),
              HasSubstr("factors[0].otherwise: this factor is measured whatever"));
  EXPECT_THAT(of(categorical + "yielded_by = []\n"), HasSubstr("factors[0].yielded_by: the list is empty"));
  EXPECT_THAT(of(categorical + "yielded_by = [\"scam\"]\n"),
              HasSubstr("factors[0].yielded_by[0]: \"scam\" is not an action; did you mean \"scan\"?"));
  EXPECT_THAT(of(categorical + "yielded_by = [\"scan\", \"wait\"]\n"),
              HasSubstr("factors[0].yielded_by: every action yields it"));
  EXPECT_THAT(of(categorical + "yielded_by = [\"scan\"]\notherwise = \"a\"\n"),
              HasSubstr("factors[0].otherwise: \"a\" is also among the levels"));
  EXPECT_THAT(of(categorical + "yielded = [\"scan\"]\n"),
              HasSubstr("factors[0].yielded: unknown key; did you mean \"yielded_by\"?"));
  EXPECT_THAT(of(categorical + "[[factors]]\nname = \"f\"\ncolumn = \"d\"\n" + categorical),
              HasSubstr("factors[1].name: \"f\" is there twice"));
}

TEST(StudyMapping, RefusesMoreOutcomesThanAModelCanHold) {
  ClinicStudy study;
  study.factors = "";
  for (int k = 0; k < 12; ++k) {
    study.factors += joined("[[factors]]\nname = \"f", k, "\"\ncolumn = \"c\"\nkind = \"categorical\"\n",
                            "levels = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\"]\n");
  }
  EXPECT_THAT(complaint(study),
              HasSubstr("2 actions with 2 states and 68719476736 observations make a model of"));
}

TEST(StudyMapping, RefusesBadFiltersCovariatesAndGroups) {
  const auto of = [](const std::string& rest) {
    ClinicStudy study;
    study.rest = rest;
    return complaint(study);
  };
  EXPECT_THAT(of("[filters]\nwere = \"x\"\n"),
              HasSubstr("filters.were: unknown key; did you mean \"where\"?"));
  EXPECT_THAT(of("[filters]\nwhere = \"\"\n"), HasSubstr("filters.where: the text is empty"));
  EXPECT_THAT(of("[filters]\nminimum_visits = 0\n"),
              HasSubstr("filters.minimum_visits: 0 must be 1 or more"));
  EXPECT_THAT(of("[filters]\nrequired = [\"a\", \"a\"]\n"),
              HasSubstr("filters.required[1]: \"a\" is listed twice"));
  EXPECT_THAT(of("[[covariates]]\nname = \"a\"\n"), HasSubstr("covariates[0].sql: the key is missing"));
  EXPECT_THAT(of("[[covariates]]\nname = \"a\"\nsql = \"x\"\n[[covariates]]\nname = \"a\"\nsql = \"y\"\n"),
              HasSubstr("covariates[1].name: \"a\" is there twice"));
  EXPECT_THAT(of("[group]\n"), HasSubstr("group.column: the key is missing"));
}

TEST(StudyMapping, RefusesBadLabels) {
  const auto of = [](const std::string& labels) {
    ClinicStudy study;
    study.rest = "[labels]\n" + labels;
    return complaint(study);
  };
  EXPECT_THAT(of("factor = \"scores\"\nlevel = \"high\"\norder = [\"well\", \"ill\"]\n"),
              HasSubstr("labels.factor: \"scores\" is not a factor; did you mean \"score\"?"));
  EXPECT_THAT(
      of("factor = \"score\"\nlevel = \"medium\"\norder = [\"well\", \"ill\"]\n"),
      HasSubstr("labels.level: \"medium\" is not a level of the factor; there are \"low\", \"high\""));
  EXPECT_THAT(of("factor = \"size\"\nlevel = \"not ordered\"\norder = [\"well\", \"ill\"]\n"),
              HasSubstr("labels.level: \"not ordered\" says that the factor was not measured"));
  EXPECT_THAT(of("factor = \"score\"\nlevel = \"high\"\norder = [\"well\", \"well\"]\n"),
              HasSubstr("labels.order[1]: \"well\" is listed twice"));
  EXPECT_THAT(of("factor = \"score\"\nlevel = \"high\"\norder = [\"well\"]\n"),
              HasSubstr("labels.order: the list has 1 elements; it must have 2, each state once"));
  EXPECT_THAT(of("column = \"DX\"\norder = [\"well\", \"ill\"]\n"), HasSubstr("labels.order: unknown key"));
  EXPECT_THAT(of("column = \"DX\"\nfactor = \"score\"\n"),
              HasSubstr("labels.factor: stated beside column; keep one of the two"));
  EXPECT_THAT(of("action = \"scan\"\nfactor = \"score\"\n"),
              HasSubstr("labels.action: stated beside factor; keep one of the two"));
  EXPECT_THAT(of("column = \"DX\"\nvalues = { a = \"sick\" }\n"),
              HasSubstr("labels.values.a: \"sick\" is not a state"));
}

}  // namespace
}  // namespace interpole::data
