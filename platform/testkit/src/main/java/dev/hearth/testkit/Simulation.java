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
 * A world on virtual time: processes, their loops and a network, all run by one thread and decided by one seed.
 * <p>The same seed and the same test give the same events. Owned by the thread that made it; others are refused. An event
 * that throws, or an invariant that does not hold, fails the test with the seed, the time, and how to replay it.
 */
public final class Simulation {
    /** What the calendar shows when a simulation begins. */
    public static final Instant WALL_START = Instant.parse("2026-01-01T00:00:00Z");

    private static final String SEED_PROPERTY = "hearth.simulation.seed";
    private static final String SEEDS_PROPERTY = "hearth.simulation.seeds";
    private static final long EVENTS_MAX = 5_000_000;
    private static final int NOTES_SHOWN_MAX = 20;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    /** Below zero, as a real count may be, so that no code takes it for an age or zero for "never". */
    static final long NANOS_START = -Duration.ofMinutes(1).toNanos();

    private final long seed;
    private final SplittableRandom random;
    private Thread owner = Thread.currentThread(); // or the one that has its turn
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
    private boolean running;
    private @Nullable EventLoop current;

    public Simulation(long seed) {
        this(seed, MessageTransform.IDENTITY);
    }

    /** A simulation in which every message and every answer passes through {@code copy}. */
    public Simulation(long seed, MessageTransform copy) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.network = new SimulatedNetwork(this, copy);
    }

    /**
     * The seeds from 1 to {@code count}, or to {@code hearth.simulation.seeds} where that asks for more, or only the one
     * that is to be replayed; for {@code @MethodSource}.
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

    /** Where all chance in this simulation comes from. */
    public RandomGenerator random() {
        return random;
    }

    public SimulatedNetwork network() {
        return network;
    }

    /** Starts a process without a program: the test opens what it needs. The name of one that ended may be used again. */
    public SimulatedProcess process(String name) {
        return start(name, Optional.empty());
    }

    /** Starts a process that runs {@code program} now, and again whenever it is restarted. */
    public SimulatedProcess process(String name, Consumer<SimulatedProcess> program) {
        return start(name, Optional.of(program));
    }

    /** The process that has a name now, whether it still lives or was the last to. */
    public SimulatedProcess named(String name) {
        SimulatedProcess found = processes.get(name);
        if (found == null) {
            throw new IllegalArgumentException(
                    "process " + name + ": never started (expected: one of " + processes.keySet() + ")");
        }
        return found;
    }

    /** Virtual time since the simulation began. */
    public Duration elapsed() {
        return Duration.ofNanos(now - NANOS_START);
    }

    /** A number made of everything noted so far; the same for the same seed and the same test. */
    public long fingerprint() {
        return fingerprint;
    }

    /** Adds a line to what a failure shows of the time before it, and to the fingerprint. */
    public void note(String line) {
        fingerprint = fingerprint * 31 + line.hashCode();
        fingerprint = fingerprint * 31 + now;
        if (notes.size() == NOTES_SHOWN_MAX) {
            notes.removeFirst();
        }
        notes.addLast(new Note(now, line));
    }

    /** Checks {@code invariant} now and after every event. */
    public void always(String name, BooleanSupplier invariant) {
        Invariant added = new Invariant(name, invariant);
        check(added);
        invariants.add(added);
    }

    /** Checks once, now; fails as an invariant that is broken. */
    public void require(String name, BooleanSupplier condition) {
        check(new Invariant(name, condition));
    }

    public EventLoop.Timeout schedule(Duration delay, Runnable action) {
        requireOwner();
        Event event = new Event(now + Math.max(0, delay.toNanos()), sequence++, action);
        queue.add(event);
        return event;
    }

    /** Runs {@code action} once every {@code period}, the first time after one period. */
    public EventLoop.Timeout every(Duration period, Runnable action) {
        if (period.isZero() || period.isNegative()) {
            throw new IllegalArgumentException("period: " + period + " (expected: more than 0)");
        }
        Repetition repetition = new Repetition(period, action);
        repetition.plan();
        return repetition;
    }

    /** Runs until nothing is left to happen; never returns normally while something repeats. */
    public void run() {
        runWhile(() -> true, Long.MAX_VALUE);
    }

    /** Runs everything that happens within {@code time}, and lets that time pass. */
    public void runFor(Duration time) {
        long end = now + time.toNanos();
        runWhile(() -> true, end);
        now = end;
    }

    /** Runs until {@code condition} holds, at most for {@code bound}; tells whether it did. */
    public boolean runUntil(BooleanSupplier condition, Duration bound) {
        long end = now + bound.toNanos();
        runWhile(() -> !condition.getAsBoolean(), end);
        if (condition.getAsBoolean()) {
            return true;
        }
        now = end;
        return condition.getAsBoolean();
    }

    /** A failure that says how to see it again. */
    AssertionError failure(String what, @Nullable Throwable cause) {
        StringBuilder message = new StringBuilder("simulation: " + what + " at " + seconds(now) + " with seed " + seed
                + "; replay with " + ReplayCommand.line(SEED_PROPERTY, seed));
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

    /** Who has the name of a process now. */
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

    /** Makes {@code next} the thread that all happens on; returns which one it was. */
    Thread handTo(Thread next) {
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
            while (wanted.getAsBoolean()) {
                Event next = queue.peek();
                if (next == null || next.atNanos > end) {
                    return;
                }
                queue.remove();
                runOne(next);
            }
        } finally {
            running = false;
        }
    }

    private void runOne(Event event) {
        Runnable action = event.action;
        if (action == null) {
            return; // cancelled: it takes no time
        }
        now = event.atNanos;
        if (++events > EVENTS_MAX) {
            throw failure("no end after " + EVENTS_MAX + " events (expected: idle, or fewer)", null);
        }
        try {
            action.run();
        } catch (Throwable thrown) { // an AssertionError of the test too: it gains seed and time
            throw failure("an event threw " + thrown, thrown);
        } finally {
            current = null;
        }
        invariants.forEach(this::check);
    }

    private void check(Invariant invariant) {
        boolean holds;
        try {
            holds = invariant.condition().getAsBoolean();
        } catch (Throwable thrown) { // an invariant that cannot be told is broken
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

    /** Something that will happen, unless it is cancelled before. */
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
