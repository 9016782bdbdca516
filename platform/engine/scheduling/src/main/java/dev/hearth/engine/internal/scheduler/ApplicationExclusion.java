package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.engine.internal.plan.FetchFailure;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.shuffle.ShuffleServiceOrders;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Executors and hosts that get no tasks of the application for a while, because tasks failed there. An executor is
 * excluded after task failures whose task sets later succeeded elsewhere, or, if so configured, after a fetch failure.
 * Owned by {@link TaskScheduler}.
 */
final class ApplicationExclusion {
    private final SchedulerSettings settings;
    private final ExecutorSet executors;
    private final SchedulerEffects effects;
    // failed tasks of each executor, with the time at which each failure expires
    private final Map<ExecutorId, Map<FailedTask, Long>> failures = new LinkedHashMap<>();
    private final Map<ExecutorId, Exclusion> excluded = new LinkedHashMap<>(); // earliest end first
    // excluded hosts, with the time at which each exclusion ends; earliest first
    private final Map<String, Long> excludedHosts = new LinkedHashMap<>();

    ApplicationExclusion(SchedulerSettings settings, ExecutorSet executors, SchedulerEffects effects) {
        this.settings = settings;
        this.executors = executors;
        this.effects = effects;
    }

    private record FailedTask(TaskSetId set, int index) {}

    private record Exclusion(String host, long untilNanos) {}

    boolean isActive() {
        return settings.exclusion().inSets() || settings.exclusion().inApplication();
    }

    void taskFailed(TaskSet set, Attempt attempt, long now) {
        if (isActive()) {
            set.startExclusion(settings.exclusion()).failed(attempt, effects, now);
        }
    }

    /**
     * Counts each failure in a succeeded task set against the executor on which it occurred. Because the tasks of the
     * set succeeded elsewhere, the executor is assumed to have caused the failures.
     */
    void setSucceeded(TaskSet set, long now) {
        TaskSetExclusion exclusion = set.exclusion();
        if (exclusion == null || !settings.exclusion().inApplication()) {
            return;
        }
        exclusion.failures().forEach((executor, failed) -> {
            Map<FailedTask, Long> known = failures.computeIfAbsent(executor, absent -> new LinkedHashMap<>());
            long until = now + settings.exclusion().timeoutNanos();
            failed.indexes().forEach(index -> known.put(new FailedTask(set.id(), index), until));
            known.values().removeIf(end -> end - now < 0);
            if (known.size() >= settings.exclusion().tasksPerExecutor()) {
                exclude(executor, failed.host(), known.size(), now);
            }
        });
        failures.keySet().removeIf(executor -> executors.find(executor) == null);
    }

    void fetchFailed(FetchFailure fetch, long now) {
        if (settings.exclusion().inApplication() && settings.exclusion().fetchFailures()) {
            fetch.executor().ifPresent(holder -> {
                if (ShuffleServiceOrders.isService(holder)) { // it serves all executors of its host
                    excludeHost(fetch.host(), 1, now);
                } else {
                    exclude(holder, fetch.host(), 1, now);
                }
            });
        }
    }

    void executorUp(Executor executor) {
        if (excludedHosts.containsKey(executor.host())) {
            executors.exclude(executor, true);
        }
    }

    void executorLost(ExecutorId executor) {
        failures.remove(executor);
    }

    /** Ends the exclusions of executors and hosts whose time has expired, so that they get tasks again. */
    void readmit(long now) {
        Set<String> changed = new LinkedHashSet<>();
        excluded.entrySet().removeIf(entry -> {
            boolean over = now - entry.getValue().untilNanos() >= 0;
            if (over) {
                changed.add(entry.getValue().host());
                failures.remove(entry.getKey());
                effects.publish(
                        now,
                        millis -> new ApplicationEvent.ExecutorReadmitted(
                                millis, entry.getKey().value()));
            }
            return over;
        });
        boolean hostsChanged = excludedHosts.entrySet().removeIf(entry -> {
            boolean over = now - entry.getValue() >= 0;
            if (over) {
                changed.add(entry.getKey());
                effects.publish(now, millis -> new ApplicationEvent.HostReadmitted(millis, entry.getKey()));
            }
            return over;
        });
        changed.forEach(this::apply);
        if (hostsChanged) {
            updateExcludedHosts();
        }
    }

    /** The time at which the next exclusion of an executor or host ends; empty if there is none. */
    OptionalLong wakeNanos() {
        OptionalLong first = excluded.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(excluded.values().iterator().next().untilNanos());
        return excludedHosts.isEmpty()
                ? first
                : Deadlines.earlier(first, excludedHosts.values().iterator().next());
    }

    private void exclude(ExecutorId executor, String host, int failed, long now) {
        long until = now + settings.exclusion().timeoutNanos();
        if (excluded.putIfAbsent(executor, new Exclusion(host, until)) != null) {
            return;
        }
        effects.publish(
                now, millis -> new ApplicationEvent.ExecutorExcluded(millis, executor.value(), host, failed, -1));
        Executor known = executors.find(executor);
        if (known != null) {
            release(List.of(known), "excluded: tasks failed on it");
        }
        int onHost = (int) excluded.values().stream()
                .filter(other -> other.host().equals(host))
                .count();
        if (onHost >= settings.exclusion().executorsPerHost()) {
            excludeHost(host, onHost, now);
        }
        apply(host);
    }

    private void excludeHost(String host, int executorsThere, long now) {
        long until = now + settings.exclusion().timeoutNanos();
        if (excludedHosts.putIfAbsent(host, until) == null) {
            effects.publish(now, millis -> new ApplicationEvent.HostExcluded(millis, host, executorsThere, -1));
            updateExcludedHosts();
            release(executors.on(host), "excluded: host " + host + ", where tasks failed on other executors");
            apply(host);
        }
    }

    private void apply(String host) {
        for (Executor executor : executors.on(host)) {
            executors.exclude(executor, excludedHosts.containsKey(host) || excluded.containsKey(executor.id()));
        }
    }

    private void updateExcludedHosts() {
        effects.add(new SchedulerEffect.ExcludeHosts(
                Collections.unmodifiableSet(new LinkedHashSet<>(excludedHosts.keySet()))));
    }

    private void release(List<Executor> released, String reason) {
        if (settings.exclusion().releasesExecutors() && !settings.executorsFixed()) {
            released.forEach(executor -> effects.add(new SchedulerEffect.ReleaseExecutor(executor.id(), reason)));
        }
    }
}
