# Stan's log-likelihood and gradient at given points: Rscript measured_stan.R MODEL.stan FOLDER CASE...
# Reads FOLDER/CASE-stan.json (data and points), writes FOLDER/CASE-found.json. The model is compiled once.
source(file.path("bench", "peers", "stan_common.R"))

arguments <- commandArgs(trailingOnly = TRUE)
model <- compile(arguments[1], "-O1")$model
for (case in arguments[-(1:2)]) {
  given <- fromJSON(file.path(arguments[2], paste0(case, "-stan.json")), simplifyVector = TRUE)
  data <- given$data
  for (name in c("present", "value", "count", "beyond")) data[[name]] <- matrix(data[[name]], nrow = data$N)
  for (name in c("first", "last", "family", "columns", "gaps")) data[[name]] <- as.array(data[[name]])
  # Nothing is sampled: the instance is asked for its density alone.
  capture.output(instance <- suppressMessages(sampling(model, data = data, chains = 0)))
  found <- lapply(seq_len(nrow(given$points)), function(i) {
    gradient <- grad_log_prob(instance, given$points[i, ])
    list(value = sprintf("%.17g", attr(gradient, "log_prob")), gradient = sprintf("%.17g", as.vector(gradient)))
  })
  write_json(found, file.path(arguments[2], paste0(case, "-found.json")), auto_unbox = TRUE)
}
