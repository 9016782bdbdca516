package dev.hearth.yarn.internal.line;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A ResourceManager and NodeManagers of one application, in simulated time. Rows of requests are absolute numbers, as in
 * YARN's protocol, and shrink as containers are granted. Fields that are faults may be set at any time. Owned by a simulation.
 */
public final class SimulatedYarn {
    /** Programs in containers. */
    public interface Processes {
        /** Runs the process of a container. */
        void start(GrantedContainer container, ContainerLaunch launch);

        /** Kills the process of a container, if it still runs. */
        void kill(String container);
    }

    static final Duration NODE_PERIOD = Duration.ofMillis(100);
    private static final Duration START_EXPIRY = Duration.ofMinutes(10);

    /** Whether nodes take containers. */
    public boolean granting = true;
    /** Share of grants that no row explains. */
    public double overGrants;
    /** Share of nodes' turns in which a node grants nothing. */
    public double lateness;
    /** Share of grants with a rack that is wrong. */
    public double wrongRacks;
    /** Whether grants have the number of their requests, and the share of those that have a priority of other requests. */
    public boolean returnsGroups = true;

    public double strangePriorities;
    /** Whether each report repeats all notices of preemption, as the fair scheduler does. */
    public boolean repeatsNotices = true;
    /** Share of reports that arrive twice. */
    public double repeatedReports;
    /** Share of ends that are never reported. */
    public double lostEnds;
    /** Share of starts that fail, and of those that take up to 20 s. */
    public double failedStarts;

    public double slowStarts;
    /** Whether the ResourceManager does not answer. */
    public boolean away;
    /** Factor of the reported headroom. */
    public double headroomFactor = 1;

    final Simulation simulation;
    final ContainerCapability maximum;
    final Map<String, Node> nodes = new LinkedHashMap<>();
    final Map<String, Box> boxes = new LinkedHashMap<>(); // containers that have not ended
    final Map<RowKey, Rows> rows = new LinkedHashMap<>();
    final Set<String> excluded = new LinkedHashSet<>();
    List<GrantedContainer> granted = new ArrayList<>(); // not reported yet
    List<EndedContainer> ended = new ArrayList<>();
    List<HostChange> changes = new ArrayList<>();
    Set<String> strict = new LinkedHashSet<>();
    Set<String> negotiable = new LinkedHashSet<>();
    int attempt = 1;
    private final Processes processes;
    private int lastContainer;
    private boolean finished;

    record RowKey(int priority, long group, ContainerCapability capability) {
        static RowKey of(ContainerAsk ask) {
            return new RowKey(ask.priority(), ask.group(), ask.capability());
        }
    }

    /** Requests of one priority and size: in all, and by host. */
    static final class Rows {
        int any;
        final Map<String, Integer> hosts = new LinkedHashMap<>();
    }

    /** A node. */
    static final class Node {
        final String host;
        final String rack;
        final long memory;
        long used;
        HostChange.State state = HostChange.State.USABLE;

        Node(String host, String rack, long memory) {
            this.host = host;
            this.rack = rack;
            this.memory = memory;
        }
    }

    /** A container. */
    static final class Box {
        final GrantedContainer container;
        final Node node;
        final Duration since;
        boolean running;

        Box(GrantedContainer container, Node node, Duration since) {
            this.container = container;
            this.node = node;
            this.since = since;
        }
    }

    /** A cluster of {@code hosts} nodes in {@code racks} racks, with {@code memory} MiB each. */
    public SimulatedYarn(Simulation simulation, int hosts, int racks, long memory, Processes processes) {
        this.simulation = simulation;
        this.processes = processes;
        this.maximum = new ContainerCapability(memory, 1_000, Map.of());
        for (int i = 0; i < hosts; i++) {
            nodes.put("host" + i, new Node("host" + i, "/rack" + i % racks, memory));
        }
        simulation.schedule(NODE_PERIOD, this::turn);
    }

    /** Line of the application, which {@code loop} owns. */
    public SimulatedLine line(EventLoop loop) {
        return new SimulatedLine(this, loop);
    }

    public List<String> hosts() {
        return List.copyOf(nodes.keySet());
    }

    /** Ids of the containers that the ResourceManager holds for the application. */
    public Set<String> containers() {
        return new LinkedHashSet<>(boxes.keySet());
    }

    public Set<String> running() {
        Set<String> running = new LinkedHashSet<>();
        boxes.forEach((id, box) -> {
            if (box.running) {
                running.add(id);
            }
        });
        return running;
    }

