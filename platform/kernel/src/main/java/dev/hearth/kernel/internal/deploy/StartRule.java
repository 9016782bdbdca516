package dev.hearth.kernel.internal.deploy;

import java.util.List;

/**
 * Rule that says when a bundle of deploy/ starts in this process. {@code needs} names the bundles that start before it,
 * {@code reason} says for people why it does not start at once. Immutable.
 */
public record StartRule(Kind kind, List<String> triggers, List<String> needs, String reason) {
    /** Rule of a bundle that starts in every process. */
    public static final StartRule ALWAYS = new StartRule(Kind.ALWAYS, List.of(), List.of(), "");

    /** Whether a bundle starts at once, when one of its triggers happens, or not in this process. */
    public enum Kind {
        ALWAYS,
        ON_DEMAND,
        NEVER
    }

    public StartRule {
        triggers = List.copyOf(triggers);
        needs = List.copyOf(needs);
    }

    /** Creates the rule of a bundle that does not start in this process. */
    public static StartRule never(String reason) {
        return new StartRule(Kind.NEVER, List.of(), List.of(), reason);
    }
}
