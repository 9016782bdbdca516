package dev.hearth.itests.simulation;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.process.ChildProcess;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.OutputChunk;
import dev.hearth.spi.process.OutputName;
import dev.hearth.spi.process.OutputPosition;
import dev.hearth.spi.process.OutputRange;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * Starts simulated processes as children of another: a child ends when it exits, is terminated, crashes, or loses its
 * parent.
 */
final class SimulatedProcesses implements ProcessLauncher {
    private static final int KILLED = 137;
    private static final int TERMINATED = 143;
    private static final long START_MILLIS_MAX = 500;
    private static final long STOP_MILLIS_MAX = 200;

    private final SimulatedProcess parent;
    private final Simulation simulation;
    private final BiConsumer<ChildSpec, Child> program;
    private final List<Child> started = new ArrayList<>();
    private final List<Instant> cleanups = new ArrayList<>();
    private long stopMillisMax = STOP_MILLIS_MAX;
    private Runnable onOrder = () -> {};

    /** {@code program} runs in each child once its process has started. */
    SimulatedProcesses(SimulatedProcess parent, BiConsumer<ChildSpec, Child> program) {
        this.parent = parent;
        this.simulation = parent.simulation();
        this.program = program;
        parent.onCrash(() -> started.forEach(child -> child.end(KILLED)));
    }

    /** Lets children need up to {@code most} to end when they are stopped. */
    SimulatedProcesses stoppingWithin(Duration most) {
        stopMillisMax = most.toMillis();
        return this;
    }

    /** Runs {@code observer} whenever the parent starts or stops a child. */
    SimulatedProcesses observedBy(Runnable observer) {
        onOrder = observer;
        return this;
    }

    /** Every child ever started, in the order of their starts. */
    List<Child> started() {
        return started;
    }

    /** Times before which work directories were to be unchanged, one for each search for ended ones. */
    List<Instant> cleanups() {
        return cleanups;
    }

    @Override
    public CompletionStage<List<String>> removeEnded(Path directory, Instant before) {
        cleanups.add(before);
        return CompletableFuture.completedStage(List.of());
    }

    /** Reads what a child has printed; its work directory stays when it has ended. */
    @Override
    public CompletionStage<Optional<OutputChunk>> readOutput(Path directory, OutputRange range) {
        return CompletableFuture.completedStage(started.stream()
                .filter(child -> child.spec.directory().equals(directory))
                .findFirst()
                .map(child -> child.read(range)));
    }

    @Override
    public Child start(ChildSpec spec) {
        onOrder.run();
        Child child = new Child(spec, simulation.process(spec.role() + "-" + started.size() + "@" + parent.name()));
        started.add(child);
        simulation.schedule(Duration.ofMillis(simulation.random().nextLong(START_MILLIS_MAX)), () -> {
            if (child.process.alive()) {
                program.accept(spec, child);
            }
        });
        return child;
    }

    /** One child process; its output is recorded. */
    final class Child implements ChildProcess {
        private final ChildSpec spec;
        private final SimulatedProcess process;
        private final CompletableFuture<Integer> exit = new CompletableFuture<>();
        private final StringBuilder output = new StringBuilder();
        private boolean vanished;

        Child(ChildSpec spec, SimulatedProcess process) {
            this.spec = spec;
            this.process = process;
            process.onCrash(() -> {
                if (!vanished) {
                    end(KILLED);
                }
            });
        }

        SimulatedProcess process() {
            return process;
        }

        String role() {
            return spec.role();
        }

        Path directory() {
            return spec.directory();
        }

        boolean isAlive() {
            return process.alive();
        }

        void print(String line) {
            output.append(line).append('\n');
        }

        private OutputChunk read(OutputRange range) {
            byte[] all = range.output() == OutputName.STDOUT
                    ? output.toString().getBytes(StandardCharsets.UTF_8)
                    : new byte[0];
            int from = (int) Math.min(range.position().offset(), all.length);
            int to = Math.min(all.length, from + range.length());
            return new OutputChunk(
                    Bytes.owning(Arrays.copyOfRange(all, from, to)),
                    new OutputPosition(1, from),
                    new OutputPosition(1, to),
                    to == all.length,
                    false);
        }

        /** The process ends by itself. */
        void exitWith(int status) {
            end(status);
        }

        void crash() {
            process.crash();
        }

        /**
         * Simulates a power loss of its machine: peers receive no notice, and the parent receives it after this delay.
         */
        void vanish(Duration heard) {
            vanished = true;
            process.vanish();
            simulation.schedule(heard, () -> end(KILLED));
        }

        private void end(int status) {
            if (exit.isDone()) {
                return;
            }
            simulation.note(process.name() + " ends with " + status);
            exit.complete(status);
            process.crash();
        }

        @Override
        public long pid() {
            return started.indexOf(this) + 1L;
        }

        @Override
        public CompletionStage<Integer> exit() {
            return exit;
        }

        @Override
        public void stop() {
            onOrder.run();
            simulation.schedule(Duration.ofMillis(simulation.random().nextLong(stopMillisMax)), () -> end(TERMINATED));
        }

        @Override
        public String outputTail(int bytesMax) {
            return output.toString();
        }

        @Override
        public String errorTail(int bytesMax) {
            return "";
        }
    }
}
