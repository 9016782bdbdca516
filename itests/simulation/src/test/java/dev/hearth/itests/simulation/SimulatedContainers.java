package dev.hearth.itests.simulation;

import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.TestingApplicationLoader;
import example.containers.ContainerRuntime;
import example.containers.ContainersManager;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Containers on one machine, for the manager of {@code itests/external-plugin/containers}. Their directories are those
 * that the manager chooses, without files.
 */
final class SimulatedContainers extends ApplicationCluster {
    private static final long DISK_MILLIS_MAX = 50;
    private static final String PREFIX = "containers-";

    private final SimulatedProcess machine;
    private final SimulatedProcesses processes;
    private final Map<Path, Optional<Running>> directories = new LinkedHashMap<>();
    private int created;

    SimulatedContainers(long seed) {
        super(seed, "containers://" + EXECUTORS);
        machine = simulation().process("machine");
        processes = new SimulatedProcesses(machine, this::run);
    }

    @Override
    ClusterManager manager(SimulatedProcess process, Path directory) {
        return new ContainersManager(
                new Machine(process, directory),
                (application, jars) -> new TestingApplicationLoader(SimulatedContainers.class));
    }

    @Override
    SimulatedProcess machine() {
        return machine;
    }

    @Override
    Set<SubmissionState> statesWithoutMachine() {
        return Set.of(SubmissionState.FAILED, SubmissionState.SUBMITTED);
    }

    @Override
    SimulatedProcess controller() {
        return submitter();
    }

    @Override
    String submissions() {
        return PREFIX + "driver-*";
    }

    @Override
    boolean isWithinBounds() {
        return processes.started().stream()
                        .filter(child -> child.role().equals("executor") && child.isAlive())
                        .count()
                <= EXECUTORS;
    }

    /** {@inheritDoc} The submitter removes the container of its driver, with those that the driver has created. */
    @Override
    boolean isQuiet() {
        boolean isRemoved = directories.isEmpty() || !submitter().alive() || !machine.alive();
        return isRemoved && processes.started().stream().noneMatch(SimulatedProcesses.Child::isAlive);
    }

    /** The machine as one process sees it, whose temporary directory is {@code parent}. */
    private final class Machine implements ContainerRuntime {
        private final SimulatedProcess caller;
        private final Path parent;

        Machine(SimulatedProcess caller, Path parent) {
            this.caller = caller;
            this.parent = parent;
        }

        @Override
        public CompletionStage<String> create(String purpose) {
            return later(() -> {
                String name = PREFIX + purpose + "-" + ++created;
                directories.put(directory(name), Optional.empty());
                return name;
            });
        }

        @Override
        public Path directory(String name) {
            return parent.resolve(name);
        }

        @Override
        public CompletionStage<Container> start(ChildSpec spec, Map<String, Path> files) {
            return later(() -> {
                Running running = new Running(spec.directory(), processes.start(spec));
                directories.put(spec.directory(), Optional.of(running));
                return running;
            });
        }

        @Override
        public CompletionStage<Map<String, String>> running(String purpose) {
            return later(() -> {
                Map<String, String> running = new TreeMap<>();
                directories.forEach((directory, process) -> {
                    if (parent.equals(directory.getParent())
                            && process.filter(Running::isAlive).isPresent()) {
                        running.put(process.get().name(), "");
                    }
                });
                running.keySet().removeIf(name -> !name.startsWith(PREFIX + purpose + "-"));
                return running;
            });
        }

        @Override
        public CompletionStage<Boolean> stop(String name) {
            return later(() -> {
                Optional<Running> running = directories.get(directory(name)).filter(Running::isAlive);
                running.ifPresent(Running::stop);
                return running.isPresent();
            });
        }

        @Override
        public CompletionStage<Void> remove(String name) {
            return later(() -> {
                        List<Running> inside = directories.entrySet().stream()
                                .filter(each -> each.getKey().startsWith(directory(name)))
                                .flatMap(each -> each.getValue().stream())
                                .toList();
                        inside.forEach(Running::release);
                        return CompletableFuture.allOf(inside.stream()
                                .map(running -> running.ended().toCompletableFuture())
                                .toArray(CompletableFuture<?>[]::new));
                    })
                    .thenCompose(ended -> ended)
                    .thenCompose(ended -> later(() -> {
                        directories.keySet().removeIf(each -> each.startsWith(directory(name)));
                        return null;
                    }));
        }

        /** Calls the machine after the time that its disk takes, unless the calling process has ended by then. */
        private <T> CompletionStage<T> later(Supplier<T> call) {
            CompletableFuture<T> result = new CompletableFuture<>();
            Duration delay = Duration.ofMillis(simulation().random().nextLong(DISK_MILLIS_MAX));
            caller.loop("disk").schedule(delay, () -> {
                if (machine.alive()) {
                    result.complete(call.get());
                } else {
                    result.completeExceptionally(
                            ErrorCode.START_FAILED.failure("machine: has ended (expected: it runs)"));
                }
            });
            return result;
        }
    }

    /** Container with a process. */
    private static final class Running implements ContainerRuntime.Container {
        private final Path directory;
        private final SimulatedProcesses.Child child;
        private boolean stopped;

        Running(Path directory, SimulatedProcesses.Child child) {
            this.directory = directory;
            this.child = child;
        }

        @Override
        public String name() {
            return directory.getFileName().toString();
        }

        @Override
        public CompletionStage<ContainerRuntime.End> ended() {
            return child.exit().thenApply(status -> new ContainerRuntime.End(ChildExit.of(child, status), stopped, ""));
        }

        @Override
        public void release() {
            child.stop();
        }

        boolean isAlive() {
            return child.isAlive();
        }

        void stop() {
            stopped = true;
            child.stop();
        }
    }
}
