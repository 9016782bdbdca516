package dev.hearth.engine.internal.scheduler;

import dev.hearth.engine.internal.plan.PreferredLocations;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lists of the pending tasks of one task set: one list per preferred executor, host and rack. Tasks that were added
 * last are taken first. The lists may contain tasks that are no longer pending; readers remove such tasks when they
 * find them. Owned by {@link TaskSet}.
 */
final class PendingTasksByLocality {
    private static final String EXECUTOR_PREFIX = "executor_";

    private final PreferredLocations placement;
    private final int[] partitions;
    private final Function<String, Optional<String>> racks;
    private final Map<String, IntList> byExecutor = new LinkedHashMap<>();
    private final Map<String, IntList> byHost = new LinkedHashMap<>();
    private final Map<String, IntList> byRack = new LinkedHashMap<>();
    private final IntList noPreference = new IntList();

    private PendingTasksByLocality(
            PreferredLocations placement, int[] partitions, Function<String, Optional<String>> racks) {
        this.placement = placement;
        this.partitions = partitions;
        this.racks = racks;
    }

    /**
     * Lists the pending tasks of a new task set, which are all its tasks, by preferred location. Empty optional if the
     * stage has no preferred locations. The function {@code racks} returns the rack of a host, or empty if it is
     * unknown.
     */
    static Optional<PendingTasksByLocality> of(TaskSetSpec spec, Function<String, Optional<String>> racks) {
        if (spec.plan().placement() == PreferredLocations.ANYWHERE) {
            return Optional.empty();
        }
        PendingTasksByLocality preferences =
                new PendingTasksByLocality(spec.plan().placement(), spec.partitions(), racks);
        // added in reverse, so that the first partition is taken first
        for (int index = spec.partitions().length - 1; index >= 0; index--) {
            preferences.add(index);
        }
        boolean any = !preferences.byExecutor.isEmpty() || !preferences.byHost.isEmpty();
        return any ? Optional.of(preferences) : Optional.empty();
    }

    /** Adds the pending task with this index to the lists of its preferred executors, hosts and racks. */
    void add(int index) {
        List<String> preferred = placement.preferred(partitions[index]);
        if (preferred.isEmpty()) {
            noPreference.add(index);
        }
        for (String place : preferred) {
            int end = hostEnd(place);
            if (end > 0) {
                addOnce(byExecutor, place.substring(end + 1), index);
            }
            String host = host(place, end);
            addOnce(byHost, host, index);
            racks.apply(host).ifPresent(rack -> addOnce(byRack, rack, index));
        }
    }

    /** Adds the pending tasks that prefer these hosts to the lists of their racks, which are now known. */
    void racksFound(Collection<String> hosts) {
        for (String host : hosts) {
            IntList tasks = byHost.get(host);
            String rack = tasks == null ? null : racks.apply(host).orElse(null);
            for (int at = 0; rack != null && at < tasks.size(); at++) {
                addOnce(byRack, rack, tasks.at(at));
            }
        }
    }

    /** The hosts that the task with this index prefers, each once. */
    Set<String> hosts(int index) {
        Set<String> hosts = new LinkedHashSet<>();
        for (String place : placement.preferred(partitions[index])) {
            hosts.add(host(place, hostEnd(place)));
        }
        return hosts;
    }

    private static String host(String place, int end) {
        return end > 0 ? place.substring(EXECUTOR_PREFIX.length(), end) : place;
    }

    /** The index after the host in the name of an executor as a place; -1 if the place is a host. */
    private static int hostEnd(String place) {
        return place.startsWith(EXECUTOR_PREFIX) ? place.indexOf('_', EXECUTOR_PREFIX.length()) : -1;
    }

    /** Adds the task to a list, unless it is the last one there because it has several places on one host or rack. */
    private static void addOnce(Map<String, IntList> lists, String key, int index) {
        IntList list = lists.computeIfAbsent(key, absent -> new IntList());
        if (list.isEmpty() || list.at(list.size() - 1) != index) {
            list.add(index);
        }
    }

    @Nullable
    IntList onExecutor(Executor executor) {
        return byExecutor.isEmpty() ? null : byExecutor.get(executor.id().value());
    }

    @Nullable
    IntList onHost(Executor executor) {
        return byHost.get(executor.host());
    }

    @Nullable
    IntList onRack(Executor executor) {
        return byRack.isEmpty()
                ? null
                : racks.apply(executor.host()).map(byRack::get).orElse(null);
    }

    IntList noPreference() {
        return noPreference;
    }

    Map<String, IntList> byExecutor() {
        return byExecutor;
    }

    Map<String, IntList> byHost() {
        return byHost;
    }

    Map<String, IntList> byRack() {
        return byRack;
    }
}
