package dev.hearth.testkit;

import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Process of a simulation, with its own event loops, clocks and message systems. A test may end it at any moment.
 * <p>After {@link #crash} or {@link #vanish} no action, timer or callback of the process runs. A paused process runs no
 * event until it is resumed; then it runs all events that became due.
 */
public final class SimulatedProcess {
    private static final long LAG_NANOS_PER_SLOWNESS = 200_000;

    private final Simulation simulation;
    private final String name;
    private final Optional<Consumer<SimulatedProcess>> program;
    private final SimulatedClock clock;
    private final List<SimulatedEnv> envs = new ArrayList<>();
    private final List<Runnable> crashHooks = new ArrayList<>();
    private final Deque<Held> held = new ArrayDeque<>(); // events that became due while this process was paused
    private boolean alive = true;
    private boolean vanished;
    private boolean paused;
    private int slowness = 1;

    SimulatedProcess(Simulation simulation, String name, Optional<Consumer<SimulatedProcess>> program) {
        this.simulation = simulation;
        this.name = name;
        this.program = program;
        this.clock = new SimulatedClock(simulation);
    }

    public String name() {
        return name;
    }

    public Simulation simulation() {
        return simulation;
    }

    public boolean alive() {
        return alive;
    }

    /** Clock of this process: the virtual time of the simulation, distorted by {@link #skew}. */
    public Ticker ticker() {
        return clock;
    }

    public EventLoop loop(String loop) {
        return new SimulatedLoop(this, loop);
    }

    /** Factory of message systems, for components that open one themselves. */
    public RpcEnvFactory factory() {
        return this::env;
    }

    /** Opens a message system that connects to other processes but does not listen itself. */
    public RpcEnv env() {
        return env(RpcSettings.connecting(Settings.empty()));
    }

    /**
     * Opens a message system that listens at {@code host}, an arbitrary name, and {@code port}; 0 takes a free port.
     */
    public RpcEnv env(String host, int port) {
        Settings trusted = Settings.empty().with("simulation", "hearth.rpc.trustedNetwork", "true");
        return env(RpcSettings.listening(trusted, host, port));
    }

    public RpcEnv env(RpcSettings settings) {
        SimulatedEnv env = simulation.network().open(this, settings);
        envs.add(env);
        return env;
    }

    /**
     * Sends an HTTP request without a body to this process. The answer has status 404 if no handler matches the path.
     */
    public CompletionStage<HttpAnswer> http(String method, String pathAndQuery) {
        return http(method, pathAndQuery, Bytes.EMPTY);
    }

    public CompletionStage<HttpAnswer> http(String method, String pathAndQuery, Bytes body) {
        return SimulatedHttp.ask(this, method, pathAndQuery, body);
    }

    /**
     * Runs {@code hook} when this process ends by {@link #crash} or {@link #vanish}, after its connections have broken.
     */
    public SimulatedProcess onCrash(Runnable hook) {
        crashHooks.add(hook);
        return this;
    }

    /** Kills the process as kill -9 does. Messages in flight may be lost; peers are notified soon. */
    public void crash() {
        end("crashes", false);
    }

    /** Ends the process as a power failure does: its peers are not notified, and only receive no more messages. */
    public void vanish() {
        end("vanishes", true);
    }

    /**
     * Restarts an ended process. Returns a new process with the same name, which runs the program passed to {@link
     * Simulation#process(String, Consumer)}.
     */
    public SimulatedProcess restart() {
        return simulation.restart(this);
    }

    /** Suspends the process, as SIGSTOP or a long garbage collection does. Peers are not notified. */
    public void pause() {
        if (alive && !paused) {
            simulation.note(name + " pauses");
            paused = true;
            simulation.network().recheck();
        }
    }

    public void pauseFor(Duration time) {
        pause();
        simulation.schedule(time, this::resume);
    }

    /** Resumes the process: all events that became due run now, in order. */
    public void resume() {
        if (alive && paused) {
            simulation.note(name + " goes on");
            paused = false;
            simulation.network().recheck();
            catchUp();
        }
    }

    /**
     * Delays the actions of this process and makes its messages {@code factor} times as slow; a factor of 1 restores
     * the normal speed.
     */
    public void slowBy(int factor) {
        if (factor < 1) {
            throw new IllegalArgumentException("slow by " + factor + " (expected: 1 or more)");
        }
        if (factor != slowness) {
            simulation.note(name + " is slow by " + factor);
            slowness = factor;
        }
    }

    /**
     * Shifts the calendar time of this process by {@code wallOffset} and lets its clocks drift by {@code
     * driftMillionths}; zeros restore correct clocks.
     */
    public void skew(Duration wallOffset, int driftMillionths) {
        simulation.note(
                name + " has its clock off by " + wallOffset + ", drifting by " + driftMillionths + " millionths");
        clock.skew(wallOffset, driftMillionths);
    }

    /** Schedules an action of this process after {@code delay} by its own clock, which may drift. */
    EventLoop.Timeout schedule(Duration delay, Runnable action) {
        return later(clock.real(delay), action);
    }

    /** Schedules an action of this process after {@code delay} in simulated time, which no fault changes. */
    EventLoop.Timeout later(Duration delay, Runnable action) {
        Held event = new Held(action);
        EventLoop.Timeout planned = simulation.schedule(delay, () -> happen(event));
        return () -> {
            event.cancelled = true;
            planned.cancel();
        };
    }

    /**
     * Runs {@code action} of this process now or, if the process is paused, when it is resumed; never if it is dead.
     */
    void happen(Runnable action) {
        happen(new Held(action));
    }

    /**
     * Random delay before an action of this process runs: up to {@code most}, or longer while the process is slowed.
     */
    Duration lag(Duration most) {
        long nanos = most.toNanos() + (slowness - 1) * LAG_NANOS_PER_SLOWNESS;
        return nanos == 0 ? Duration.ZERO : Duration.ofNanos(simulation.random().nextLong(nanos));
    }

    SimulatedClock clock() {
        return clock;
    }

    int slowness() {
        return slowness;
    }

    boolean paused() {
        return paused;
    }

    boolean vanished() {
        return vanished;
    }

    /** Whether this process answers the keep-alive probes of its connections: it has not vanished and is not paused. */
    boolean isHeard() {
        return !vanished && !paused;
    }

    Optional<Consumer<SimulatedProcess>> program() {
        return program;
    }

    List<SimulatedEnv> envs() {
        return envs;
    }

    @Override
    public String toString() {
        return "process " + name;
    }

    private void end(String how, boolean silently) {
        if (!alive) {
            return;
        }
        simulation.note(name + " " + how);
        alive = false;
        vanished = silently;
        paused = false;
        held.clear();
        envs.forEach(SimulatedEnv::crash);
        envs.clear();
        crashHooks.forEach(Runnable::run);
        simulation.network().recheck();
    }

    private void happen(Held event) {
        if (!alive || event.cancelled) {
            return;
        }
        if (paused || !held.isEmpty()) {
            held.addLast(event);
        } else {
            event.action.run();
        }
    }

    /**
     * Runs the events held during a pause as separate events of the simulation, so that invariants are checked in
     * between.
     */
    private void catchUp() {
        if (alive && !paused && !held.isEmpty()) {
            simulation.schedule(Duration.ZERO, () -> {
                if (alive && !paused && !held.isEmpty()) {
                    Held next = held.peekFirst();
                    if (!next.cancelled) {
                        next.action.run();
                    }
                    // removed only after its action, so that events that the action causes run after the events held
                    // before
                    held.pollFirst();
                    catchUp();
                }
            });
        }
    }

    private static final class Held {
        private final Runnable action;
        private boolean cancelled;

        Held(Runnable action) {
            this.action = action;
        }
    }
}
