package dev.hearth.engine.internal.driver.executors;

import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.monitor.ExecutorsAsked;
import java.util.Optional;

/**
 * Records how many executors the driver asks its cluster for, so that other threads can show it. Computed and recorded
 * on the driver's event loop; {@link #asked} is thread-safe.
 */
public final class AskedDemand {
    private final ExecutorProfile profile;
    private volatile Optional<ExecutorsAsked> asked = Optional.empty();

    /** Creates a recorder for executors of {@code profile}. */
    public AskedDemand(ExecutorProfile profile) {
        this.profile = profile;
    }

    /** Returns a demand that is the same as {@code demand}, and is recorded at each request. */
    public ExecutorDemand of(ExecutorDemand demand) {
        return new ExecutorDemand() {
            @Override
            public Demand demand() {
                Demand wanted = demand.demand();
                asked = Optional.of(new ExecutorsAsked(
                        wanted.executors(), profile.cores(), profile.memory().total()));
                return wanted;
            }

            @Override
            public int executors() {
                return demand.executors();
            }

            @Override
            public void settled() {
                demand.settled();
            }
        };
    }

    /** The executors asked for at the last request; empty before the first. */
    public Optional<ExecutorsAsked> asked() {
        return asked;
    }
}
