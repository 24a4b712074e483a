#include "interpole/environments/adni/adni_row.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string_view>

#include "interpole/environments/adni/adni.hpp"
#include "interpole/environments/adni/adni_cells.hpp"

namespace interpole::environments {
namespace {

void append_date(int day, std::string& out) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  const auto two = [&](unsigned value) {
    out += static_cast<char>('0' + value / 10);
    out += static_cast<char>('0' + value % 10);
  };
  const auto year = static_cast<unsigned>(static_cast<int>(date.year()));
  two(year / 100);
  two(year % 100);
  out += '-';
  two(static_cast<unsigned>(date.month()));
  out += '-';
  two(static_cast<unsigned>(date.day()));
}

int day_of(const AdniPatient& patient, const AdniVisit& visit) {
  // A few days early or late, as people are.
  return patient.baseline_day + visit.month * 761 / 25 +
         static_cast<int>((patient.rid * 7 + visit.month) % 11) - (visit.month > 0 ? 5 : 0);
}

std::string_view protocol_name(int protocol) {
  constexpr std::array<std::string_view, 3> kNames = {"ADNI1", "ADNIGO", "ADNI2"};
  return kNames[protocol];
}

// ADNI1 wrote NL for normal, later phases CN.
std::string_view state_name(int state, int protocol) {
  constexpr std::array<std::string_view, 3> kNames = {"NL", "MCI", "Dementia"};
  return state == kNormal && protocol != 0 ? "CN" : kNames[state];
}

int change_code(int previous, int current) {
  constexpr std::array<std::array<int, 3>, 3> kChanges = {{{1, 4, 6}, {7, 2, 5}, {9, 8, 3}}};
  return kChanges[previous][current];
}

void write_ptid(const AdniRow& row) {
  row.out += '"';
  for (int digits = row.patient.site, power = 100; power > 0; power /= 10) row.number(digits / power % 10);
  row.out += "_S_";
  for (std::int64_t power = 1000; power > row.patient.rid; power /= 10) row.out += '0';
  row.number(row.patient.rid);
  row.out += '"';
}

void write_diagnosis(const AdniRow& row) {
  const AdniVisit& visit = row.visit;
  if (!visit.has_diagnosis || (visit.only_code && row.format == AdniFormat::kTadpole))
    return row.missing(true);
  row.out += '"';
  if (visit.previous != visit.state) {
    row.out += state_name(visit.previous, row.patient.protocol);
    row.out += " to ";
  }
  row.out += state_name(visit.state, row.patient.protocol);
  row.out += '"';
}

void write_change(const AdniRow& row) {
  if (!row.visit.has_diagnosis) return row.missing(false);
  row.number(change_code(row.visit.previous, row.visit.state));
}

void write_baseline_diagnosis(const AdniRow& row) {
  constexpr std::array<std::string_view, 3> kNames = {"CN", "LMCI", "AD"};
  const int state = row.patient.visits.front().state;
  row.text(state == kMildImpairment && row.patient.protocol != 0 ? "EMCI" : kNames[state]);
}

void write_cdr(const AdniRow& row) {
  if (row.cdr_halves < 0) return row.missing(false);
  if (row.format == AdniFormat::kTadpole || row.cdr_halves % 2 != 0)
    return row.decimal(row.cdr_halves * 5, 10);
  row.number(row.cdr_halves / 2);
}

void write_volume(const AdniRow& row, int volume) {
  if (volume < 0) return row.missing(false);
  row.number(volume);
}

// Another structure seen in the same image.
void write_structure(const AdniRow& row, int smallest, int range) {
  if (!row.with_mri()) return row.missing(false);
  row.number(smallest + row.draws.below(range));
}

// A test score that gets worse by `slope` from one state to the next.
void write_score(const AdniRow& row, int best, int slope, int range) {
  if (!row.visit.has_cdr) return row.missing(false);
  row.number(best + slope * row.visit.state + row.draws.below(range));
}

// A measurement of a few visits only.
void write_rare(const AdniRow& row, int percent, int smallest, int range, int unit) {
  if (row.draws.below(100) >= percent) return;
  row.decimal(smallest + row.draws.below(range), unit);
}

// The same at each visit of a patient.
int trait(const AdniRow& row, std::uint64_t salt, int limit) {
  return static_cast<int>((static_cast<std::uint64_t>(row.patient.rid) * 2654435761U + salt * 40503U) %
                          65521U % limit);
}

struct Column {
  std::string_view name;
  void (*write)(const AdniRow& row);
  bool tadpole_only = false;
};

constexpr std::array kColumns = {
    Column{"RID", [](const AdniRow& row) { row.number(row.patient.rid); }},
    Column{"PTID", write_ptid},
    Column{"VISCODE", [](const AdniRow& row) { row.text(row.visit.code); }},
    Column{"SITE", [](const AdniRow& row) { row.number(row.patient.site); }},
    Column{"D1", [](const AdniRow& row) { row.number(1); }, true},
    Column{"D2", [](const AdniRow& row) { row.number(row.patient.protocol == 2 ? 1 : 0); }, true},
    Column{"COLPROT", [](const AdniRow& row) { row.text(protocol_name(row.patient.protocol)); }},
    Column{"ORIGPROT", [](const AdniRow& row) { row.text(protocol_name(row.patient.protocol)); }},
    Column{"EXAMDATE", [](const AdniRow& row) { append_date(day_of(row.patient, row.visit), row.out); }},
    Column{"DX_bl", write_baseline_diagnosis},
    Column{"DXCHANGE", write_change, true},
    Column{"AGE",
           [](const AdniRow& row) {
             if (row.patient.age_tenths >= 0) row.decimal(row.patient.age_tenths, 10);
           }},
    Column{"PTGENDER", [](const AdniRow& row) { row.text(row.patient.female ? "Female" : "Male"); }},
    Column{"PTEDUCAT", [](const AdniRow& row) { row.number(8 + trait(row, 1, 13)); }},
    Column{"PTETHCAT", [](const AdniRow& row) { row.text(trait(row, 2, 30) == 0 ? "Hisp/Latino" : "Not Hisp/Latino"); }},
    Column{"PTRACCAT", [](const AdniRow& row) { row.text(trait(row, 3, 15) == 0 ? "Black" : "White"); }},
    Column{"PTMARRY", [](const AdniRow& row) { row.text(trait(row, 4, 4) == 0 ? "Widowed" : "Married"); }},
    Column{"APOE4", [](const AdniRow& row) { row.number(row.patient.apoe4); }},
    Column{"FDG", [](const AdniRow& row) { write_rare(row, 20, 90, 60, 100); }},
    Column{"PIB", [](const AdniRow& row) { write_rare(row, 2, 120, 100, 100); }},
    Column{"AV45", [](const AdniRow& row) { write_rare(row, 10, 90, 70, 100); }},
    Column{"CDRSB", write_cdr},
    Column{"ADAS11", [](const AdniRow& row) { write_score(row, 2, 6, 8); }},
    Column{"ADAS13", [](const AdniRow& row) { write_score(row, 4, 9, 10); }},
    Column{"MMSE", [](const AdniRow& row) { write_score(row, 27, -3, 4); }},
    Column{"RAVLT_immediate", [](const AdniRow& row) { write_score(row, 38, -10, 18); }},
    Column{"RAVLT_learning", [](const AdniRow& row) { write_score(row, 5, -2, 5); }},
    Column{"RAVLT_forgetting", [](const AdniRow& row) { write_score(row, 2, 1, 5); }},
    Column{"FAQ", [](const AdniRow& row) { write_score(row, 0, 6, 5); }},
    Column{"MOCA", [](const AdniRow& row) { write_rare(row, 10, 150, 150, 10); }},
    Column{"FLDSTRENG",
           [](const AdniRow& row) { row.text(!row.with_mri() ? "" : row.patient.protocol == 0 ? "1.5 Tesla MRI" : "3 Tesla MRI"); }},
    Column{"FSVERSION",
           [](const AdniRow& row) { row.text(row.with_mri() ? "Cross-Sectional FreeSurfer (5.1)" : ""); }},
    Column{"Ventricles", [](const AdniRow& row) { write_structure(row, 12000, 30000); }},
    Column{"Hippocampus", [](const AdniRow& row) { write_volume(row, row.volume); }},
    Column{"WholeBrain", [](const AdniRow& row) { write_structure(row, 900000, 30000); }},
    Column{"Entorhinal", [](const AdniRow& row) { write_structure(row, 2200, 2400); }},
    Column{"Fusiform", [](const AdniRow& row) { write_structure(row, 13000, 8000); }},
    Column{"MidTemp", [](const AdniRow& row) { write_structure(row, 15000, 9000); }},
    Column{"ICV", [](const AdniRow& row) { write_structure(row, 1400000, 30000); }},
    Column{"DX", write_diagnosis},
    Column{"EXAMDATE_bl", [](const AdniRow& row) { append_date(row.patient.baseline_day, row.out); }},
    Column{"MMSE_bl", [](const AdniRow& row) { row.number(27 - 3 * row.patient.visits.front().state + trait(row, 5, 3)); }},
    Column{"Hippocampus_bl", [](const AdniRow& row) { write_volume(row, row.baseline_volume); }},
    Column{"Years_bl", [](const AdniRow& row) { row.decimal(std::max(0, row.visit.month) * 100 / 12, 100); }},
    Column{"Month", [](const AdniRow& row) { row.number(std::max(0, row.visit.month)); }},
    Column{"M", [](const AdniRow& row) { row.number(std::max(0, row.visit.month)); }},
    Column{"update_stamp", [](const AdniRow& row) { row.text("2017-06-21 23:50:27.0"); }},
    Column{"EXAMDATE_UCSFFSX_11_02_15_UCSFFSX51_08_01_16",
           [](const AdniRow& row) {
             if (row.with_mri()) append_date(day_of(row.patient, row.visit), row.out);
           },
           true},
    Column{"ST29SV_UCSFFSX_11_02_15_UCSFFSX51_08_01_16",
           [](const AdniRow& row) {
             if (row.with_mri()) row.number(row.volume / 2);
           },
           true},
    Column{"ST88SV_UCSFFSX_11_02_15_UCSFFSX51_08_01_16",
           [](const AdniRow& row) {
             if (row.with_mri()) row.number(row.volume - row.volume / 2);
           },
           true},
    Column{"ABETA_UPENNBIOMK9_04_19_17", [](const AdniRow& row) { write_rare(row, 8, 4000, 12000, 10); }, true},
    Column{"TAU_UPENNBIOMK9_04_19_17", [](const AdniRow& row) { write_rare(row, 8, 1000, 5000, 10); }, true},
};

// CDR-SB in halves, by level: 0; 0.5 … 2.5; 3 … 10.5.
int draw_cdr(int level, CellDraws& draws) {
  if (level == 0) return 0;
  return level == 1 ? 1 + draws.below(5) : 6 + std::min(draws.below(16), draws.below(16));
}

// A volume of this state that lies in this level. Whole numbers, so none falls on a cut (6029.5, 7254.5).
int draw_volume(int state, int level, CellDraws& draws) {
  constexpr double kLow = kHippocampusMean - kHippocampusSpread / 2.0;
  constexpr double kHigh = kHippocampusMean + kHippocampusSpread / 2.0;
  while (true) {
    const long volume = std::lround(kVolumeMean[state] + kVolumeSpread[state] * draws.stream().normal());
    const auto size = static_cast<double>(volume);
    const int drawn = size < kLow ? 0 : size <= kHigh ? 1 : 2;
    if (drawn == level && volume > 2000) return static_cast<int>(volume);
  }
}

int draw_volume(const AdniVisit& visit, CellDraws& draws) {
  const int level = hippocampus_of(visit.outcome);
  return level == kNotOrdered ? -1 : draw_volume(visit.state, level, draws);
}

}  // namespace

std::string adni_header(AdniFormat format) {
  std::string line;
  for (const Column& column : kColumns) {
    if (column.tadpole_only && format != AdniFormat::kTadpole) continue;
    if (!line.empty()) line += ',';
    line += '"';
    line += column.name;
    line += '"';
  }
  return line + '\n';
}

void append_adni_rows(std::uint64_t seed, const AdniPatient& patient, AdniFormat format, std::string& out,
                      std::vector<std::size_t>& begins) {
  CellDraws draws(seed, patient.rid);
  int baseline_volume = -1;
  for (const AdniVisit& visit : patient.visits) {
    begins.push_back(out.size());
    const int volume = draw_volume(visit, draws);
    if (visit.code == "bl") baseline_volume = volume;
    const int cdr = visit.has_cdr ? draw_cdr(cdr_of(visit.outcome), draws) : -1;
    const AdniRow row{patient, visit, format, baseline_volume, volume, cdr, draws, out};
    for (const Column& column : kColumns) {
      if (column.tadpole_only && format != AdniFormat::kTadpole) continue;
      column.write(row);
      out += ',';
    }
    out.back() = '\n';
  }
}

}  // namespace interpole::environments
