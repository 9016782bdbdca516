package dev.hearth.standalone.internal.master;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many executors of one kind an application wants, what each of them needs, and how many it has. Executors without a
 * size take what a worker has. Owned by {@link ApplicationRecord}.
 */
final class DemandRecord {
    /** Applications in the order of their registration, and demands of one application by their profiles. */
    static final Comparator<DemandRecord> ORDER = Comparator.<DemandRecord>comparingLong(
                    demand -> demand.application.number())
            .thenComparingInt(demand -> demand.profile);

    private static final long PREFERENCE_SCALE = 1_000;

    private final ApplicationRecord application;
    private final int profile;
    private final ProcessNeeds needs;
    private final boolean sized;
    private final Map<String, Integer> grantedByHost = new LinkedHashMap<>();
    private Map<String, Integer> tasksByHost = Map.of(); // pending tasks that prefer a host
    private int wanted;
    private int granted;
    private int expected; // that run on workers of a former master

    DemandRecord(ApplicationRecord application, int profile, ProcessNeeds needs, boolean sized) {
        this.application = application;
        this.profile = profile;
        this.needs = needs;
        this.sized = sized;
    }

    ApplicationRecord application() {
        return application;
    }

    int profile() {
        return profile;
    }

    ProcessNeeds needs() {
        return needs;
    }

    /** Whether executors have as many cores as they need; otherwise they grow. */
    boolean isSized() {
        return sized;
    }

    void want(int total, Map<String, Integer> preferred) {
        wanted = total;
        tasksByHost = preferred;
    }

    /** Pending tasks by the host that they prefer. */
    Map<String, Integer> tasksByHost() {
        return tasksByHost;
    }

    void granted(String host) {
        granted++;
        grantedByHost.merge(host, 1, Integer::sum);
    }

    void gone(String host) {
        granted--;
        grantedByHost.computeIfPresent(host, (same, count) -> count == 1 ? null : count - 1);
    }

    /** An executor runs on a worker that will probably register with it. */
    void expects() {
        expected++;
    }

    void expectsNoMore() {
        expected--;
    }

    /** Number of executors that the application has. */
    int granted() {
        return granted;
    }

    /** Number of executors that the application lacks: the wanted number less those granted or expected, or 0. */
    int missing() {
        return Math.max(0, wanted - granted - expected);
    }

    /** Whether the application lacks executors and may have the cores for another one. */
    boolean isHungry() {
        return missing() > 0 && !application.isAway() && application.coresAllowed() >= needs.cores();
    }

    /**
     * Number of pending tasks per executor that would prefer an additional executor on {@code host}, scaled up. It
     * falls with each executor on that host.
     */
    long preference(String host) {
        long tasks = Math.max(0, tasksByHost.getOrDefault(host, 0));
        return tasks * PREFERENCE_SCALE / (1 + grantedByHost.getOrDefault(host, 0));
    }
}
