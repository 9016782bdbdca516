package dev.hearth.submission.internal.gateway;

import dev.hearth.spi.cluster.SubmissionGateway.ClusterCounts;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests of a gateway in progress, and the connections that it keeps for them: at most one in use per cluster. A state
 * machine: time is an argument, and a connection is a number, which {@link ResidentGateway} opens and closes. A request
 * that finds another provider {@code P} of its cluster, such as a newer bundle of the cluster manager, gets a new
 * connection; the old one ends with its last request.
 */
final class GatewayRequests<P> {
    private final GatewaySettings settings;
    private final Map<String, Cluster<P>> clusters = new LinkedHashMap<>();
    private int inProgress;
    private long connections;

    GatewayRequests(GatewaySettings settings) {
        this.settings = settings;
    }

    /** Connection that a request uses; {@code opens} says that it is the first one to do so. */
    record Admission(String cluster, long connection, boolean opens) {}

    /** Outcome of a request, as far as it is counted. */
    enum Outcome {
        ACCEPTED,
        REFUSED,
        FAILED,
        /** Answer to a question, which is not counted. */
        ANSWERED
    }

    private static final class Connection<P> {
        private final long number;
        private final P provider;
        private int requests;
        private long idleSince;
        private boolean retired; // replaced by another one

        Connection(long number, P provider) {
            this.number = number;
            this.provider = provider;
        }
    }

    private static final class Cluster<P> {
        private final List<Connection<P>> open = new ArrayList<>(); // the last one is in use unless it is retired
        private long accepted;
        private long refused;
        private long failed;

        private @Nullable Connection<P> current() {
            return open.isEmpty() || open.get(open.size() - 1).retired ? null : open.get(open.size() - 1);
        }
    }

    /** Admits a request for {@code cluster}, of which {@code provider} is the provider now. Fails if a bound is reached. */
    Admission begin(String cluster, P provider) {
        Cluster<P> known = clusters.get(cluster);
        if (inProgress >= settings.requestsMax()) {
            if (known != null) {
                known.refused++;
            }
            throw ErrorCode.SUBMISSION_REFUSED.failure("submissions: " + inProgress
                    + " requests are in progress (expected: at most hearth.serve.requestsMax = "
                    + settings.requestsMax()
                    + ", with the new one); try again soon");
        }
        if (known == null) {
            known = admitted(cluster);
        }
        inProgress++;
        Connection<P> current = known.current();
        boolean opens = current == null || !current.provider.equals(provider);
        if (opens) {
            if (current != null) {
                current.retired = true;
            }
            current = new Connection<>(++connections, provider);
            known.open.add(current);
        }
        current.requests++;
        return new Admission(cluster, current.number, opens);
    }

    private Cluster<P> admitted(String cluster) {
        Iterator<Cluster<P>> oldest = clusters.values().iterator();
        while (clusters.size() >= settings.clustersMax() && oldest.hasNext()) {
            if (oldest.next().open.isEmpty()) {
                oldest.remove(); // its counts are given up for those of the new one
            }
        }
        if (clusters.size() >= settings.clustersMax()) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("submissions: connections to " + clusters.size()
                    + " clusters are open (expected: at most hearth.serve.clustersMax = " + settings.clustersMax()
                    + ", with that to " + cluster + "); try again when one of them is idle");
        }
        Cluster<P> added = new Cluster<>();
        clusters.put(cluster, added);
        return added;
    }

    /**
     * Ends a request that was admitted. {@code broken} says that its connection failed, so that the next request opens
     * another one. Returns the connections to close.
     */
    List<Long> end(Admission admission, Outcome outcome, boolean broken, long now) {
        inProgress--;
        Cluster<P> cluster = clusters.get(admission.cluster());
        if (cluster == null) {
            throw new IllegalStateException("cluster " + admission.cluster() + ": gone with a request in progress");
        }
        switch (outcome) {
            case ACCEPTED -> cluster.accepted++;
            case REFUSED -> cluster.refused++;
            case FAILED -> cluster.failed++;
            case ANSWERED -> {}
        }
        for (Connection<P> connection : cluster.open) {
            if (connection.number == admission.connection()) {
                connection.requests--;
                connection.idleSince = now;
                connection.retired |= broken;
            }
        }
        return close(cluster, false, now);
    }

    /** Returns the connections to close because no request has used them for the idle time. */
    List<Long> expire(long now) {
        List<Long> closing = new ArrayList<>();
        clusters.values().forEach(cluster -> closing.addAll(close(cluster, true, now)));
        return closing;
    }

    /** Returns all connections, which are to be closed because the gateway ends. */
    List<Long> closeAll() {
        List<Long> closing = new ArrayList<>();
        clusters.values().forEach(cluster -> cluster.open.forEach(connection -> closing.add(connection.number)));
        return closing;
    }

    private List<Long> close(Cluster<P> cluster, boolean idle, long now) {
        List<Long> closing = new ArrayList<>();
        cluster.open.removeIf(connection -> {
            boolean overdue =
                    idle && now - connection.idleSince >= settings.idleMax().toNanos();
            boolean closes = connection.requests == 0 && (connection.retired || overdue);
            if (closes) {
                closing.add(connection.number);
            }
            return closes;
        });
        return closing;
    }

    List<ClusterCounts> counts() {
        List<ClusterCounts> counts = new ArrayList<>();
        clusters.forEach((name, cluster) -> counts.add(new ClusterCounts(
                name,
                cluster.open.stream()
                        .mapToInt(connection -> connection.requests)
                        .sum(),
                cluster.accepted,
                cluster.refused,
                cluster.failed,
                cluster.current() != null)));
        return counts;
    }
}
