package dev.hearth.yarn.internal.hadoop;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.FinalOutcome;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.LineOrders;
import dev.hearth.yarn.internal.line.LineRegistration;
import dev.hearth.yarn.internal.line.LineReport;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMTokenCache;
import org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException;
import org.apache.hadoop.yarn.exceptions.InvalidApplicationMasterRequestException;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** Calls to the ResourceManager by Hadoop's client. Confined to the line thread. */
final class AmRmCalls implements ResourceManagerCalls {
    /** Progress that YARN displays: an application does not know how much is left. */
    private static final float PROGRESS = 0.1f;

    private final LineIdentity identity;
    private final KnownRacks racks;
    private final KnownContainers containers;
    private final NMTokenCache tokens;
    private final AskTable table = new AskTable();
    private final Map<Long, ContainerRequest> requests = new LinkedHashMap<>();
    private final ConstrainedRequests constrained = new ConstrainedRequests();
    private AMRMClient<ContainerRequest> client; // made on the line thread, by the first call
    private LineRegistration registered;

    AmRmCalls(LineIdentity identity, KnownRacks racks, KnownContainers containers, NMTokenCache tokens) {
        this.identity = identity;
        this.racks = racks;
        this.containers = containers;
        this.tokens = tokens;
    }

    @Override
    public LineRegistration register(String trackingUrl) throws IOException, InterruptedException {
        RegisterApplicationMasterResponse response =
                call(() -> open().registerApplicationMaster(identity.host(), 0, trackingUrl));
        List<Container> previous = response.getContainersFromPreviousAttempts();
        previous.forEach(containers::add);
        registered = new LineRegistration(
                HadoopRecords.capability(response.getMaximumResourceCapability()),
                previous.stream()
                        .map(container -> HadoopRecords.granted(container, racks::rack))
                        .toList(),
                response.getQueue() == null ? "" : response.getQueue(),
                identity.attempt().getAttemptId());
        return registered;
    }

    /** Makes the client, which connects with its first call. */
    private AMRMClient<ContainerRequest> open() {
        if (client == null) {
            AuditMark.set(
                    identity.configuration(),
                    AuditMark.Caller.APPMASTER,
                    identity.attempt().getApplicationId().toString(),
                    Optional.of(identity.attempt().getAttemptId())); // on the line thread
            AMRMClient<ContainerRequest> made = AMRMClient.createAMRMClient();
            made.setNMTokenCache(tokens);
            made.init(identity.toManager());
            made.start();
            client = made;
        }
        return client;
    }

    @Override
    public LineRegistration registration() {
        return new LineRegistration(
                registered.maximum(),
                containers.all().stream()
                        .map(container -> HadoopRecords.granted(container, racks::rack))
                        .toList(),
                registered.queue(),
                registered.attempt());
    }

    @Override
    public void note(LineOrders orders) {
        open();
        for (ContainerAsk ask : orders.asks()) {
            if (table.add(ask)) {
                request(ask);
            }
        }
        // after the requests: one of them may have to go instead of one that a grant has fulfilled meanwhile
        orders.cancels().forEach(key -> table.cancel(key).ifPresent(this::withdraw));
        for (String id : orders.releases()) {
            containers.remove(id);
            client.releaseAssignedContainer(ContainerId.fromString(id));
        }
        if (!orders.exclude().isEmpty() || !orders.admit().isEmpty()) {
            client.updateBlacklist(
                    new ArrayList<>(orders.exclude()), new ArrayList<>(orders.admit())); // it changes them
        }
    }

    private void request(ContainerAsk ask) {
        if (ConstrainedRequests.contain(ask)) {
            constrained.add(ask);
        } else {
            ContainerRequest request = unconstrained(ask);
            client.addContainerRequest(request);
            requests.put(ask.key(), request);
        }
    }

    /**
     * Request of Hadoop's client. Hosts stand in the place of racks, which have the same rows in the protocol: the client
     * looks up the racks of hosts by DNS on this thread. A request with a label cannot name hosts.
     */
    private ContainerRequest unconstrained(ContainerAsk ask) {
        boolean hasLabel = !ask.place().nodeLabel().isEmpty();
        Set<String> places = new LinkedHashSet<>();
        if (!hasLabel) {
            racks.of(ask.hosts()).forEach((host, rack) -> {
                places.add(host);
                places.add(rack);
            });
        }
        return ContainerRequest.newBuilder()
                .capability(HadoopRecords.resource(ask.capability()))
                .racks(places.isEmpty() ? null : places.toArray(String[]::new))
                .priority(Priority.newInstance(ask.priority()))
                .allocationRequestId(ask.group())
                .nodeLabelsExpression(hasLabel ? ask.place().nodeLabel() : null)
                .build();
    }

    private void withdraw(ContainerAsk ask) {
        if (ConstrainedRequests.contain(ask)) {
            constrained.cancel(ask);
        } else {
            remove(ask);
        }
    }

    private void remove(ContainerAsk ask) {
        ContainerRequest request = requests.remove(ask.key());
        if (request != null) {
            client.removeContainerRequest(request);
        }
    }

    /** Forgets a request that a grant has fulfilled. */
    private void fulfilled(ContainerAsk ask) {
        if (ConstrainedRequests.contain(ask)) {
            constrained.granted(ask);
        } else {
            remove(ask);
        }
    }

    @Override
    @SuppressWarnings("deprecation") // the command is no longer sent by new ResourceManagers, but older ones are there
    public LineReport beat() throws IOException, InterruptedException {
        List<SchedulingRequest> placed = constrained.take();
        if (!placed.isEmpty()) {
            client.addSchedulingRequests(placed);
        }
        AllocateResponse response = call(() -> client.allocate(PROGRESS));
        LineReport report = HadoopRecords.report(response, racks::rack);
        response.getAllocatedContainers().forEach(containers::add);
        for (GrantedContainer grant : report.granted()) {
            table.fulfil(grant).ifPresent(this::fulfilled);
        }
        report.ended().forEach(end -> containers.remove(end.id()));
        return report;
    }

    @Override
    public void trackingUrl(String url) {
        client.updateTrackingUrl(url);
    }

    @Override
    public void unregister(FinalOutcome outcome, String words, String history)
            throws IOException, InterruptedException {
        if (registered != null) {
            call(() -> {
                client.unregisterApplicationMaster(HadoopRecords.status(outcome), words, HadoopRecords.link(history));
                return outcome;
            });
        }
    }

    @Override
    public void close() {
        if (client != null) {
            client.stop();
        }
    }

    private <T> T call(PrivilegedExceptionAction<T> action) throws IOException, InterruptedException {
        try {
            return identity.user().doAs(action);
        } catch (UndeclaredThrowableException wrapped) { // of exceptions that doAs does not declare
            throw refused(wrapped);
        }
    }

    private HearthException refused(UndeclaredThrowableException wrapped) {
        Throwable cause = wrapped.getCause();
        if (cause instanceof ApplicationAttemptNotFoundException
                || cause instanceof InvalidApplicationMasterRequestException) {
            return gone(Failures.describe(cause));
        }
        if (cause instanceof YarnException) {
            return ErrorCode.CLUSTER_LOST.failure(
                    "ResourceManager: refused a call of attempt " + identity.attempt() + ", " + Failures.describe(cause)
                            + " (expected: requests that the cluster can fulfil)",
                    cause);
        }
        throw wrapped;
    }

    private HearthException gone(String why) {
        return ErrorCode.CLUSTER_LOST.failure("attempt " + identity.attempt() + ": " + why
                + " (expected: an attempt that YARN knows); it has been ended on the cluster, or replaced");
    }
}
