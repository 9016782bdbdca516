package dev.hearth.testkit;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Random sequence of faults among named processes, followed by a quiet end: all faults are healed and all processes
 * run, so that the test can check recovery. The seed of the simulation determines the faults; each one is recorded with
 * {@link Simulation#note}. Owned by its simulation.
 */
public final class FaultScript {
    private static final int FAULTS_MAX_DEFAULT = 8;
    private static final int SLOWNESS_MAX = 20;
    private static final int DRIFT_MILLIONTHS_MAX = 1_000;
    private static final long WALL_OFFSET_MILLIS_MAX = 3_600_000;
    private static final Duration DELAY_MAX = Duration.ofMillis(500);

    private final Simulation simulation;
    private final List<String> processes;
    private final Duration lasting;
    private final Set<Fault> faults = EnumSet.allOf(Fault.class);
    private Duration faultLastsMax;
    private int faultsMax = FAULTS_MAX_DEFAULT;
    private boolean over;

    /**
     * Script of faults among the processes named {@code processes}; {@code lasting} after {@link #begin}, all faults
     * are over. A crashed process restarts and runs its program again.
     */
    public FaultScript(Simulation simulation, List<String> processes, Duration lasting) {
        this.simulation = simulation;
        this.processes = List.copyOf(processes);
        this.lasting = lasting;
        this.faultLastsMax = lasting.dividedBy(4);
    }

    /** Limits the number of faults to {@code count}; at least one fault happens. */
    public FaultScript atMost(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("faults: " + count + " (expected: 1 or more)");
        }
        faultsMax = count;
        return this;
    }

    /** Limits the duration of each fault to {@code time}. */
    public FaultScript eachAtMost(Duration time) {
        faultLastsMax = time;
        return this;
    }

    /** Excludes {@code kinds}, kinds of faults that the system under test does not tolerate. */
    public FaultScript without(Fault... kinds) {
        faults.removeAll(List.of(kinds));
        if (faults.isEmpty()) {
            throw new IllegalArgumentException("faults: none left (expected: one kind at least)");
        }
        return this;
    }

    /** Schedules all faults; the time {@code lasting} given to the constructor begins now. */
    public FaultScript begin() {
        int count = 1 + simulation.random().nextInt(faultsMax);
        for (int fault = 0; fault < count; fault++) {
            plan();
        }
        simulation.schedule(lasting, this::calm);
        return this;
    }

    /** Whether the faults are over and the quiet end has begun. */
    public boolean isOver() {
        return over;
    }

    private void plan() {
        List<Fault> kinds = List.copyOf(faults);
        Fault kind = kinds.get(simulation.random().nextInt(kinds.size()));
        String one = pick(processes);
        List<String> rest = processes.stream().filter(name -> !name.equals(one)).toList();
        String other = rest.isEmpty() ? one : pick(rest);
        Duration at = upTo(lasting);
        Duration end = at.plus(upTo(faultLastsMax));
        simulation.schedule(at, () -> perform(kind, one, other));
        simulation.schedule(end, () -> undo(kind, one, other));
    }

    private void perform(Fault kind, String one, String other) {
        if (over) {
            return;
        }
        SimulatedNetwork network = simulation.network();
        SimulatedProcess process = simulation.named(one);
        SimulatedProcess peer = simulation.named(other);
        switch (kind) {
            case DELAY -> network.delayUpTo(upTo(DELAY_MAX));
            case CUT -> network.cut(process, peer);
            case PART -> network.part(process, peer);
            case PART_ONE_WAY -> network.mute(process, peer);
            case SLOW -> process.slowBy(2 + simulation.random().nextInt(SLOWNESS_MAX - 1));
            case PAUSE -> process.pause();
            case CRASH -> process.crash();
            case VANISH -> process.vanish();
            case SKEW ->
                process.skew(
                        Duration.ofMillis(
                                simulation.random().nextLong(-WALL_OFFSET_MILLIS_MAX, WALL_OFFSET_MILLIS_MAX)),
                        simulation.random().nextInt(-DRIFT_MILLIONTHS_MAX, DRIFT_MILLIONTHS_MAX));
        }
    }

    private void undo(Fault kind, String one, String other) {
        if (over) {
            return;
        }
        SimulatedProcess process = simulation.named(one);
        switch (kind) {
            case DELAY -> simulation.network().delayUpTo(SimulatedNetwork.DELAY_MAX_DEFAULT);
            case CUT, PART, PART_ONE_WAY -> simulation.network().heal(process, simulation.named(other));
            case SLOW -> process.slowBy(1);
            case PAUSE -> process.resume();
            case CRASH, VANISH -> startAgain(process);
            case SKEW -> process.skew(Duration.ZERO, 0);
        }
    }

    private void calm() {
        simulation.note("everything heals");
        over = true;
        simulation.network().delayUpTo(SimulatedNetwork.DELAY_MAX_DEFAULT);
        simulation.network().healAll();
        for (String name : processes) {
            SimulatedProcess process = simulation.named(name);
            process.resume();
            process.slowBy(1);
            process.skew(Duration.ZERO, 0);
            startAgain(process);
        }
    }

    private static void startAgain(SimulatedProcess process) {
        if (!process.alive()) {
            process.restart();
        }
    }

    private String pick(List<String> names) {
        return names.get(simulation.random().nextInt(names.size()));
    }

    private Duration upTo(Duration most) {
        return Duration.ofNanos(simulation.random().nextLong(most.toNanos() + 1));
    }

    /** Kinds of faults. */
    public enum Fault {
        /** Messages between all processes are delayed. */
        DELAY,
        /** Connections between two processes break, and both are notified. */
        CUT,
        /** Two processes are partitioned silently: messages between them do not arrive, and neither is notified. */
        PART,
        /** Messages from one process to another are silently lost; the other direction works. */
        PART_ONE_WAY,
        /** A process is slowed by a random factor: its actions run later, and its messages take longer. */
        SLOW,
        /** A process is suspended and then resumed with all pending events. */
        PAUSE,
        /** A process is killed and restarted. */
        CRASH,
        /**
         * A machine loses power and restarts later; until then its peers receive nothing, not even the end of a
         * connection.
         */
        VANISH,
        /** The clocks of a process show a wrong calendar time and drift. */
        SKEW
    }
}
