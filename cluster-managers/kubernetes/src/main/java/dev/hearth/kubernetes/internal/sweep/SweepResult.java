package dev.hearth.kubernetes.internal.sweep;

import java.util.List;

/** Actions of a sweep, or those that a dry run would take; {@code problem} is the reason why it has ended early, or empty. Immutable. */
public record SweepResult(List<Outcome> outcomes, String problem) {
    public SweepResult {
        outcomes = List.copyOf(outcomes);
    }

    /** Action on an object; {@code problem} is the reason why it has failed, or empty. */
    public record Outcome(Action action, String object, String problem) {}

    /** Kind of action, in the words for the user. */
    public enum Action {
        DELETED("deleted"),
        ADOPTED("given to its driver"),
        NOTED("noted"),
        IN_USE("kept, its executors run");

        private final String words;

        Action(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /** Number of objects on which {@code action} has succeeded. */
    public long count(Action action) {
        return outcomes.stream()
                .filter(outcome ->
                        outcome.action() == action && outcome.problem().isEmpty())
                .count();
    }

    /** The first problem of all; empty if there is none. */
    public String firstProblem() {
        return problem.isEmpty()
                ? outcomes.stream()
                        .map(Outcome::problem)
                        .filter(words -> !words.isEmpty())
                        .findFirst()
                        .orElse("")
                : problem;
    }
}
