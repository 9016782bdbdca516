package dev.hearth.testkit;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcAddress;
import dev.hearth.spi.rpc.RpcSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * What connects the processes of a simulation: it delays, breaks, and parts them, and never changes the order of a connection.
 * <p>Owned by its simulation.
 */
public final class SimulatedNetwork {
    private static final Duration DELAY_MAX_DEFAULT = Duration.ofMillis(5);
    private static final long DELAY_MIN_NANOS = 20_000;
    private static final int PORT_FIRST = 40_000;

    private final Simulation simulation;
    private final MessageCopy copy;
    private final Map<RpcAddress, SimulatedEnv> listening = new LinkedHashMap<>();
    private final Set<List<String>> cuts = new LinkedHashSet<>();
    private Duration delayMax = DELAY_MAX_DEFAULT;
    private int nextPort = PORT_FIRST;

    SimulatedNetwork(Simulation simulation, MessageCopy copy) {
        this.simulation = simulation;
        this.copy = copy;
    }

    /** The longest time from now on that a message takes to arrive, unless it waits for one sent before it. */
    public SimulatedNetwork delayUpTo(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("delay: " + time + " (expected: 0 or more)");
        }
        delayMax = time;
        return this;
    }

    /** Parts two processes: their connections break, and new ones fail, until they are healed. */
    public void cut(SimulatedProcess a, SimulatedProcess b) {
        if (cuts.add(pair(a, b))) {
            simulation.note("cut " + a.name() + " from " + b.name());
            for (SimulatedEnv env : List.copyOf(a.envs())) {
                env.peersOf(b).forEach(SimulatedPeer::breakConnection);
            }
        }
    }

    /** Lets two processes connect again; connections that broke stay broken. */
    public void heal(SimulatedProcess a, SimulatedProcess b) {
        if (cuts.remove(pair(a, b))) {
            simulation.note("heal " + a.name() + " and " + b.name());
        }
    }

    Simulation simulation() {
        return simulation;
    }

    MessageCopy copy() {
        return copy;
    }

    Duration delay() {
        long most = Math.max(DELAY_MIN_NANOS, delayMax.toNanos());
        return Duration.ofNanos(simulation.random().nextLong(DELAY_MIN_NANOS, most + 1));
    }

    SimulatedEnv open(SimulatedProcess process, RpcSettings settings) {
        Optional<RpcAddress> address = settings.listen().map(this::claim);
        SimulatedEnv env = new SimulatedEnv(this, process, settings, address);
        address.ifPresent(place -> listening.put(place, env));
        return env;
    }

    void release(RpcAddress address) {
        listening.remove(address);
    }

    /** Carries a wish to connect to whoever listens at {@code address}, and the answer back. */
    void connect(SimulatedEnv from, RpcAddress address, CompletableFuture<Peer> connected) {
        simulation.schedule(delay(), () -> {
            SimulatedEnv to = listening.get(address);
            if (!from.open()) {
                return; // whoever waited was told when it closed, or is dead
            }
            if (to == null) {
                simulation.schedule(
                        delay(),
                        () -> from.refused(
                                connected,
                                address + ": connection refused (expected: a Hearth process listening there);"
                                        + " check the address, and that it runs"));
            } else if (cuts.contains(pair(from.process(), to.process()))) {
                Duration waited = from.settings().times().connect();
                simulation.schedule(
                        waited,
                        () -> from.refused(
                                connected,
                                address + ": no answer within " + waited.toMillis()
                                        + " ms (expected: a Hearth process listening there); check the network between"));
            } else {
                SimulatedPeer.connect(from, to, address, connected);
            }
        });
    }

    private RpcAddress claim(RpcSettings.Listen listen) {
        int port = listen.port();
        while (port == 0) {
            int candidate = nextPort++;
            port = listening.containsKey(new RpcAddress(listen.advertisedHost(), candidate)) ? 0 : candidate;
        }
        RpcAddress address = new RpcAddress(listen.advertisedHost(), port);
        if (listening.containsKey(address)) {
            throw ErrorCode.PORT_IN_USE.failure(
                    "port " + address + ": taken (expected: free); choose another, or 0 for any free one");
        }
        return address;
    }

    private static List<String> pair(SimulatedProcess a, SimulatedProcess b) {
        return List.copyOf(new TreeSet<>(List.of(a.name(), b.name())));
    }
}
