# Fits the model in Stan with L-BFGS: Rscript fit_stan.R MODEL.stan FOLDER STUDY...
#
# Reads FOLDER/STUDY.csv and FOLDER/STUDY-start.json, writes FOLDER/STUDY-stan.json. The model is compiled once.
source(file.path("bench", "peers", "stan_common.R"))

repetitions <- 5
split_likelihood <- function(pair) {
  list(actions = pair[1], observations = pair[2], total = sum(pair))
}

likelihood_at <- function(model, data, values) {
  capture.output(instance <- suppressMessages(sampling(model, data = data, chains = 0)))
  split_likelihood(as.vector(constrain_pars(instance, unconstrain_pars(instance, values))$log_likelihood))
}

# Column "# evals" of the optimiser's last progress line; counted in a run of its own, so that printing is not timed.
count_evaluations <- function(model, data, values) {
  lines <- capture.output(result <- optimizing(model, data = data, init = values, algorithm = "LBFGS",
                                               verbose = TRUE, refresh = 1))
  progress <- grep("^ +[0-9]+ +-?[0-9]", sub("^Chain 1: ", "", lines), value = TRUE)
  as.integer(strsplit(trimws(tail(progress, 1)), " +")[[1]][7])
}

fit <- function(compiled, folder, study) {
  data <- read_visits(file.path(folder, paste0(study, ".csv")), study)
  values <- initial_values(fromJSON(file.path(folder, paste0(study, "-start.json"))), data)
  seconds <- numeric(repetitions)
  for (i in seq_len(repetitions)) {
    seconds[i] <- system.time(
      result <- optimizing(compiled$model, data = data, init = values, algorithm = "LBFGS", as_vector = FALSE)
    )[["elapsed"]]
  }
  if (result$return_code != 0) stop(study, ": Stan's optimiser returned code ", result$return_code)
  rows <- result$par$observation_rows
  order <- if (rows[1, 1] < rows[2, 1]) 2:1 else 1:2  # healthy is the state in which "negative" is likelier
  list(
    program = "Stan, L-BFGS", study = study,
    seconds = median(seconds), seconds_all = seconds, compile_seconds = compiled$seconds,
    evaluations = count_evaluations(compiled$model, data, values), stop_reason = "converged",
    log_posterior = result$value,
    log_likelihood = split_likelihood(as.vector(result$par$log_likelihood)),
    log_likelihood_at_start = likelihood_at(compiled$model, data, values),
    initial = result$par$initial[order], observation = rows[order, ], means = t(result$par$means)[, order]
  )
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) < 3) stop("usage: Rscript fit_stan.R MODEL.stan FOLDER STUDY...")
compiled <- compile(arguments[1])
for (study in arguments[-(1:2)]) {
  output <- file.path(arguments[2], paste0(study, "-stan.json"))
  write_json(fit(compiled, arguments[2], study), output, auto_unbox = TRUE, digits = NA, pretty = TRUE)
}
