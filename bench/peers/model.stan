// The model of DIAG and BIAS with shared (or subjective) dynamics: what docs call log p(D|θ) plus the log prior.
//
// Actions and outcomes are numbered as in the study: action 1 (monitor) yields an outcome, the others end the record.
// Transitions are known to be the identity, so the prediction step of the belief update drops out.
functions {
  // Row 1: log-likelihood of the actions; row 2: of the observations.
  vector log_likelihoods(int[] first, int[] last, int[] action, int[] observation, vector initial,
                         vector[] observation_rows, matrix means, real inverse_temperature) {
    int S = rows(means);
    int A = cols(means);
    int N = size(action);
    int Z = num_elements(observation_rows[1]);
    vector[S] likelihood[Z];
    matrix[S, N] belief;
    vector[N] normaliser = rep_vector(1, N);
    vector[N] log_policy;
    matrix[A, N] score;

    for (z in 1:Z) {
      for (s in 1:S) likelihood[z][s] = observation_rows[s][z];
    }
    for (p in 1:size(first)) {
      vector[S] b = initial;
      for (n in first[p]:last[p]) {
        belief[, n] = b;
        if (observation[n] > 0) {
          vector[S] joint = likelihood[observation[n]] .* b;
          normaliser[n] = sum(joint);
          b = joint / normaliser[n];
        }
      }
    }
    // −η‖b−μ‖² without its η‖b‖², which is the same for every action and cancels in the softmax.
    score = 2 * inverse_temperature * means' * belief
            + rep_matrix(-inverse_temperature * columns_dot_self(means)', N);
    for (n in 1:N) log_policy[n] = score[action[n], n] - log_sum_exp(score[, n]);
    return [sum(log_policy), sum(log(normaliser))]';
  }
}
data {
  int<lower=2> S;
  int<lower=2> A;
  int<lower=2> Z;
  int<lower=1> N;                            // steps of all records, one after another
  int<lower=1> P;                            // records
  int<lower=1, upper=N> first[P];
  int<lower=1, upper=N> last[P];
  int<lower=1, upper=A> action[N];
  int<lower=0, upper=Z> observation[N];      // 0: none
  real<lower=0> inverse_temperature;
  vector[S] monitor_mean;
  int<lower=0, upper=1> learn_initial;
  simplex[S] known_initial;
  int<lower=0, upper=1> explain_observations;  // 0: the agent's dynamics alone, explained by the actions
}
parameters {
  simplex[Z] observation_rows[S];            // a simplex has the uniform Dirichlet prior unless told otherwise
  simplex[S] learned_initial[learn_initial];
  matrix[S - 1, A - 1] free_means;           // the last entry of a mean follows from its sum
}
transformed parameters {
  vector[S] initial = learn_initial ? learned_initial[1] : known_initial;
  matrix[S, A] means;
  means[, 1] = monitor_mean;
  for (a in 2:A) means[, a] = append_row(free_means[, a - 1], 1 - sum(free_means[, a - 1]));
}
model {
  vector[2] explained = log_likelihoods(first, last, action, observation, initial, observation_rows, means,
                                        inverse_temperature);
  target += explain_observations ? sum(explained) : explained[1];
  target += normal_lpdf(to_vector(means[, 2:A]) | 1.0 / S, 10);
}
generated quantities {
  vector[2] log_likelihood = log_likelihoods(first, last, action, observation, initial, observation_rows, means,
                                             inverse_temperature);
}