    public Set<String> excluded() {
        return new LinkedHashSet<>(excluded);
    }

    /** Number of rows, as the ResourceManager counts them, and containers that they ask for. */
    public int rowCount() {
        Set<String> racks = new LinkedHashSet<>();
        int count = 0;
        for (Rows row : rows.values()) {
            row.hosts.keySet().forEach(host -> racks.add(nodes.containsKey(host) ? nodes.get(host).rack : ""));
            count += 1 + row.hosts.size() + racks.size();
        }
        return count;
    }

    public int asked() {
        return rows.values().stream().mapToInt(row -> row.any).sum();
    }

    /** The process of a container ended by itself, or was killed, with this status. */
    public void ended(String container, int status, String diagnostics) {
        Box box = boxes.remove(container);
        if (box == null) {
            return;
        }
        box.node.used -= box.container.capability().memoryMebibytes();
        granted.remove(box.container);
        strict.remove(container);
        negotiable.remove(container);
        if (simulation.random().nextDouble() >= lostEnds) {
            ended.add(new EndedContainer(container, status, diagnostics));
        }
    }

    /** Kills the process of a container on behalf of YARN. */
    public void kill(String container, int status, String diagnostics) {
        Box box = boxes.get(container);
        if (box != null) {
            ended(container, status, diagnostics);
            if (box.running) {
                processes.kill(container);
            }
        }
    }

    /** Loses a node: its containers are reported as aborted; their processes die, or stay as orphans. */
    public void loseNode(String host, boolean orphans) {
        Node node = nodes.get(host);
        node.state = HostChange.State.GONE;
        changes.add(new HostChange(host, HostChange.State.GONE, OptionalInt.empty()));
        for (Box box : List.copyOf(boxes.values())) {
            if (box.node == node) {
                boolean running = box.running;
                double reliable = lostEnds;
                lostEnds = orphans ? 0 : reliable; // no part would notice an orphan whose end is not reported
                ended(box.container.id(), -100, "Container released on a *lost* node");
                lostEnds = reliable;
                if (running && !orphans) {
                    processes.kill(box.container.id());
                }
            }
        }
    }

    public void decommission(String host, int seconds) {
        Node node = nodes.get(host);
        if (node.state == HostChange.State.USABLE) {
            node.state = HostChange.State.DECOMMISSIONING;
            changes.add(new HostChange(host, HostChange.State.DECOMMISSIONING, OptionalInt.of(seconds)));
        }
    }

    public void restore(String host) {
        Node node = nodes.get(host);
        if (node.state != HostChange.State.USABLE) {
            node.state = HostChange.State.USABLE;
            changes.add(new HostChange(host, HostChange.State.USABLE, OptionalInt.empty()));
        }
    }

    /** Announces that a container will be taken back. */
    public void announce(String container, boolean strictly) {
        if (boxes.containsKey(container)) {
            (strictly ? strict : negotiable).add(container);
        }
    }

    public void withdrawNotices() {
        strict.clear();
        negotiable.clear();
    }

    /** Restarts the ResourceManager, which forgets requests, exclusions and what it has not reported. */
    public void restart() {
        rows.clear();
        excluded.clear();
        tellAllNodes();
    }

    /** Nodes register again after a restart, and so are reported. */
    private void tellAllNodes() {
        changes.clear();
        for (Node node : nodes.values()) {
            boolean decommissioning = node.state == HostChange.State.DECOMMISSIONING;
            changes.add(
                    new HostChange(node.host, node.state, decommissioning ? OptionalInt.of(30) : OptionalInt.empty()));
        }
    }

    /** Whether something still has to be reported. */
    public boolean hasNews() {
        return !granted.isEmpty() || !ended.isEmpty() || !changes.isEmpty();
    }

    /** The application master is gone: containers that do not run end; a new one may follow. */
    void masterGone() {
        rows.clear();
        excluded.clear();
        granted.clear();
        for (Box box : List.copyOf(boxes.values())) {
            if (!box.running) {
                ended(box.container.id(), -100, "Container of a previous attempt that had not started");
            }
        }
        tellAllNodes();
        attempt++;
    }

    /** Reports ends to the next application master that the last one has not acknowledged. */
    void repeatEnds(LineReport report) {
        ended.addAll(report.ended());
    }

