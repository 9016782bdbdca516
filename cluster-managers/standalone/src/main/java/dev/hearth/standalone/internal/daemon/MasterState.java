package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.id.ApplicationId;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** State of a master process, by the name that the field uses. */
public enum MasterState {
    /** Another master leads, or it is not known yet who does. */
    STANDBY("it is not known which master leads; ask again soon"),
    /** The master reads the facts of the one before. */
    RECOVERING("it reads what the master before has left; ask again soon"),
    /** The master leads. */
    ALIVE("it leads");

    private final String meaning;

    MasterState(String meaning) {
        this.meaning = meaning;
    }

    boolean leadsTo(MasterState next) {
        return successors().contains(next);
    }

    private Set<MasterState> successors() {
        return switch (this) {
            case STANDBY -> EnumSet.of(RECOVERING, ALIVE);
            case RECOVERING -> EnumSet.of(ALIVE, STANDBY);
            case ALIVE -> EnumSet.of(STANDBY);
        };
    }

    String describe() {
        return name() + " (expected: ALIVE), as " + meaning;
    }

    /** As {@link #describe()}, with the address of the master that leads, if it is known. */
    String describe(String leader) {
        return this == STANDBY && !leader.isEmpty()
                ? name() + " (expected: ALIVE); the leader is " + leader + "; ask that one"
                : describe();
    }

    /** View of a master in this state, which does not lead; {@code leader} returns the address of the one that does. */
    ClusterView view(Supplier<String> leader) {
        return new ClusterView() {
            @Override
            public CompletionStage<ClusterListing<WorkerEntry>> workers() {
                return untold(leader);
            }

            @Override
            public CompletionStage<ClusterListing<ApplicationEntry>> applications() {
                return untold(leader);
            }

            @Override
            public CompletionStage<ClusterListing<ExecutorEntry>> executors(Optional<ApplicationId> application) {
                return untold(leader);
            }

            @Override
            public CompletionStage<ClusterListing<DriverEntry>> drivers() {
                return untold(leader);
            }
        };
    }

    private <T> CompletionStage<ClusterListing<T>> untold(Supplier<String> leader) {
        return CompletableFuture.completedStage(ClusterListing.unknown("this master is " + describe(leader.get())));
    }
}
