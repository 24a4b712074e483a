#include "interpole/service/study/study_sql_task.hpp"

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/data/warehouse/count_query.hpp"
#include "interpole/service/run_files.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

std::string run_study_sql(const StudySqlRequest& request) {
  const data::CountQueryOptions options{data::SqlDialect::named(request.dialect), request.table,
                                        request.min_cell};
  require_separate_files({{"option output", request.output}}, {{"study", request.study}});
  std::string query = data::count_query(read_study(request.study), options);
  if (!request.output.empty()) base::write_file_atomically(request.output, query);
  return query;
}

}  // namespace interpole::service