    void finish() {
        finished = true;
        rows.clear();
        List.copyOf(boxes.keySet()).forEach(id -> kill(id, -107, "application over"));
    }

    LineReport answer() {
        LineReport report =
                new LineReport(granted, ended, changes, new PreemptionNotice(strict, negotiable), headroom(), usable());
        granted = new ArrayList<>();
        ended = new ArrayList<>();
        changes = new ArrayList<>();
        if (!repeatsNotices) {
            strict = new LinkedHashSet<>();
            negotiable = new LinkedHashSet<>();
        }
        return report;
    }

    void release(String container) {
        kill(container, -100, "Container released by application");
    }

    void start(GrantedContainer container, ContainerLaunch launch, SimulatedLine line) {
        boolean slow = simulation.random().nextDouble() < slowStarts;
        Duration delay = Duration.ofMillis(10 + simulation.random().nextInt(slow ? 20_000 : 300));
        boolean fails = simulation.random().nextDouble() < failedStarts;
        int epoch = line.epoch();
        simulation.schedule(delay, () -> {
            Box box = boxes.get(container.id());
            if (box == null || box.node.state == HostChange.State.GONE || fails) {
                line.tell(epoch, listener -> listener.startFailed(container.id(), "Unauthorized request or no route"));
            } else {
                if (box.running) {
                    throw new AssertionError(container.id() + ": started twice (expected: once)");
                }
                box.running = true;
                processes.start(container, launch);
                line.tell(epoch, listener -> listener.started(container.id()));
            }
        });
    }

    private ContainerCapability headroom() {
        long free = 0;
        for (Node node : nodes.values()) {
            free += node.state == HostChange.State.USABLE ? node.memory - node.used : 0;
        }
        return new ContainerCapability((long) (free * headroomFactor), 0, Map.of());
    }

    /** Number of nodes that take containers. */
    public int usable() {
        return (int) nodes.values().stream()
                .filter(node -> node.state == HostChange.State.USABLE)
                .count();
    }

    /** Lets each node take containers, those whose requests name it first. */
    private void turn() {
        if (finished) {
            return;
        }
        simulation.schedule(NODE_PERIOD, this::turn);
        for (Box box : List.copyOf(boxes.values())) {
            if (!box.running && simulation.elapsed().minus(box.since).compareTo(START_EXPIRY) > 0) {
                ended(box.container.id(), -100, "Container expired since it was unused");
            }
        }
        if (away || !granting) {
            return;
        }
        for (Node node : nodes.values()) {
            if (simulation.random().nextDouble() >= lateness) {
                grantOn(node);
            }
        }
    }

    private void grantOn(Node node) {
        for (Map.Entry<RowKey, Rows> entry : List.copyOf(rows.entrySet())) {
            RowKey key = entry.getKey();
            Rows row = entry.getValue();
            while (node.state == HostChange.State.USABLE
                    && !excluded.contains(node.host)
                    && row.any > 0
                    && node.used + key.capability.memoryMebibytes() <= node.memory) {
                boolean local = row.hosts.getOrDefault(node.host, 0) > 0;
                if (!local && !row.hosts.isEmpty() && simulation.random().nextInt(4) > 0) {
                    return; // waits a turn for a node that is named
                }
                grant(node, key);
                if (simulation.random().nextDouble() < overGrants) {
                    grant(node, key);
                }
                row.any--;
                row.hosts.computeIfPresent(node.host, (host, count) -> count > 1 ? count - 1 : null);
            }
        }
    }

    private void grant(Node node, RowKey key) {
        String rack = simulation.random().nextDouble() < wrongRacks ? "/elsewhere" : node.rack;
        boolean isStrange = returnsGroups && simulation.random().nextDouble() < strangePriorities;
        GrantedContainer container = new GrantedContainer(
                "container_1_0001_0" + attempt + "_" + ++lastContainer,
                node.host,
                node.host + ":45454",
                node.host + ":8042",
                rack,
                key.capability,
                isStrange ? 1 + simulation.random().nextInt(5) : key.priority,
                returnsGroups ? key.group : 0);
        node.used += key.capability.memoryMebibytes();
        boxes.put(container.id(), new Box(container, node, simulation.elapsed()));
        granted.add(container);
    }

    /** Containers that run, for a registration. */
    List<GrantedContainer> previous() {
        List<GrantedContainer> previous = new ArrayList<>();
        for (Box box : boxes.values()) {
            if (box.running) {
                previous.add(box.container);
            }
        }
        return previous;
    }
}
