"""Runs saved R-BC networks in PyTorch's own LSTM, record by record, and compares the losses with those in the file.

    interpole fit --algorithm r-bc --study studies/bias.toml --data bias.csv --output r-bc.json
    /usr/bin/python3 bench/peers/lstm_torch.py --learner r-bc.json --data bias.csv

Needs the table the networks were fitted to, as a visits table (patient, step, action, observation). Exits with 1 if the mean
cross-entropy per decision differs by more than 1e-9. With --time it also times full-batch iterations of Adam in PyTorch on
one thread, processor time: on padded records, and on the history tree level by level, in single and double precision.
"""
import argparse
import csv
import json
import statistics
import sys
import time

import torch


def read_records(path, actions, outcomes):
    records = {}
    with open(path, newline="", encoding="utf-8") as table:
        for row in csv.DictReader(table):
            seen = outcomes.index(row["observation"]) if row["observation"] else len(outcomes)
            records.setdefault(row["patient"], []).append((actions.index(row["action"]), seen))
    return list(records.values())


def one_hot(step, action_count, width):
    vector = [0.0] * width
    if step is not None:
        vector[step[0]] = 1.0
        vector[action_count + step[1]] = 1.0
    return vector


def network(action_count, width, units, dense, dtype):
    lstm = torch.nn.LSTM(width, units, batch_first=True).to(dtype)
    head = torch.nn.Sequential(torch.nn.Linear(units, dense), torch.nn.ReLU(), torch.nn.Linear(dense, action_count))
    return lstm, head.to(dtype)


def load_weights(content, lstm, head):
    weights = {name: torch.tensor(content[name], dtype=torch.float64)
               for name in ("action_input", "outcome_input", "recurrent", "gate_bias", "dense", "dense_bias", "output",
                            "output_bias")}
    with torch.no_grad():
        lstm.weight_ih_l0.copy_(torch.cat([weights["action_input"], weights["outcome_input"]]).T)
        lstm.weight_hh_l0.copy_(weights["recurrent"].T)
        lstm.bias_ih_l0.copy_(weights["gate_bias"][0])
        lstm.bias_hh_l0.zero_()
        head[0].weight.copy_(weights["dense"].T)
        head[0].bias.copy_(weights["dense_bias"][0])
        head[2].weight.copy_(weights["output"].T)
        head[2].bias.copy_(weights["output_bias"][0])


def padded(records, action_count, width, dtype):
    longest = max(map(len, records))
    inputs = torch.zeros(len(records), longest, width, dtype=dtype)
    targets = torch.full((len(records), longest), -100)
    for i, record in enumerate(records):
        for t, (action, _) in enumerate(record):
            inputs[i, t] = torch.tensor(one_hot(record[t - 1] if t else None, action_count, width))
            targets[i, t] = action
    return inputs, targets


def mean_loss(lstm, head, inputs, targets):
    hidden, _ = lstm(inputs)
    return torch.nn.functional.cross_entropy(head(hidden).flatten(0, 1), targets.flatten())


def tree_levels(records, action_count, width, dtype):
    """Per depth: inputs, the parents' places in the level above, counts of the actions taken."""
    levels, counts = [{(): 0}], {}
    for record in records:
        history = ()
        for t, step in enumerate(record):
            counts.setdefault(history, [0.0] * action_count)[step[0]] += 1.0
            if t + 1 < len(record):
                history += (step,)
                if len(levels) == t + 1:
                    levels.append({})
                levels[t + 1].setdefault(history, len(levels[t + 1]))
    result = []
    for depth, level in enumerate(levels):
        parents = torch.tensor([levels[depth - 1][h[:-1]] if h else 0 for h in level])
        inputs = torch.tensor([one_hot(h[-1] if h else None, action_count, width) for h in level], dtype=dtype)
        result.append((inputs, parents, torch.tensor([counts[h] for h in level], dtype=dtype)))
    return result


def tree_loss(lstm, head, levels):
    cell = torch.nn.LSTMCell(lstm.input_size, lstm.hidden_size)
    cell.weight_ih, cell.weight_hh = lstm.weight_ih_l0, lstm.weight_hh_l0
    cell.bias_ih, cell.bias_hh = lstm.bias_ih_l0, lstm.bias_hh_l0
    hidden = memory = torch.zeros(1, lstm.hidden_size, dtype=lstm.weight_hh_l0.dtype)
    total, states = 0.0, []
    for inputs, parents, counts in levels:
        hidden, memory = cell(inputs, (hidden[parents], memory[parents]))
        states.append(hidden)
        total += counts.sum()
    logs = torch.log_softmax(head(torch.cat(states)), 1)
    return -(torch.cat([counts for _, _, counts in levels]) * logs).sum() / total


def milliseconds(loss, parameters, repetitions):
    optimizer = torch.optim.Adam(parameters, 0.001)
    times = []
    for _ in range(repetitions + 1):
        start = time.process_time()
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()
        times.append(1e3 * (time.process_time() - start))
    return statistics.median(times[1:])


def time_iterations(records, shape, repetitions):
    action_count, width, units, dense = shape
    for dtype in (torch.float32, torch.float64):
        lstm, head = network(action_count, width, units, dense, dtype)
        parameters = list(lstm.parameters()) + list(head.parameters())
        table = padded(records, action_count, width, dtype)
        levels = tree_levels(records, action_count, width, dtype)
        flat = milliseconds(lambda: mean_loss(lstm, head, *table), parameters, repetitions)
        tree = milliseconds(lambda: tree_loss(lstm, head, levels), parameters, repetitions)
        print(f"{dtype}: {flat:.1f} ms per iteration on padded records, {tree:.1f} ms on the tree")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learner", required=True, help="learner file of r-bc")
    parser.add_argument("--data", required=True, help="the visits table it was fitted to")
    parser.add_argument("--time", action="store_true", help="time iterations as well")
    parser.add_argument("--repetitions", type=int, default=11)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    with open(arguments.learner, encoding="utf-8") as file:
        saved = json.load(file)
    content = saved["content"]
    actions, outcomes = saved["structure"]["actions"], saved["structure"]["observations"]
    shape = (len(actions), len(actions) + len(outcomes) + 1, content["units"], content["dense_units"])
    records = read_records(arguments.data, actions, outcomes)

    table = padded(records, shape[0], shape[1], torch.float64)
    worst = 0.0
    for saved_network in content["networks"]:
        lstm, head = network(*shape, torch.float64)
        load_weights(saved_network, lstm, head)
        with torch.no_grad():
            theirs = mean_loss(lstm, head, *table).item()
        ours = saved_network["loss"]
        worst = max(worst, abs(theirs - ours))
        print(f"mean cross-entropy: interpole {ours:.12f}, PyTorch {theirs:.12f}, difference {abs(theirs - ours):.1e}")
    if arguments.time:
        time_iterations(records, shape, arguments.repetitions)
    return 0 if worst <= 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main())
