# Samples the model of BIAS in Stan with NUTS: Rscript sample_stan.R MODEL.stan FOLDER CHAINS DRAWS
#
# Reads FOLDER/bias.csv and FOLDER/bias-start.json; for shared and subjective dynamics writes
# FOLDER/bias-stan-DYNAMICS.json: mean, sd, their Monte Carlo errors and effective sample sizes, and the seconds taken.
source(file.path("bench", "peers", "stan_common.R"))

# rstan's own figures; states are named after sampling, as "healthy" is the one in which "negative" is likelier.
summarise <- function(fit) {
  draws <- extract(fit, c("observation_rows", "means"), permuted = FALSE)
  swapped <- mean(draws[, , "observation_rows[1,1]"]) < mean(draws[, , "observation_rows[2,1]"])
  state <- if (swapped) c(2, 1) else c(1, 2)
  quantities <- c(
    "observation[monitor,healthy,negative]" = sprintf("observation_rows[%d,1]", state[1]),
    "observation[monitor,diseased,negative]" = sprintf("observation_rows[%d,1]", state[2]),
    "means[declare-healthy,healthy]" = sprintf("means[%d,2]", state[1]),
    "means[declare-diseased,healthy]" = sprintf("means[%d,3]", state[1])
  )
  lapply(quantities, function(name) {
    x <- draws[, , name]
    list(mean = mean(x), sd = sd(x), ess_bulk = ess_bulk(x), ess_tail = ess_tail(x), r_hat = Rhat(x),
         mcse_mean = sd(x) / sqrt(ess_bulk(x)))
  })
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 4) stop("usage: Rscript sample_stan.R MODEL.stan FOLDER CHAINS DRAWS")
folder <- arguments[2]
chains <- as.integer(arguments[3])
draws <- as.integer(arguments[4])
options(mc.cores = min(chains, parallel::detectCores()))
# Without -march=native: rstan itself is built without it, and its sampler (unlike its optimiser) shares vectors with
# the model, whose alignment would differ: it crashes.
compiled <- compile(arguments[1], "-O3")
data <- read_visits(file.path(folder, "bias.csv"), "bias")
values <- initial_values(fromJSON(file.path(folder, "bias-start.json")), data)
for (dynamics in c("shared", "subjective")) {
  data$explain_observations <- as.integer(dynamics == "shared")
  seconds <- system.time(
    fit <- sampling(compiled$model, data = data, init = rep(list(values), chains), chains = chains,
                    iter = 2 * draws, warmup = draws, seed = 1, refresh = 0)
  )[["elapsed"]]
  write_json(
    list(program = "Stan, NUTS", dynamics = dynamics, chains = chains, draws = draws, seconds = seconds,
         core_seconds = sum(get_elapsed_time(fit)), quantities = summarise(fit)),
    file.path(folder, paste0("bias-stan-", dynamics, ".json")), auto_unbox = TRUE, digits = NA, pretty = TRUE
  )
}
