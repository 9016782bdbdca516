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
 * What connects the processes of a simulation: it delays, breaks, mutes and parts them, and never changes the order of a
 * connection. Faults hold between names, so also for a process started again. Owned by its simulation.
 */
public final class SimulatedNetwork {
    static final Duration DELAY_MAX_DEFAULT = Duration.ofMillis(5);
    private static final long DELAY_MIN_NANOS = 20_000;
    private static final int PORT_FIRST = 40_000;
    private static final int PORT_MAX = 65_535;

    private final Simulation simulation;
    private final MessageTransform copy;
    private final Map<RpcAddress, SimulatedEnv> listening = new LinkedHashMap<>();
    private final Map<RpcAddress, SimulatedProcess> hosts = new LinkedHashMap<>(); // who listened there last
    private final Set<List<String>> cuts = new LinkedHashSet<>();
    private final Set<List<String>> mutes = new LinkedHashSet<>();
    private Duration delayMax = DELAY_MAX_DEFAULT;
    private int nextPort = PORT_FIRST;

    SimulatedNetwork(Simulation simulation, MessageTransform copy) {
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

    /** Parts two processes: their connections break at once, and new ones fail, until they are healed. */
    public void cut(SimulatedProcess a, SimulatedProcess b) {
        if (cuts.add(pair(a, b))) {
            simulation.note("cut " + a.name() + " from " + b.name());
            for (SimulatedEnv env : List.copyOf(a.envs())) {
                env.peersOf(b).forEach(SimulatedPeer::breakConnection);
            }
        }
    }

    /**
     * Lets nothing more arrive at {@code to} that {@code from} sends, while the other way works: nobody is told, silence
     * alone shows it, and new connections fail by their timeout. When it is healed before, what is stuck arrives late.
     */
    public void mute(SimulatedProcess from, SimulatedProcess to) {
        if (mutes.add(way(from, to))) {
            simulation.note("mute " + from.name() + " towards " + to.name());
            recheck();
        }
    }

    /** Parts two processes silently, both ways. */
    public void part(SimulatedProcess a, SimulatedProcess b) {
        mute(a, b);
        mute(b, a);
    }

    /** Lets two processes reach each other again, both ways; connections that broke stay broken. */
    public void heal(SimulatedProcess a, SimulatedProcess b) {
        boolean parted = cuts.remove(pair(a, b));
        parted |= mutes.remove(way(a, b));
        parted |= mutes.remove(way(b, a));
        if (parted) {
            simulation.note("heal " + a.name() + " and " + b.name());
            recheck();
        }
    }

    /** Lets everybody reach everybody again. */
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

    /** Whether no connection can be made between two processes. */
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

    /** Who listens at an address; null when nobody does. */
    @Nullable
    SimulatedEnv listener(RpcAddress address) {
        return listening.get(address);
    }

    /** Whether a wish to connect from {@code from} gets no answer at all, not even a refusal. */
    boolean isDark(SimulatedProcess from, RpcAddress address) {
        SimulatedProcess host = hosts.get(address);
        return host != null && (isParted(from, host) || (host.vanished() && simulation.current(host) == host));
    }

    /** Tells connections whether they still hear their other side. */
    void recheck() {
        forEachPeer(SimulatedPeer::recheck);
    }

    /** A process is up again whose machine was gone: what still believes in a connection with the old one learns better. */
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
