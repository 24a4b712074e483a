"""The paper's Algorithm 1 in PyTorch, on padded batches.

Each iteration filters all records forward and smooths them backward (E-step), forms Q(theta; theta_hat) plus the log prior,
differentiates it at theta_hat by backpropagation through time and takes one step of Adam. It stops when the monitored
quantity has not improved for 100 iterations and returns the best iterate.

--monitor expected   watches Q(theta; theta) + log prior, as the paper says
--monitor exact      watches the exact log-posterior, which is what the gradient belongs to
"""

import argparse
import json
import math
import time

import numpy as np
import pandas as pd
import torch
from torch.nn.functional import log_softmax

ACTIONS = ["monitor", "declare-healthy", "declare-diseased"]
OBSERVATIONS = ["negative", "positive"]
STATE_COUNT = 2
INVERSE_TEMPERATURE = 10.0
MEANS_SD = 10.0
LEARNING_RATE = 0.001
PATIENCE = 100
QUICK_ITERATIONS = 300


class Batch:
    """Records padded to the longest: action and outcome are -1 where there is none."""

    def __init__(self, path):
        visits = pd.read_csv(path, dtype=str, keep_default_na=False)
        action = visits["action"].map({name: i for i, name in enumerate(ACTIONS)})
        outcome = visits["observation"].map({name: i for i, name in enumerate(OBSERVATIONS)} | {"": -1})
        unknown = action.isna() | outcome.isna()
        if unknown.any():
            raise SystemExit(f"{path}: row {unknown.idxmax() + 2}: unknown action or observation")
        record = visits.groupby("patient", sort=False).ngroup().to_numpy()
        step = visits.groupby("patient", sort=False).cumcount().to_numpy()
        padded = np.full((2, record.max() + 1, step.max() + 1), -1)
        padded[:, record, step] = action, outcome
        action, outcome = torch.from_numpy(padded)
        self.acts = action >= 0
        self.observes = outcome >= 0
        self.action = action.clamp(min=0)
        self.outcome = outcome.clamp(min=0)


class Model(torch.nn.Module):
    """Unconstrained parameters: logits of the probabilities, the first entry of each declaration's mean."""

    def __init__(self, start, learn_initial):
        super().__init__()
        self.observation_logits = torch.nn.Parameter(torch.tensor(start["observation"]).log())
        self.free_means = torch.nn.Parameter(torch.tensor(start["means"])[:, :1])
        initial = start["initial"] if learn_initial else [1 / STATE_COUNT] * STATE_COUNT
        self.initial_logits = torch.nn.Parameter(torch.tensor(initial).log(), requires_grad=learn_initial)
        self.transition = torch.eye(STATE_COUNT)  # of "monitor"; known

    def log_initial(self):
        return log_softmax(self.initial_logits, dim=0)

    def log_observation(self):
        return log_softmax(self.observation_logits, dim=1)

    def means(self):
        monitor = torch.full((1, STATE_COUNT), 1 / STATE_COUNT)
        return torch.cat([monitor, torch.cat([self.free_means, 1 - self.free_means], dim=1)])

    def log_prior(self):
        """Normal on every entry of the learned means. The uniform Dirichlet on two outcomes or states has log-density 0."""
        return torch.distributions.Normal(1 / STATE_COUNT, MEANS_SD).log_prob(self.means()[1:]).sum()


def outcome_likelihood(model, batch):
    """O(z_t | monitor, s) for every record, step and state; one where nothing was observed."""
    chosen = model.log_observation().exp().T[batch.outcome]
    return torch.where(batch.observes.unsqueeze(-1), chosen, torch.ones(()))


def filter_forward(model, batch, likelihood):
    """Beliefs before every step (and after the last), and the normalisers c_t."""
    belief = model.log_initial().exp().expand(likelihood.shape[0], -1)
    beliefs, normalisers = [belief], []
    for t in range(likelihood.shape[1]):
        joint = likelihood[:, t] * (belief @ model.transition)
        normaliser = joint.sum(dim=1, keepdim=True)
        belief = torch.where(batch.observes[:, t, None], joint / normaliser, belief)
        beliefs.append(belief)
        normalisers.append(normaliser)
    normalisers = torch.where(batch.observes, torch.cat(normalisers, dim=1), torch.ones(()))
    return torch.stack(beliefs, dim=1), normalisers


