package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.allocation.PreferredHosts;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Adds the hosts that pending tasks prefer to the demand for executors. Repeats the demand to the cluster manager when
 * these hosts have changed much, at most once per interval. Owned by the driver's event loop. Created only if executors
 * run in other processes.
 */
public final class PreferredHostDemand implements ExecutorDemand {
    /** Minimum time between two comparisons of the preferred hosts with those that the cluster manager knows. */
    private static final Duration COMPARISON_INTERVAL = Duration.ofMillis(100);

    private final EventLoop loop;
    private final ExecutorDemand numbers;
    private final Workload workload;
    private final ExecutorFleet fleet;
    private final Map<ProfileId, PreferredHosts> reported = new LinkedHashMap<>();
    private boolean scheduled;

    /** {@code numbers} computes how many executors to request. */
    public PreferredHostDemand(EventLoop loop, ExecutorDemand numbers, Workload workload, ExecutorFleet fleet) {
        this.loop = loop;
        this.numbers = numbers;
        this.workload = workload;
        this.fleet = fleet;
    }

    /** The demand that is sent to the cluster manager now. */
    @Override
    public Map<ProfileId, Demand> demands() {
        Map<ProfileId, Demand> demands = new LinkedHashMap<>();
        numbers.demands().forEach((profile, number) -> {
            PreferredHosts hosts = current(profile);
            reported.put(profile, hosts);
            demands.put(profile, number.preferring(hosts.tasks(), hosts.byHost()));
        });
        return demands;
    }

    @Override
    public int executors() {
        return numbers.executors();
    }

    @Override
    public void settled() {
        numbers.settled();
        if (!scheduled) {
            scheduled = true;
            loop.schedule(COMPARISON_INTERVAL, this::compare);
        }
    }

    private void compare() {
        scheduled = false;
        for (ProfileId profile : workload.profiles()) {
            if (current(profile).differsFrom(reported.getOrDefault(profile, PreferredHosts.NONE))) {
                fleet.want();
                return;
            }
        }
    }

    private PreferredHosts current(ProfileId profile) {
        return workload.preferredHosts(profile).top(Demand.HOSTS_MAX);
    }
}
