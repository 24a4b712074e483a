# What both Stan scripts share: compiling the model, reading a visits table, starting values.
suppressMessages({
  library(rstan)
  library(jsonlite)
})

action_names <- c("monitor", "declare-healthy", "declare-diseased")
observation_names <- c("negative", "positive")

# Debian's BH package carries no headers: Boost's are the system's. The optimiser level is what Stan's own guide
# recommends; neither setting outlives this process.
compile <- function(path, flags = "-O3 -march=native -mtune=native") {
  rstan_options(boost_lib = "/usr/include")
  makevars <- tempfile("Makevars")
  writeLines(paste("CXX14FLAGS =", flags, "-fPIC"), makevars)
  Sys.setenv(R_MAKEVARS_USER = makevars)
  seconds <- system.time(suppressMessages(model <- stan_model(path)))[["elapsed"]]
  list(model = model, seconds = seconds)
}

read_visits <- function(path, study) {
  visits <- read.csv(path, colClasses = "character")
  action <- match(visits$action, action_names)
  observation <- match(visits$observation, observation_names)
  unknown <- is.na(action) | (is.na(observation) & visits$observation != "")
  if (any(unknown)) stop(path, ": row ", which(unknown)[1] + 1, ": unknown action or observation")
  first <- which(!duplicated(visits$patient))
  list(
    S = 2, A = 3, Z = 2, N = nrow(visits), P = length(first),
    first = as.array(first), last = as.array(c(first[-1] - 1, nrow(visits))),
    action = action, observation = ifelse(is.na(observation), 0, observation),
    inverse_temperature = 10, monitor_mean = c(0.5, 0.5),
    learn_initial = as.integer(study == "diag"), known_initial = c(0.5, 0.5), explain_observations = 1L
  )
}

initial_values <- function(start, data) {
  list(
    observation_rows = start$observation,
    learned_initial = matrix(start$initial, nrow = 1)[seq_len(data$learn_initial), , drop = FALSE],
    free_means = matrix(start$means[, 1], nrow = 1)
  )
}
