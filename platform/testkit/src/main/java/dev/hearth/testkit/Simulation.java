package dev.hearth.testkit;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Deterministic simulation of a cluster: processes, event loops and a network on virtual time. One thread runs it, and
 * one seed determines it.
 * <p>The same seed and test produce the same events. Owned by the thread that created it; other threads are rejected.
 * An event that throws, or an invariant that fails, fails the test with the seed, the time and a replay command.
 */
public final class Simulation {
    /** Calendar time at the start of a simulation. */
    public static final Instant WALL_START = Instant.parse("2026-01-01T00:00:00Z");

    private static final String SEED_PROPERTY = "hearth.simulation.seed";
    private static final String SEEDS_PROPERTY = "hearth.simulation.seeds";
    private static final long EVENTS_MAX = 5_000_000;
    private static final int NOTES_SHOWN_MAX = 20;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    /**
     * Monotonic time at the start. It is negative, as the counter of a real machine may be. Tests thus find code that
     * takes the value for an age or uses zero for "never".
     */
    static final long NANOS_START = -Duration.ofMinutes(1).toNanos();

    private final long seed;
    private final SplittableRandom random;
    private final Thread test = Thread.currentThread();
    private Thread owner = test; // or the thread that runs its events now
    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private final List<Invariant> invariants = new ArrayList<>();
    private final Map<String, SimulatedProcess> processes = new LinkedHashMap<>();
    private final SimulatedNetwork network;
    private final Ticker ticker = new VirtualTicker();
    private final Deque<Note> notes = new ArrayDeque<>();
    private long fingerprint = 1;
    private long now = NANOS_START;
    private long events;
    private long sequence;
    private final SimulatedDrive drive = new SimulatedDrive(this);
    private boolean running;
    private @Nullable EventLoop current;

    public Simulation(long seed) {
        this(seed, MessageTransform.IDENTITY);
    }

