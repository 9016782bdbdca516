package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.RestartBackoff;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Model of a cluster whose placement looks at all workers and at all that waits, each time. It shares no code with the
 * placement of {@link Master}, but must decide the same.
 */
final class NaiveCluster {
    static final int MEMORY_OF_DRIVERS = 256;

    private final PlacementSettings settings;
    private final int driversMax;
    final Map<Long, Worker> workers = new LinkedHashMap<>(); // by peer, in the order of registration
    final Map<String, Driver> drivers = new LinkedHashMap<>(); // that wait or run
    final Map<String, Application> applications = new LinkedHashMap<>();

    NaiveCluster(PlacementSettings settings, int driversMax) {
        this.settings = settings;
        this.driversMax = driversMax;
    }

    /** Worker with what it has in all and what is in use. */
    static final class Worker {
        final String id;
        final String host;
        final long peer;
        int coresFree;
        int memoryFree;
        int addressesFree;

        Worker(String id, String host, long peer, int cores, int memory, int addresses) {
            this.id = id;
            this.host = host;
            this.peer = peer;
            this.coresFree = cores;
            this.memoryFree = memory;
            this.addressesFree = addresses;
        }
    }

    /** Driver that waits, without a worker, or runs. */
    static final class Driver {
        final int cores;
        final int addresses;
        Worker worker;

        Driver(int cores, int addresses) {
            this.cores = cores;
            this.addresses = addresses;
        }
    }

    record Executor(Worker worker, int cores, long startNanos) {}

    /** Application with what it wants and has. */
    static final class Application {
        final OptionalInt coresMax;
        final OptionalInt size;
        final int memory;
        final int addresses;
        final RestartBackoff pause;
        final Map<String, Executor> executors = new LinkedHashMap<>();
        int created;
        int wanted;
        Set<String> excluded = new LinkedHashSet<>();
        Map<String, Integer> tasksByHost = Map.of();

        Application(OptionalInt coresMax, OptionalInt size, int memory, int addresses, long now) {
            this.coresMax = coresMax;
            this.size = size;
            this.memory = memory;
            this.addresses = addresses;
            this.pause = new RestartBackoff(now);
        }
    }

    /** Places what can be placed; returns one line for each start. */
    List<String> settle(long now) {
        List<String> starts = new ArrayList<>();
        drivers.forEach((id, driver) -> {
            if (driver.worker == null) {
                place(id, driver, starts);
            }
        });
        applications.forEach((id, application) -> {
            if (application.pause.remaining(now).isZero()) {
                place(id, application, now, starts);
            }
        });
        return starts;
    }

    private void place(String id, Driver driver, List<String> starts) {
        long running =
                drivers.values().stream().filter(other -> other.worker != null).count();
        if (running >= driversMax) {
            return;
        }
        Comparator<Worker> byId = Comparator.comparing(worker -> worker.id);
        Comparator<Worker> order = settings.spreadOutDrivers()
                ? Comparator.<Worker>comparingInt(worker -> worker.coresFree)
                        .thenComparing(byId)
                        .reversed()
                : byId;
        workers.values().stream()
                .filter(worker -> worker.coresFree >= driver.cores
                        && worker.memoryFree >= MEMORY_OF_DRIVERS
                        && worker.addressesFree >= driver.addresses)
                .min(order)
                .ifPresent(worker -> {
                    worker.coresFree -= driver.cores;
                    worker.memoryFree -= MEMORY_OF_DRIVERS;
                    worker.addressesFree -= driver.addresses;
                    driver.worker = worker;
                    starts.add(id + " on " + worker.id);
                });
    }

    private void place(String id, Application application, long now, List<String> starts) {
        int step = application.size.orElse(1);
        List<Worker> usable = workers.values().stream()
                .filter(worker -> worker.coresFree >= step
                        && worker.memoryFree >= application.memory
                        && worker.addressesFree >= application.addresses
                        && !application.excluded.contains(worker.host))
                .sorted(Comparator.<Worker>comparingLong(worker -> -preference(application, worker.host))
                        .thenComparing(order()))
                .toList();
        int[] cores = new int[usable.size()];
        int[] executors = new int[usable.size()];
        int held = application.executors.values().stream()
                .mapToInt(Executor::cores)
                .sum();
        int coresLeft = application.coresMax.orElse(settings.defaultCores().orElse(Integer.MAX_VALUE)) - held;
        int missing = application.wanted - application.executors.size();
        boolean placed = true;
        while (placed) {
            placed = false;
            for (int i = 0; i < cores.length; i++) {
                boolean again = true;
                while (again) {
                    Worker worker = usable.get(i);
                    boolean grows = application.size.isEmpty() && executors[i] == 1;
                    int after = executors[i] + (grows ? 0 : 1);
                    again = coresLeft >= step
                            && worker.coresFree >= cores[i] + step
                            && worker.memoryFree >= application.memory * after
                            && (grows || worker.addressesFree >= application.addresses * after)
                            && (grows || missing > 0);
                    if (again) {
                        missing -= after - executors[i];
                        executors[i] = after;
                        cores[i] += step;
                        coresLeft -= step;
                        placed = true;
                    }
                    again &= !settings.spreadOut();
                }
            }
        }
        for (int i = 0; i < cores.length; i++) {
            for (int n = 0; n < executors[i]; n++) {
                start(id, application, usable.get(i), cores[i] / executors[i], now, starts);
            }
        }
    }

    private static void start(
            String id, Application application, Worker worker, int cores, long now, List<String> starts) {
        String executor = String.valueOf(application.created++);
        worker.coresFree -= cores;
        worker.memoryFree -= application.memory;
        worker.addressesFree -= application.addresses;
        application.executors.put(executor, new Executor(worker, cores, now));
        starts.add(id + "/" + executor + " on " + worker.id + " with " + cores);
    }

    private static long preference(Application application, String host) {
        long there = application.executors.values().stream()
                .filter(executor -> executor.worker().host.equals(host))
                .count();
        return application.tasksByHost.getOrDefault(host, 0) * 1_000L / (1 + there);
    }

    private Comparator<Worker> order() {
        Comparator<Worker> byId = Comparator.comparing(worker -> worker.id);
        Comparator<Worker> byCores =
                Comparator.<Worker>comparingInt(worker -> worker.coresFree).thenComparing(byId);
        Comparator<Worker> byMemory =
                Comparator.<Worker>comparingInt(worker -> worker.memoryFree).thenComparing(byId);
        return switch (settings.selection()) {
            case CORES_FREE_ASC -> byCores;
            case CORES_FREE_DESC -> byCores.reversed();
            case MEMORY_FREE_ASC -> byMemory;
            case MEMORY_FREE_DESC -> byMemory.reversed();
            case WORKER_ID -> byId;
        };
    }

    /** Frees cores and memory of an executor, whose process may still have its addresses. */
    static void free(Application application, Executor executor) {
        executor.worker().coresFree += executor.cores();
        executor.worker().memoryFree += application.memory;
    }

    /** Removes a worker with all that ran there. */
    void lose(Worker worker) {
        workers.remove(worker.peer);
        drivers.values().removeIf(driver -> driver.worker == worker);
        applications
                .values()
                .forEach(application ->
                        application.executors.values().removeIf(executor -> executor.worker() == worker));
    }

    /** Cores that are free on all workers together. */
    int coresFree() {
        return workers.values().stream().mapToInt(worker -> worker.coresFree).sum();
    }

    /** Free amounts of all workers. */
    Stream<Integer> free() {
        return workers.values().stream()
                .flatMap(worker -> Stream.of(worker.coresFree, worker.memoryFree, worker.addressesFree));
    }
}
