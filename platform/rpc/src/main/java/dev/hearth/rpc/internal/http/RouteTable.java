package dev.hearth.rpc.internal.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps paths to handlers by longest prefix. Any thread may change the table, under its lock. Readers use an immutable
 * snapshot and take no lock.
 */
final class RouteTable {
    private static final Logger LOG = LoggerFactory.getLogger(RouteTable.class);
    private static final Comparator<Mount> LONGEST_FIRST =
            Comparator.comparingInt((Mount mount) -> -mount.prefix().length()).thenComparing(Mount::prefix);

    private final List<Mount> mounted = new ArrayList<>(); // guarded by this
    private final Consumer<String> warnings;
    // current snapshot: one handler per prefix, longest prefix first
    private volatile List<Mount> answering = List.of();

    RouteTable() {
        this(LOG::warn);
    }

    /** {@code warnings} receives a line for each conflict of two handlers. */
    RouteTable(Consumer<String> warnings) {
        this.warnings = warnings;
    }

    /**
     * Adds a handler. Warns if another one has the same prefix, unless both are of two versions of one bundle: while the
     * older version ends, both are registered, and the newer one answers.
     */
    synchronized void add(Mount mount) {
        mounted.add(mount);
        selectWinners();
        Mount winner = winner(mount.prefix());
        if (winner.equals(mount)) {
            mounted.stream()
                    .filter(other -> !other.equals(mount)
                            && other.prefix().equals(mount.prefix())
                            && !other.isOtherVersionOf(mount))
                    .forEach(other -> warnings.accept("HTTP prefix " + mount.prefix() + ": " + mount.owner()
                            + " replaces " + other.owner() + ", which ranks lower (expected: one handler)"));
        } else if (!winner.isOtherVersionOf(mount)) {
            warnings.accept("HTTP prefix " + mount.prefix() + ": " + mount.owner() + " is not used while "
                    + winner.owner() + " is registered (expected: one handler); give it a higher service ranking");
        }
    }

    synchronized void remove(Mount mount) {
        if (mounted.remove(mount)) {
            selectWinners();
        }
    }

    /** Returns the handler with the longest prefix of the normalised {@code path}; empty if there is none. */
    Optional<Mount> find(String path) {
        for (Mount mount : answering) {
            if (mount.answers(path)) {
                return Optional.of(mount);
            }
        }
        return Optional.empty();
    }

    List<Mount> answering() {
        return answering;
    }

    private Mount winner(String prefix) {
        return answering.stream()
                .filter(mount -> mount.prefix().equals(prefix))
                .findFirst()
                .orElseThrow();
    }

    private void selectWinners() {
        Map<String, Mount> winners = new LinkedHashMap<>();
        List<Mount> newest = mounted.stream().filter(this::isNewestVersion).toList();
        for (Mount mount : newest) {
            winners.merge(mount.prefix(), mount, (one, other) -> other.outranks(one) ? other : one);
        }
        answering = winners.values().stream().sorted(LONGEST_FIRST).toList();
    }

    private boolean isNewestVersion(Mount mount) {
        return mounted.stream()
                .noneMatch(other -> other.prefix().equals(mount.prefix())
                        && other.isOtherVersionOf(mount)
                        && other.outranks(mount));
    }
}
