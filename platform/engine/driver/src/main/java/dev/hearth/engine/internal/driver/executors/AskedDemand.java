package dev.hearth.engine.internal.driver.executors;

import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.monitor.ExecutorsAsked;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Records how many executors the driver asks its cluster for, so that other threads can show it: those of the profile of
 * which it asks for the most. Computed and recorded on the driver's event loop; {@link #asked} is thread-safe.
 */
public final class AskedDemand {
    private final Function<ProfileId, ExecutorProfile> profiles;
    private volatile Optional<ExecutorsAsked> asked = Optional.empty();

    /** Creates a recorder; {@code profiles} says what executors of a profile need. */
    public AskedDemand(Function<ProfileId, ExecutorProfile> profiles) {
        this.profiles = profiles;
    }

    /** Returns a demand that is the same as {@code demand}, and is recorded at each request. */
    public ExecutorDemand of(ExecutorDemand demand) {
        return new ExecutorDemand() {
            @Override
            public Map<ProfileId, Demand> demands() {
                Map<ProfileId, Demand> wanted = demand.demands();
                asked = wanted.entrySet().stream()
                        .max(Comparator.<Map.Entry<ProfileId, Demand>>comparingInt(
                                        each -> each.getValue().executors())
                                .thenComparing(each -> -each.getKey().value()))
                        .map(most -> asked(most.getKey(), most.getValue()));
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

    private ExecutorsAsked asked(ProfileId id, Demand wanted) {
        ExecutorProfile profile = profiles.apply(id);
        return new ExecutorsAsked(
                wanted.executors(), profile.cores(), profile.memory().total());
    }

    /** The executors asked for at the last request; empty before the first. */
    public Optional<ExecutorsAsked> asked() {
        return asked;
    }
}
