package dev.hearth.standalone.internal.master;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.RestartBackoff;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import java.util.List;

/**
 * Executor that the master has granted to an application on one worker. Exists from the launch order to the worker until
 * the worker reports the exit of the executor, or until the worker or the application is gone. Owned by {@link Master}.
 */
final class Grant {
    private final DemandRecord demand;
    private final ExecutorId executor;
    private final WorkerRecord worker;
    private final int cores;
    private final long grantedNanos;
    private final long grantedMillis;
    private List<ResourceInformation> addresses = List.of();
    private boolean released;
    private boolean leaves;

    Grant(DemandRecord demand, ExecutorId executor, WorkerRecord worker, int cores, long now, long wallMillis) {
        this.demand = demand;
        this.executor = executor;
        this.worker = worker;
        this.cores = cores;
        this.grantedNanos = now;
        this.grantedMillis = wallMillis;
    }

    /** Name by which the processes of executors hold addresses. */
    static String holder(ApplicationId application, ExecutorId executor) {
        return application + "/" + executor;
    }

    String holder() {
        return holder(demand.application().id(), executor);
    }

    ApplicationRecord application() {
        return demand.application();
    }

    DemandRecord demand() {
        return demand;
    }

    ExecutorId executor() {
        return executor;
    }

    WorkerRecord worker() {
        return worker;
    }

    int cores() {
        return cores;
    }

    /** Memory in MiB. */
    int memory() {
        return demand.needs().memoryMebibytes();
    }

    long grantedNanos() {
        return grantedNanos;
    }

    long grantedMillis() {
        return grantedMillis;
    }

    /** Addresses that the executor may use. */
    List<ResourceInformation> addresses() {
        return addresses;
    }

    void use(List<ResourceInformation> taken) {
        addresses = taken;
    }

    /** Whether the executor has run long enough to count as stable, so that its exit causes no back-off. */
    boolean isStable(long now) {
        return RestartBackoff.isStable(grantedNanos, now);
    }

    boolean isReleased() {
        return released;
    }

    void release() {
        released = true;
    }

    /** Whether the executor's worker is being decommissioned, so that the application may have another one instead. */
    boolean isLeaving() {
        return leaves;
    }

    void leave() {
        leaves = true;
    }
}
