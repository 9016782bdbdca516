package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.net.Bytes;
import dev.hearth.yarn.internal.cluster.ApplicationRequest;
import dev.hearth.yarn.internal.cluster.ClusterFacts;
import dev.hearth.yarn.internal.cluster.ClusterReport;
import dev.hearth.yarn.internal.cluster.ClusterReport.Outcome;
import dev.hearth.yarn.internal.cluster.ClusterReport.State;
import dev.hearth.yarn.internal.cluster.ContainerLogs;
import dev.hearth.yarn.internal.cluster.NewApplication;
import dev.hearth.yarn.internal.cluster.YarnCluster;
import dev.hearth.yarn.internal.cluster.YarnSession;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.store.SimulatedFiles;
import dev.hearth.yarn.internal.store.StoreFiles;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Cluster with a file system, of which each session sees the same. */
final class SimulatedYarn implements YarnSession, YarnCluster {
    final SimulatedFiles disk = new SimulatedFiles();
    final Map<String, ApplicationRequest> submitted = new LinkedHashMap<>();
    final Map<String, ClusterReport> reports = new LinkedHashMap<>();
    final List<String> killed = new ArrayList<>();
    final List<String> marked = new ArrayList<>();
    int created;
    int lostAnswers;
    boolean answersAreLostBefore;
    long memory = 8192;

    @Override
    public void mark(String application) {
        marked.add(application);
    }

    @Override
    public ContainerLogs logs() {
        throw new AssertionError("a submission reads no logs");
    }

    @Override
    public NewApplication create() {
        created++;
        return new NewApplication(id(created), new ContainerCapability(memory, 8, Map.of()));
    }

    static String id(int number) {
        return String.format("application_1700000000000_%04d", number);
    }

    @Override
    public ClusterFacts facts(String queue) {
        return new ClusterFacts(
                ContainerCapability.NONE,
                Set.of("memory-mb", "vcores"),
                Optional.of(new ClusterFacts.QueueFacts(queue, true, false)),
                false,
                Set.of(),
                2);
    }

    @Override
    public Optional<String> constraintProblem(String constraint) {
        return Optional.empty();
    }

    @Override
    public void submit(ApplicationRequest request) throws IOException {
        if (lostAnswers > 0) {
            lostAnswers--;
            if (!answersAreLostBefore) {
                accept(request);
            }
            throw new EOFException("the ResourceManager restarts");
        }
        accept(request);
    }

    private void accept(ApplicationRequest request) {
        submitted.put(request.id(), request);
        report(request.id(), State.ACCEPTED, Outcome.UNDEFINED, "");
    }

    void report(String id, State state, Outcome outcome, String diagnostics) {
        reports.put(
                id,
                new ClusterReport(
                        id, state, outcome, "", diagnostics, "node", 1, "default", 1, 1, 0, "", "alice", "pi", 1));
    }

    @Override
    public Optional<ClusterReport> report(String application) {
        return Optional.ofNullable(reports.get(application));
    }

    @Override
    public List<ClusterReport> withTag(String tag) {
        return submitted.values().stream()
                .filter(request -> request.tags().contains(tag))
                .map(request -> reports.get(request.id()))
                .toList();
    }

    @Override
    public List<ClusterReport> ofType(String type) {
        return submitted.values().stream()
                .filter(request -> request.queue().type().equals(type))
                .map(request -> reports.get(request.id()))
                .toList();
    }

    @Override
    public void kill(String application, String words) {
        killed.add(application);
        report(application, State.KILLED, Outcome.KILLED, words);
    }

    @Override
    public Map<String, String> driverLogs(ClusterReport report) {
        return Map.of("stdout", "http://nm/stdout", "stderr", "http://nm/stderr");
    }

    @Override
    public YarnCluster cluster() {
        return this;
    }

    @Override
    public StoreFiles files() {
        return disk;
    }

    @Override
    public String stagingRoot() {
        return "/user/alice/.hearthStaging";
    }

    @Override
    public String storeRoot() {
        return "/user/alice/.hearth/store";
    }

    @Override
    public String user() {
        return "alice";
    }

    @Override
    public Optional<String> hadoop(String key) {
        return Optional.empty();
    }

    @Override
    public Bytes configuration() {
        return Bytes.owning("<configuration/>".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Bytes tokens(Collection<URI> addresses) {
        return Bytes.EMPTY;
    }

    @Override
    public Optional<String> path(URI address) {
        return "hdfs".equals(address.getScheme()) ? Optional.of(address.getPath()) : Optional.empty();
    }

    @Override
    public InputStream open(URI address) {
        return new ByteArrayInputStream(address.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {}
}
