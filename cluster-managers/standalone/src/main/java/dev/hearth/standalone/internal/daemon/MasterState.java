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

/** State of a master process, by the name that the field uses. */
enum MasterState {
    /** Another master leads, or it is not known yet who does. */
    STANDBY("another master leads; ask that one"),
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
            case RECOVERING -> EnumSet.of(ALIVE);
            case ALIVE -> EnumSet.noneOf(MasterState.class);
        };
    }

    String describe() {
        return name() + " (expected: ALIVE), as " + meaning;
    }

    /** View of a master in this state, which does not lead. */
    ClusterView view() {
        return new ClusterView() {
            @Override
            public CompletionStage<ClusterListing<WorkerEntry>> workers() {
                return untold();
            }

            @Override
            public CompletionStage<ClusterListing<ApplicationEntry>> applications() {
                return untold();
            }

            @Override
            public CompletionStage<ClusterListing<ExecutorEntry>> executors(Optional<ApplicationId> application) {
                return untold();
            }

            @Override
            public CompletionStage<ClusterListing<DriverEntry>> drivers() {
                return untold();
            }
        };
    }

    private <T> CompletionStage<ClusterListing<T>> untold() {
        return CompletableFuture.completedStage(ClusterListing.unknown("this master is " + describe()));
    }
}
