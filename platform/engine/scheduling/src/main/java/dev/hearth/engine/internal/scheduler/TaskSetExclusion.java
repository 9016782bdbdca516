package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.spi.id.ExecutorId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Executors and hosts that get no more tasks of one task set, or no more attempts of single tasks, after failures
 * there. Owned by {@link TaskSet}.
 */
final class TaskSetExclusion {
    private final ExclusionSettings settings;
    private final Map<ExecutorId, Failures> byExecutor = new LinkedHashMap<>();
    private final Map<String, Set<ExecutorId>> byHost = new LinkedHashMap<>();
    private final Set<ExecutorId> executors = new LinkedHashSet<>();
    private final Set<String> hosts = new LinkedHashSet<>();

    TaskSetExclusion(ExclusionSettings settings) {
        this.settings = settings;
    }

    /** The failures of this set's tasks on one executor: the number of failures of each task that failed there. */
    static final class Failures {
        private final String host;
        private final Map<Integer, Integer> byIndex = new LinkedHashMap<>();

        Failures(String host) {
            this.host = host;
        }

        String host() {
            return host;
        }

        Set<Integer> indexes() {
            return byIndex.keySet();
        }
    }

    Map<ExecutorId, Failures> failures() {
        return byExecutor;
    }

    void failed(Attempt attempt, SchedulerEffects effects, long now) {
        ExecutorId executor = attempt.executor.id();
        String host = attempt.executor.host();
        Failures failures = byExecutor.computeIfAbsent(executor, absent -> new Failures(host));
        failures.byIndex.merge(attempt.index, 1, Integer::sum);
        byHost.computeIfAbsent(host, absent -> new LinkedHashSet<>()).add(executor);
        int tasks = failures.byIndex.size();
        int stage = attempt.set.id().stage();
        if (!settings.inSets() || tasks < settings.stageTasksPerExecutor() || !executors.add(executor)) {
            return;
        }
        effects.publish(
                now, millis -> new ApplicationEvent.ExecutorExcluded(millis, executor.value(), host, tasks, stage));
        int excluded =
                (int) byHost.get(host).stream().filter(executors::contains).count();
        if (excluded >= settings.stageExecutorsPerHost() && hosts.add(host)) {
            effects.publish(now, millis -> new ApplicationEvent.HostExcluded(millis, host, excluded, stage));
        }
    }

    boolean admits(Executor executor) {
        return !executors.contains(executor.id()) && !hosts.contains(executor.host());
    }

    boolean admits(Executor executor, int index) {
        if (!settings.inSets()) {
            return true;
        }
        return failures(executor.id(), index) < settings.attemptsPerExecutor()
                && hostFailures(executor.host(), index) < settings.attemptsPerHost();
    }

    private int failures(ExecutorId executor, int index) {
        Failures failures = byExecutor.get(executor);
        return failures == null ? 0 : failures.byIndex.getOrDefault(index, 0);
    }

    private int hostFailures(String host, int index) {
        int failures = 0;
        for (ExecutorId executor : byHost.getOrDefault(host, Set.of())) {
            failures += failures(executor, index);
        }
        return failures;
    }
}