@torch.no_grad()
def smooth_backward(model, batch, likelihood, beliefs):
    """Pr(s_t | whole record). The E-step's forward variables are the beliefs at theta_hat, so only its backward half is
    computed here."""
    message = torch.ones_like(beliefs[:, 0])
    messages = [message]
    for t in reversed(range(likelihood.shape[1])):
        previous = (likelihood[:, t] * message) @ model.transition.T
        previous = previous / previous.sum(dim=1, keepdim=True)
        message = torch.where(batch.observes[:, t, None], previous, message)
        messages.append(message)
    joint = beliefs * torch.stack(messages[::-1], dim=1)
    return joint / joint.sum(dim=2, keepdim=True)


def action_log_likelihood(model, batch, beliefs):
    distance = (beliefs[:, :-1][batch.acts].unsqueeze(1) - model.means()).square().sum(dim=2)
    log_policy = log_softmax(-INVERSE_TEMPERATURE * distance, dim=1)
    return log_policy.gather(1, batch.action[batch.acts].unsqueeze(1)).sum()


def expected_observation_log_likelihood(model, batch, smoothed):
    """The transition term is left out: T is known, and log T = 0 wherever its weight is positive."""
    first = (smoothed[:, 0] * model.log_initial()).sum()
    log_likelihood = model.log_observation().T[batch.outcome[batch.observes]]
    return first + (smoothed[:, 1:][batch.observes] * log_likelihood).sum()


def evaluate(model, batch):
    """Expected log-posterior Q(theta; theta) + log prior, with its graph, and the exact log-likelihood."""
    likelihood = outcome_likelihood(model, batch)
    beliefs, normalisers = filter_forward(model, batch, likelihood)
    smoothed = smooth_backward(model, batch, likelihood.detach(), beliefs.detach())
    actions = action_log_likelihood(model, batch, beliefs)
    expected = actions + expected_observation_log_likelihood(model, batch, smoothed) + model.log_prior()
    return expected, actions.item(), normalisers.detach().log().sum().item()


def fit(model, batch, monitor, iteration_limit):
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=LEARNING_RATE)
    best, best_iteration, best_state = -math.inf, 0, None
    started = time.perf_counter()
    for iteration in range(iteration_limit):
        optimizer.zero_grad()
        expected, actions, observations = evaluate(model, batch)
        exact = actions + observations + model.log_prior().item()
        watched = exact if monitor == "exact" else expected.item()
        if watched > best:
            best, best_iteration = watched, iteration
            best_state = {name: value.clone() for name, value in model.state_dict().items()}
        elif iteration - best_iteration >= PATIENCE:
            break
        (-expected).backward()
        optimizer.step()
    seconds = time.perf_counter() - started
    model.load_state_dict(best_state)
    capped = iteration - best_iteration < PATIENCE
    reason = f"capped at {iteration_limit} iterations" if capped else f"no improvement in {PATIENCE} iterations"
    return {"seconds": seconds, "evaluations": iteration + 1, "stop_reason": reason, "capped": capped}


def log_likelihood(model, batch):
    with torch.no_grad():
        _, actions, observations = evaluate(model, batch)
    return {"actions": actions, "observations": observations, "total": actions + observations}


def describe(model, batch):
    """Healthy is the state in which "negative" is likelier."""
    observation = model.log_observation().exp().detach()
    order = [1, 0] if observation[0, 0] < observation[1, 0] else [0, 1]
    likelihood = log_likelihood(model, batch)
    return {
        "log_posterior": likelihood["total"] + model.log_prior().item(),
        "log_likelihood": likelihood,
        "initial": model.log_initial().exp()[order].tolist(),
        "observation": observation[order].tolist(),
        "means": model.means()[:, order].tolist(),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--study", choices=["bias", "diag"], required=True)
    parser.add_argument("--data", required=True, help="visits table, CSV")
    parser.add_argument("--start", required=True, help="starting point, written by start.py")
    parser.add_argument("--output", required=True)
    parser.add_argument("--monitor", choices=["expected", "exact"], default="expected")
    parser.add_argument("--quick", action="store_true", help=f"stop after {QUICK_ITERATIONS} iterations")
    options = parser.parse_args()

    torch.set_default_dtype(torch.float64)
    batch = Batch(options.data)
    with open(options.start) as file:
        model = Model(json.load(file), learn_initial=options.study == "diag")
    at_start = log_likelihood(model, batch)
    result = {"program": f"Algorithm 1, PyTorch, {options.monitor} monitor", "study": options.study}
    result |= fit(model, batch, options.monitor, QUICK_ITERATIONS if options.quick else 100_000)
    result |= describe(model, batch) | {"log_likelihood_at_start": at_start}
    with open(options.output, "w") as file:
        json.dump(result, file, indent=1)


if __name__ == "__main__":
    main()
