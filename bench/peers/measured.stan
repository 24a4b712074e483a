// The log-likelihood of records with measured factors, visits by equal steps or at irregular times: decisions by the softmax of
// −η‖b − μ_a‖² at the belief b, outcomes by the sum over hidden states, both from one forward recursion. Every number is a free
// parameter, so that Stan's gradient is by the same numbers as ours. Called by run-stan.
functions {
  // Families are numbered as in run-stan. `n`: the value as a count or level, `beyond`: −1 and 1 at a limit of detection.
  real log_density(int family, real x, int n, int beyond, int columns, vector p) {
    if (family == 1) return log(p[n]);
    if (family == 2) {
      vector[columns - 1] cuts;
      cuts[1] = p[2];
      for (k in 2:(columns - 1)) cuts[k] = cuts[k - 1] + p[k + 1];
      return ordered_logistic_lpmf(n | p[1], cuts);
    }
    if (family == 3) {
      if (beyond == -1) return normal_lcdf(x | p[1], p[2]);
      if (beyond == 1) return normal_lccdf(x | p[1], p[2]);
      return normal_lpdf(x | p[1], p[2]);
    }
    if (family == 4) {
      if (beyond == -1) return lognormal_lcdf(x | log(p[1]), p[2]);
      if (beyond == 1) return lognormal_lccdf(x | log(p[1]), p[2]);
      return lognormal_lpdf(x | log(p[1]), p[2]);
    }
    if (family == 5) return student_t_lpdf(x | p[3], p[1], p[2]);
    if (family == 6) return poisson_lpmf(n | p[1]);
    return neg_binomial_2_lpmf(n | p[1], p[2]);
  }

  real log_likelihood(int[] first, int[] last, int[] action, int[] gap, int[] updates, int[,] present, matrix value,
                      int[,] count, int[,] beyond, int[] family, int[] columns, int timed, vector gaps, vector initial,
                      vector transition, vector observation, real inverse_temperature, vector means) {
    int S = num_elements(initial);
    int A = num_elements(means) / S;
    int F = size(family);
    int G = num_elements(gaps);
    int P = sum(columns);
    matrix[S, S] moves[A, G];
    real sum_of_logs = 0;
    for (a in 1:A) {
      matrix[S, S] entries;
      for (s in 1:S) entries[s] = segment(transition, ((a - 1) * S + s - 1) * S + 1, S)';
      if (timed) {
        matrix[S, S] rates;
        for (s in 1:S) {
          rates[s] = entries[s] / entries[s, s];
          rates[s, s] = 0;
          rates[s, s] = -sum(rates[s]);
        }
        for (g in 1:G) moves[a, g] = matrix_exp(rates * gaps[g]);
      } else {
        for (g in 1:G) moves[a, g] = entries;
      }
    }
    for (p in 1:size(first)) {
      vector[S] b = initial;
      for (n in first[p]:last[p]) {
        vector[A] score;
        for (a in 1:A) {
          vector[S] apart = b - segment(means, (a - 1) * S + 1, S);
          score[a] = -inverse_temperature * dot_self(apart);
        }
        sum_of_logs += score[action[n]] - log_sum_exp(score);
        if (updates[n]) {
          vector[S] joint = log(gap[n] == 0 ? b : moves[action[n], gap[n]]' * b);
          real log_c;
          for (s in 1:S) {
            int at = ((action[n] - 1) * S + s - 1) * P + 1;
            for (f in 1:F) {
              if (present[n, f]) {
                joint[s] += log_density(family[f], value[n, f], count[n, f], beyond[n, f], columns[f],
                                        segment(observation, at, columns[f]));
              }
              at += columns[f];
            }
          }
          log_c = log_sum_exp(joint);
          sum_of_logs += log_c;
          b = exp(joint - log_c);
        }
      }
    }
    return sum_of_logs;
  }
}
data {
  int<lower=1> S;
  int<lower=1> A;
  int<lower=1> F;
  int<lower=1> G;  // distinct gaps
  int<lower=1> N;  // steps of all records, one after another
  int<lower=1> R;  // records
  int<lower=1, upper=N> first[R];
  int<lower=1, upper=N> last[R];
  int<lower=1, upper=A> action[N];
  int<lower=0, upper=G> gap[N];      // 0: no time passes
  int<lower=0, upper=1> updates[N];  // 0: a record's last step of which nothing was seen
  int<lower=0, upper=1> present[N, F];
  matrix[N, F] value;
  int count[N, F];
  int<lower=-1, upper=1> beyond[N, F];
  int<lower=1, upper=7> family[F];
  int<lower=1> columns[F];  // parameters of each factor in one state
  int<lower=0, upper=1> timed;
  vector[G] gaps;
}
parameters {
  vector[S] initial;
  vector[A * S * S] transition;  // rows; where visits have times, a rate is the entry over that of staying
  vector[A * S * sum(columns)] observation;
  real inverse_temperature;
  vector[A * S] means;
}
model {
  target += log_likelihood(first, last, action, gap, updates, present, value, count, beyond, family, columns, timed, gaps,
                           initial, transition, observation, inverse_temperature, means);
}