    /**
     * Creates a simulation with random seed {@code seed}. Every message and answer passes through {@code copy}, for
     * example to be encoded and decoded.
     */
    public Simulation(long seed, MessageTransform copy) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.network = new SimulatedNetwork(this, copy);
    }

    /**
     * Seeds for {@code @MethodSource}: from 1 to {@code count}, or to {@code hearth.simulation.seeds} if that is
     * larger. If the replay command set a seed, the only value is this seed.
     */
    public static LongStream seeds(int count) {
        Long replayed = Long.getLong(SEED_PROPERTY);
        return replayed == null
                ? LongStream.rangeClosed(1, Math.max(count, Long.getLong(SEEDS_PROPERTY, 0)))
                : LongStream.of(replayed);
    }

    public long seed() {
        return seed;
    }

    public Ticker ticker() {
        return ticker;
    }

    /** Random generator of this simulation, the source of all its randomness. */
    public RandomGenerator random() {
        return random;
    }

    public SimulatedNetwork network() {
        return network;
    }

    /**
     * Starts a process without a program; the test itself creates its event loops and message systems. The name of an
     * ended process may be reused.
     */
    public SimulatedProcess process(String name) {
        return start(name, Optional.empty());
    }

    /** Starts a process that runs {@code program} now and after each restart. */
    public SimulatedProcess process(String name, Consumer<SimulatedProcess> program) {
        return start(name, Optional.of(program));
    }

    /**
     * The running process named {@code name}, or else the last one of that name that has ended; fails if there was
     * none.
     */
    public SimulatedProcess named(String name) {
        SimulatedProcess found = processes.get(name);
        if (found == null) {
            throw new IllegalArgumentException(
                    "process " + name + ": never started (expected: one of " + processes.keySet() + ")");
        }
        return found;
    }

    /** Simulated time that has passed since the start of the simulation. */
    public Duration elapsed() {
        return Duration.ofNanos(now - NANOS_START);
    }

    /** Hash of all lines passed to {@link #note} so far. Two runs of one test with the same seed have the same hash. */
    public long fingerprint() {
        return fingerprint;
    }

    /** Notes {@code line}: it counts for the {@link #fingerprint}, and a failure shows the most recent notes. */
    public void note(String line) {
        fingerprint = fingerprint * 31 + line.hashCode();
        fingerprint = fingerprint * 31 + now;
        if (notes.size() == NOTES_SHOWN_MAX) {
            notes.removeFirst();
        }
        notes.addLast(new Note(now, line));
    }

    /**
     * Checks {@code invariant} now and after every event; the simulation fails, naming {@code name}, when it does not
     * hold.
     */
    public void always(String name, BooleanSupplier invariant) {
        Invariant added = new Invariant(name, invariant);
        check(added);
        invariants.add(added);
    }

    /**
     * Checks {@code condition} once; if it does not hold, the simulation fails as for an invariant, naming {@code
     * name}.
     */
    public void require(String name, BooleanSupplier condition) {
        check(new Invariant(name, condition));
    }

    public EventLoop.Timeout schedule(Duration delay, Runnable action) {
        requireOwner();
        Event event = new Event(now + Math.max(0, delay.toNanos()), sequence++, action);
        queue.add(event);
        return event;
    }

    /** Runs {@code action} every {@code period}, first after one period, until the returned timeout is cancelled. */
    public EventLoop.Timeout every(Duration period, Runnable action) {
        if (period.isZero() || period.isNegative()) {
            throw new IllegalArgumentException("period: " + period + " (expected: more than 0)");
        }
        Repetition repetition = new Repetition(period, action);
        repetition.plan();
        return repetition;
    }

    /** Runs until no event is left; never returns while a repeating event exists. */
    public void run() {
        runWhile(() -> true, Long.MAX_VALUE);
    }

    /** Advances the simulated time by {@code time}, and runs all events that are due within it. */
    public void runFor(Duration time) {
        long end = now + time.toNanos();
        runWhile(() -> true, end);
        now = end;
    }

    /**
     * Runs events until {@code condition} holds, at most for {@code bound} of simulated time. Returns whether the
     * condition holds then.
     */
    public boolean runUntil(BooleanSupplier condition, Duration bound) {
        long end = now + bound.toNanos();
        runWhile(() -> !condition.getAsBoolean(), end);
        if (condition.getAsBoolean()) {
            return true;
        }
        now = end;
        return condition.getAsBoolean();
    }

    /**
     * Creates a test failure that shows {@code what}, the simulated time, the seed and a command that replays the run.
     */
    AssertionError failure(String what, @Nullable Throwable cause) {
        StringBuilder message = new StringBuilder("simulation: " + what + " at " + seconds(now) + " with seed " + seed
                + "; replay with " + ReplayCommand.line(SEED_PROPERTY, seed, test));
        if (!notes.isEmpty()) {
            message.append("\n  before that:");
            notes.forEach(note -> message.append("\n    ")
                    .append(seconds(note.atNanos()))
                    .append(' ')
                    .append(note.line()));
        }
        return new AssertionError(message.toString(), cause);
    }

    SimulatedProcess restart(SimulatedProcess ended) {
        note(ended.name() + " starts again");
        SimulatedProcess next = start(ended.name(), ended.program());
        if (ended.vanished()) {
            network.restarted(ended);
        }
        return next;
    }

    /** The process that currently has the name of {@code process}: itself, or its successor after a restart. */
    SimulatedProcess current(SimulatedProcess process) {
        return named(process.name());
    }

    Collection<SimulatedProcess> processes() {
        return processes.values();
    }

    void enter(EventLoop loop) {
        current = loop;
    }

    boolean isIn(EventLoop loop) {
        return current == loop && Thread.currentThread() == owner;
    }

    /** Makes {@code next} the only thread that may use the simulation; returns the thread that could until now. */
    Thread switchTo(Thread next) {
        Thread before = owner;
        owner = next;
        return before;
    }

    private SimulatedProcess start(String name, Optional<Consumer<SimulatedProcess>> program) {
        requireOwner();
        SimulatedProcess before = processes.get(name);
        if (before != null && before.alive()) {
            throw new IllegalStateException(
                    "process " + name + ": runs already (expected: one of that name at a time)");
        }
        SimulatedProcess process = new SimulatedProcess(this, name, program);
        processes.put(name, process);
        program.ifPresent(action -> action.accept(process));
        return process;
    }

    private void runWhile(BooleanSupplier wanted, long end) {
        requireOwner();
        if (running) {
            throw new IllegalStateException("simulation: run by one of its own events (expected: by the test)");
        }
        running = true;
        try {
            drive.run(() -> wanted.getAsBoolean() && runNext(end));
        } finally {
            running = false;
        }
    }

    /** The threads of this simulation. */
    SimulatedDrive drive() {
        return drive;
    }

    /** Runs the next event, if it is due at {@code end}; returns whether it was. */
    private boolean runNext(long end) {
        Event next = queue.peek();
        if (next == null || next.atNanos > end) {
            return false;
        }
        queue.remove();
        Runnable action = next.action;
        if (action == null) {
            return true; // cancelled, so the clock does not advance
        }
        now = next.atNanos;
        if (++events > EVENTS_MAX) {
            throw failure("no end after " + EVENTS_MAX + " events (expected: at most that many)", null);
        }
        try {
            action.run();
        } catch (Throwable thrown) { // assertion errors are caught too, to add the seed and the time
            throw failure("an event threw " + thrown, thrown);
        }
        return true;
    }

    /** Ends the event that has run. */
    void endEvent() {
        current = null;
        invariants.forEach(this::check);
    }

    private void check(Invariant invariant) {
        boolean holds;
        try {
            holds = invariant.condition().getAsBoolean();
        } catch (Throwable thrown) { // an invariant that throws is violated
            throw failure("invariant '" + invariant.name() + "' threw " + thrown, thrown);
        }
        if (!holds) {
            throw failure("invariant '" + invariant.name() + "' is broken", null);
        }
    }

    private void requireOwner() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException(
                    "simulation: used by " + Thread.currentThread().getName() + " (expected: only " + owner.getName()
                            + ", which made it; other threads make it unrepeatable)");
        }
    }

    private static String seconds(long atNanos) {
        long elapsed = atNanos - NANOS_START;
        return String.format(Locale.ROOT, "%d.%09ds", elapsed / NANOS_PER_SECOND, elapsed % NANOS_PER_SECOND);
    }

    private record Note(long atNanos, String line) {}

    private record Invariant(String name, BooleanSupplier condition) {}

    private final class VirtualTicker implements Ticker {
        @Override
        public long nanos() {
            return now;
        }

        @Override
        public Instant wall() {
            return WALL_START.plus(elapsed());
        }
    }

    /** Scheduled event. */
    private static final class Event implements EventLoop.Timeout, Comparable<Event> {
        private final long atNanos;
        private final long order;
        private @Nullable Runnable action; // null once cancelled

        Event(long atNanos, long order, Runnable action) {
            this.atNanos = atNanos;
            this.order = order;
            this.action = action;
        }

        @Override
        public void cancel() {
            action = null;
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final class Repetition implements EventLoop.Timeout {
        private final Duration period;
        private final Runnable action;
        private boolean cancelled;

        Repetition(Duration period, Runnable action) {
            this.period = period;
            this.action = action;
        }

        void plan() {
            schedule(period, () -> {
                if (!cancelled) {
                    plan();
                    action.run();
                }
            });
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }
}
