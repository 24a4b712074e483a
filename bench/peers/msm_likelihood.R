# The log-likelihood of a model file and a visits table by msm, at the file's own numbers: one action, visits at irregular
# times, categorical outcomes or one normal factor. Prints it with all digits. Called by run-msm.
suppressMessages({
  library(msm)
  library(jsonlite)
})

args <- commandArgs(trailingOnly = TRUE)
model <- fromJSON(args[1], simplifyVector = FALSE)
visits <- read.csv(args[2], colClasses = c(patient = "character"))
numbers <- function(rows) t(sapply(rows, function(row) as.numeric(unlist(row))))

rates <- numbers(model$rates[[1]])
outcomes <- numbers(model$observation[[1]])
initial <- as.numeric(unlist(model$initial_belief))
normal <- !is.null(model$factors)

# What a row holds was seen at the time of the next one. msm begins with what was seen first, and is told where
# patients are by then.
column <- if (normal) model$factors[[1]]$name else "observation"
seen <- do.call(rbind, lapply(split(visits, visits$patient), function(record) {
  n <- nrow(record)
  if (n < 2) return(NULL)
  data.frame(patient = record$patient[1], time = record$time[-1], value = record[[column]][-n],
             since_start = record$time[2] - record$time[1])
}))
seen <- seen[order(seen$patient, seen$time), ]
if (!normal) seen$value <- match(seen$value, unlist(model$observations))
first <- seen[!duplicated(seen$patient), ]
at_first <- t(sapply(first$since_start, function(t) initial %*% MatrixExp(rates, t)))
emissions <- lapply(seq_along(initial), function(s) {
  # msm keeps the call: the numbers themselves must be in it.
  if (normal) do.call(hmmNorm, list(mean = outcomes[s, 1], sd = outcomes[s, 2])) else hmmCat(prob = outcomes[s, ])
})
seen$patient <- factor(seen$patient, levels = unique(seen$patient))
fit <- msm(value ~ time, subject = patient, data = seen, qmatrix = rates, hmodel = emissions, initprobs = at_first,
           fixedpars = TRUE)
cat(sprintf("%.15g\n", -fit$minus2loglik / 2))
