package dev.hearth.engine.internal.scheduler;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * Settings of exclusion: when executors and hosts get no more tasks, because tasks fail there. Read from
 * {@code hearth.excludeOnFailure.*}.
 */
public record ExclusionSettings(
        boolean inSets,
        boolean inApplication,
        int attemptsPerExecutor,
        int attemptsPerHost,
        int stageTasksPerExecutor,
        int stageExecutorsPerHost,
        int tasksPerExecutor,
        int executorsPerHost,
        long timeoutNanos,
        boolean releasesExecutors,
        boolean fetchFailures,
        long unschedulableNanos) {
    private static final String NAME = "hearth.excludeOnFailure.";
    private static final SettingKey<Boolean> ENABLED =
            SettingKey.flag(NAME + "enabled", false, "Exclude executors and hosts on which tasks fail repeatedly.");
    private static final SettingKey<Boolean> IN_SETS = SettingKey.flag(
                    NAME + "taskAndStage.enabled", false, "Exclude executors and hosts for single tasks and stages.")
            .withoutDefault(ENABLED.name());
    private static final SettingKey<Boolean> IN_APPLICATION = SettingKey.flag(
                    NAME + "application.enabled", false, "Exclude executors and hosts for the whole application.")
            .withoutDefault(ENABLED.name());
    private static final SettingKey<Integer> ATTEMPTS_PER_EXECUTOR = count(
            "task.maxTaskAttemptsPerExecutor",
            1,
            "Failures of one task on one executor before the task runs on" + " other executors only.");
    private static final SettingKey<Integer> ATTEMPTS_PER_HOST = count(
            "task.maxTaskAttemptsPerNode",
            2,
            "Failures of one task on one host before the task runs on other" + " hosts only.");
    private static final SettingKey<Integer> STAGE_TASKS = count(
            "stage.maxFailedTasksPerExecutor",
            2,
            "Tasks of a stage that fail on an executor before it is excluded for the stage.");
    private static final SettingKey<Integer> STAGE_EXECUTORS = count(
            "stage.maxFailedExecutorsPerNode", 2, "Executors excluded for a stage before their host is excluded.");
    private static final SettingKey<Integer> TASKS = count(
            "application.maxFailedTasksPerExecutor",
            2,
            "Number of failed tasks on an executor before the application excludes it; only tasks of stages that"
                    + " succeeded in the end count.");
    private static final SettingKey<Integer> EXECUTORS = count(
            "application.maxFailedExecutorsPerNode",
            2,
            "Executors that the application excludes before it excludes their host.");
    private static final SettingKey<Duration> TIMEOUT = SettingKey.durationInMillis(
            NAME + "timeout",
            Duration.ofHours(1),
            Duration.ofMillis(1),
            "How long the application excludes an executor or a host.");
    private static final SettingKey<Boolean> GIVES_BACK = SettingKey.flag(
            NAME + "killExcludedExecutors", false, "Release executors that the application excludes, to get others.");
    private static final SettingKey<Boolean> FETCH_FAILURES = SettingKey.flag(
            NAME + "application.fetchFailure.enabled",
            false,
            "Exclude an executor at once when map output on it cannot be fetched.");
    private static final SettingKey<Duration> UNSCHEDULABLE = SettingKey.duration(
            "hearth.scheduler.excludeOnFailure.unschedulableTaskSetTimeout",
            Duration.ofMinutes(2),
            Duration.ZERO,
            "How long a stage waits for other executors when all present ones are excluded, before it fails.");

    static final List<SettingKey<?>> KEYS = List.of(
            ENABLED,
            IN_SETS,
            IN_APPLICATION,
            ATTEMPTS_PER_EXECUTOR,
            ATTEMPTS_PER_HOST,
            STAGE_TASKS,
            STAGE_EXECUTORS,
            TASKS,
            EXECUTORS,
            TIMEOUT,
            GIVES_BACK,
            FETCH_FAILURES,
            UNSCHEDULABLE);

    private static SettingKey<Integer> count(String name, int byDefault, String description) {
        return SettingKey.integer(NAME + name, byDefault, 1, Integer.MAX_VALUE, description);
    }

    static ExclusionSettings read(SettingsReader in, int taskFailuresMax) {
        boolean enabled = in.read(ENABLED);
        boolean inSets = in.find(IN_SETS).orElse(enabled);
        int perHost = in.read(ATTEMPTS_PER_HOST);
        // otherwise a single bad host could fail a job before its task is tried on another host
        in.expect(
                !inSets || perHost < taskFailuresMax || taskFailuresMax == 1,
                ATTEMPTS_PER_HOST,
                "less than hearth.task.maxFailures = " + taskFailuresMax);
        return new ExclusionSettings(
                inSets,
                in.find(IN_APPLICATION).orElse(enabled),
                in.read(ATTEMPTS_PER_EXECUTOR),
                perHost,
                in.read(STAGE_TASKS),
                in.read(STAGE_EXECUTORS),
                in.read(TASKS),
                in.read(EXECUTORS),
                in.read(TIMEOUT).toNanos(),
                in.read(GIVES_BACK),
                in.read(FETCH_FAILURES),
                in.read(UNSCHEDULABLE).toNanos());
    }
}
