package dev.hearth.testkit;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Network between the simulated processes. It delays messages, breaks connections and partitions processes, but keeps
 * the order within a connection. Faults apply to process names, so they survive a restart. Owned by its simulation.
 */
public final class SimulatedNetwork {
    static final Duration DELAY_MAX_DEFAULT = Duration.ofMillis(5);
    private static final long DELAY_MIN_NANOS = 20_000;
    private static final int PORT_FIRST = 40_000;
    private static final int PORT_MAX = 65_535;

    private final Simulation simulation;
    private final MessageTransform copy;
    private final Map<RpcAddress, SimulatedEnv> listening = new LinkedHashMap<>();
    // the process that was last to listen at the address
    private final Map<RpcAddress, SimulatedProcess> hosts = new LinkedHashMap<>();
    private final Set<List<String>> cuts = new LinkedHashSet<>();
    private final Set<List<String>> mutes = new LinkedHashSet<>();
    private Duration delayMax = DELAY_MAX_DEFAULT;
    private int nextPort = PORT_FIRST;
    private MessageWatch watch = MessageWatch.NONE;

    SimulatedNetwork(Simulation simulation, MessageTransform copy) {
        this.simulation = simulation;
        this.copy = copy;
    }

    /**
     * Sets the maximum delay of messages from now on to {@code time}, in addition to their wait for earlier messages.
     */
    public SimulatedNetwork delayUpTo(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("delay: " + time + " (expected: 0 or more)");
        }
        delayMax = time;
        return this;
    }

    /** Has {@code observer} observe all messages that are handled from now on. */
    public void watch(MessageWatch observer) {
        watch = observer;
    }

    /** Disconnects two processes: their connections break at once and new connections fail, until {@link #heal}. */
    public void cut(SimulatedProcess a, SimulatedProcess b) {
        if (cuts.add(pair(a, b))) {
            simulation.note("cut " + a.name() + " from " + b.name());
            for (SimulatedEnv env : List.copyOf(a.envs())) {
                env.peersOf(b).forEach(SimulatedPeer::breakConnection);
            }
        }
    }

    /**
     * Silently stops all messages from {@code from} to {@code to}; the other direction works. Connections do not break
     * at once: {@code to} only receives no more messages, and new connections time out. If the fault is healed before
     * the silence timeout, the messages held back arrive late.
     */
    public void mute(SimulatedProcess from, SimulatedProcess to) {
        if (mutes.add(way(from, to))) {
            simulation.note("mute " + from.name() + " towards " + to.name());
            recheck();
        }
    }

    /** Partitions two processes silently, that is, without closing their connections, in both directions. */
    public void part(SimulatedProcess a, SimulatedProcess b) {
        mute(a, b);
        mute(b, a);
    }

    /**
     * Ends all faults between two processes, in both directions, so that they can connect again. Broken connections
     * stay broken.
     */
    public void heal(SimulatedProcess a, SimulatedProcess b) {
        boolean parted = cuts.remove(pair(a, b));
        parted |= mutes.remove(way(a, b));
        parted |= mutes.remove(way(b, a));
        if (parted) {
            simulation.note("heal " + a.name() + " and " + b.name());
            recheck();
        }
    }

    /** Ends the faults between all processes, as {@link #heal} does for two. */
    public void healAll() {
        if (!cuts.isEmpty() || !mutes.isEmpty()) {
            cuts.clear();
            mutes.clear();
            simulation.note("heal all");
            recheck();
        }
    }

    Simulation simulation() {
        return simulation;
    }

    MessageWatch watch() {
        return watch;
    }

    MessageTransform copy() {
        return copy;
    }

    Duration delayMax() {
        return delayMax;
    }

    Duration delay(SimulatedProcess from, SimulatedProcess to) {
        long most = Math.max(DELAY_MIN_NANOS, delayMax.toNanos());
        return Duration.ofNanos(simulation.random().nextLong(DELAY_MIN_NANOS, most + 1))
                .multipliedBy(Math.max(from.slowness(), to.slowness()));
    }

    boolean isMuted(SimulatedProcess from, SimulatedProcess to) {
        return mutes.contains(way(from, to));
    }

    boolean isCut(SimulatedProcess a, SimulatedProcess b) {
        return cuts.contains(pair(a, b));
    }

    /**
     * Whether the two processes cannot connect, because their connections are cut or messages in one direction are
     * lost.
     */
    boolean isParted(SimulatedProcess a, SimulatedProcess b) {
        return isCut(a, b) || isMuted(a, b) || isMuted(b, a);
    }

    SimulatedEnv open(SimulatedProcess process, RpcSettings settings) {
        Optional<RpcAddress> address = settings.listen().map(this::claim);
        SimulatedEnv env = new SimulatedEnv(this, process, settings, address);
        address.ifPresent(place -> {
            listening.put(place, env);
            hosts.put(place, process);
        });
        return env;
    }

    void release(RpcAddress address) {
        listening.remove(address);
    }

    /** The RPC environment that listens at {@code address}; null if there is none. */
    @Nullable
    SimulatedEnv listener(RpcAddress address) {
        return listening.get(address);
    }

    /** Whether an attempt of {@code from} to connect to {@code address} gets no answer at all, not even a refusal. */
    boolean isDark(SimulatedProcess from, RpcAddress address) {
        SimulatedProcess host = hosts.get(address);
        return host != null && (isParted(from, host) || (host.vanished() && simulation.current(host) == host));
    }

    /**
     * Makes both ends of every connection check whether messages of the other end still arrive; used when a network
     * fault begins or ends.
     */
    void recheck() {
        forEachPeer(SimulatedPeer::recheck);
    }

    /**
     * Resets all connections to process {@code before}, whose machine had vanished and whose successor has now started.
     */
    void restarted(SimulatedProcess before) {
        forEachPeer(peer -> {
            if (peer.other().process() == before) {
                peer.resetByOther();
            }
        });
    }

    private void forEachPeer(Consumer<SimulatedPeer> action) {
        for (SimulatedProcess process : simulation.processes()) {
            for (SimulatedEnv env : List.copyOf(process.envs())) {
                env.peers().forEach(action);
            }
        }
    }

    private RpcAddress claim(RpcSettings.Listen listen) {
        int port = listen.port();
        while (port == 0) {
            int candidate = nextPort++;
            port = listening.containsKey(new RpcAddress(listen.advertisedHost(), candidate)) ? 0 : candidate;
        }
        for (int last = Math.min(PORT_MAX, port + listen.portRetries()); port <= last; port++) {
            RpcAddress address = new RpcAddress(listen.advertisedHost(), port);
            if (!listening.containsKey(address)) {
                return address;
            }
        }
        throw ErrorCode.PORT_IN_USE.failure("port " + new RpcAddress(listen.advertisedHost(), listen.port())
                + ": taken, and the " + listen.portRetries()
                + " that follow it (expected: a free one); choose another, or 0 for any free one");
    }

    private static List<String> pair(SimulatedProcess a, SimulatedProcess b) {
        return List.copyOf(new TreeSet<>(List.of(a.name(), b.name())));
    }

    private static List<String> way(SimulatedProcess from, SimulatedProcess to) {
        return List.of(from.name(), to.name());
    }
}
