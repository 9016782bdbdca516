package dev.hearth.yarn.internal.allocator;

import dev.hearth.spi.id.ExecutorId;
import dev.hearth.yarn.internal.line.GrantedContainer;

/** A container with its executor. Owned by {@link ContainerTable}, which alone changes the state. */
final class HeldContainer {
    final GrantedContainer granted;
    final ExecutorId executor;
    final ContainerPool pool;
    final long grantedNanos;
    ContainerState state = ContainerState.STARTING;
    String released = ""; // the driver's reason, once it has released the executor
    boolean preempted; // named by the present notice of the ResourceManager
    boolean leavingReported;
    boolean registered; // with its driver

    HeldContainer(GrantedContainer granted, ExecutorId executor, ContainerPool pool, long grantedNanos) {
        this.granted = granted;
        this.executor = executor;
        this.pool = pool;
        this.grantedNanos = grantedNanos;
    }

    @Override
    public String toString() {
        return "container " + granted.id() + " of executor " + executor + ", " + state;
    }
}
