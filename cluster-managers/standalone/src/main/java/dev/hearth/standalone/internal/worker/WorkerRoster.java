package dev.hearth.standalone.internal.worker;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.process.ChildExit;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Drivers and executors that run on a worker, and the last ones that ended there, for display. Holds no settings, as these
 * may be secret. Owned by the loop of the worker.
 */
final class WorkerRoster {
    private final int endedDriversMax;
    private final int endedExecutorsMax;
    private final Map<String, Item> running = new LinkedHashMap<>(); // by the name of the child
    private final List<Item> endedDrivers = new ArrayList<>(); // the oldest first
    private final List<Item> endedExecutors = new ArrayList<>();

    WorkerRoster(int endedDriversMax, int endedExecutorsMax) {
        this.endedDriversMax = endedDriversMax;
        this.endedExecutorsMax = endedExecutorsMax;
    }

    /**
     * Driver or executor. {@code what} is the main class of a driver, or the name of the application of an executor. {@code
     * end} says how it ended; it is empty as long as the process runs, and if nothing is known about its end.
     */
    record Item(
            LogSource source,
            String what,
            int cores,
            int memoryMebibytes,
            List<ResourceInformation> resources,
            Optional<ChildExit> end) {
        private Item ended(ChildExit exit) {
            // without the output, which the files have
            ChildExit shown = new ChildExit(exit.status(), exit.why(), "", "");
            return new Item(source, what, cores, memoryMebibytes, resources, Optional.of(shown));
        }
    }

    /** State of a roster at one time. Immutable. */
    record Listing(List<Item> running, List<Item> endedDrivers, List<Item> endedExecutors) {
        Listing {
            running = List.copyOf(running);
            endedDrivers = List.copyOf(endedDrivers);
            endedExecutors = List.copyOf(endedExecutors);
        }
    }

    void ordered(LaunchDriver order) {
        add(new Item(
                LogSource.ofDriver(order.submission()),
                order.driver().mainClass(),
                order.driver().cores(),
                order.driver().memoryMebibytes(),
                order.resources(),
                Optional.empty()));
    }

    void ordered(LaunchExecutor order) {
        add(new Item(
                LogSource.ofExecutor(order.application(), order.executor()),
                order.settings()
                        .getOrDefault("hearth.app.name", order.application().value()),
                order.cores(),
                order.memoryMebibytes(),
                order.resources(),
                Optional.empty()));
    }

    private void add(Item item) {
        String process = item.source().process();
        running.putIfAbsent(
                item.source().application().map(id -> id + "/" + process).orElse(process), item);
    }

    /** Cores of a child that runs; empty if it is not known. */
    Optional<Integer> cores(String child) {
        return Optional.ofNullable(running.get(child)).map(Item::cores);
    }

    /** Records the end of a process, which may be followed by a further start of the same driver. */
    void exited(String child, ChildExit exit) {
        running.computeIfPresent(child, (same, item) -> item.ended(exit));
    }

    /** Moves what no longer runs to what has ended. {@code runs} says what the worker runs. */
    void refresh(Predicate<LogSource> runs) {
        Iterator<Item> items = running.values().iterator();
        while (items.hasNext()) {
            Item item = items.next();
            if (!runs.test(item.source())) {
                items.remove();
                if (item.source().application().isPresent()) {
                    keep(endedExecutors, item, endedExecutorsMax);
                } else {
                    keep(endedDrivers, item, endedDriversMax);
                }
            }
        }
    }

    private static void keep(List<Item> ended, Item item, int most) {
        ended.add(item);
        if (ended.size() > most) {
            ended.remove(0);
        }
    }

    /** Numbers about the worker that {@code spec} describes. */
    WorkerFigures figures(WorkerSpec spec) {
        return new WorkerFigures(
                (int) running.values().stream()
                        .filter(item -> item.source().application().isPresent())
                        .count(),
                spec.cores(),
                running.values().stream().mapToInt(Item::cores).sum(),
                spec.memoryMebibytes(),
                running.values().stream().mapToInt(Item::memoryMebibytes).sum());
    }

    Listing listing() {
        return new Listing(List.copyOf(running.values()), endedDrivers, endedExecutors);
    }
}
