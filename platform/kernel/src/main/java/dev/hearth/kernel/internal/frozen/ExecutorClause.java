package dev.hearth.kernel.internal.frozen;

import dev.hearth.kernel.internal.inventory.ManifestClauses;
import dev.hearth.kernel.internal.inventory.ManifestClauses.Clause;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.jar.Attributes;
import org.osgi.framework.Bundle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manifest header {@code Hearth-Executor}: {@code true} for a bundle that executors start, {@code
 * reserve;when="scheme:x hearth.y.*"} for a bundle that they install, and start when one of the triggers happens.
 * Immutable.
 */
public record ExecutorClause(Kind kind, List<String> triggers) {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorClause.class);
    private static final String HEADER = "Hearth-Executor";
    private static final String WHEN = "when";
    private static final ExecutorClause ABSENT = new ExecutorClause(Kind.ABSENT, List.of());

    /** Treatment of a bundle by executors. */
    enum Kind {
        ABSENT,
        START,
        RESERVE
    }

    public ExecutorClause {
        triggers = List.copyOf(triggers);
    }

    /** Parses the header. Fails with {@code IllegalArgumentException}; the message says what was expected. */
    static ExecutorClause parse(String header) {
        List<Clause> clauses = ManifestClauses.parse(header);
        String word = clauses.size() == 1 ? String.join(";", clauses.get(0).paths()) : header;
        if (word.equalsIgnoreCase("false")) {
            return ABSENT;
        }
        boolean reserve = word.equals("reserve");
        if (!reserve && !word.equalsIgnoreCase("true")) {
            throw new IllegalArgumentException(
                    HEADER + ": '" + word + "' (expected: true, false, or reserve;when=\"...\")");
        }
        List<String> triggers = new ArrayList<>();
        String when = clauses.get(0).attributes().getOrDefault(WHEN, "");
        for (StringTokenizer words = new StringTokenizer(when); words.hasMoreTokens(); ) {
            triggers.add(words.nextToken());
        }
        boolean knownAlone =
                Set.of(WHEN).containsAll(clauses.get(0).attributes().keySet());
        if (!knownAlone || reserve == triggers.isEmpty()) {
            throw new IllegalArgumentException(HEADER + ": '" + header
                    + "' (expected: the attribute when, with triggers, for reserve and nothing else)");
        }
        return new ExecutorClause(reserve ? Kind.RESERVE : Kind.START, triggers);
    }

    /** Reads the header of a bundle; without the header, or with an invalid one, executors need not run the bundle. */
    static ExecutorClause of(Bundle bundle) {
        String header = bundle.getHeaders("").get(HEADER);
        try {
            return header == null ? ABSENT : parse(header);
        } catch (IllegalArgumentException invalid) {
            LOG.warn("bundle {}: not for executors: {}", bundle.getSymbolicName(), invalid.getMessage());
            return ABSENT;
        }
    }

    /** Whether the manifest declares a bundle that executors install or start. */
    public static boolean isDeclared(Attributes manifest) {
        String header = manifest.getValue(HEADER);
        return header != null && parse(header).kind != Kind.ABSENT;
    }

    /** Whether the manifest declares a bundle that executors start on demand. */
    public static boolean isReserve(Attributes manifest) {
        String header = manifest.getValue(HEADER);
        return header != null && parse(header).kind == Kind.RESERVE;
    }
}
