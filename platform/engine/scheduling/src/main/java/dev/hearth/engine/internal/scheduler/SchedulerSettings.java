package dev.hearth.engine.internal.scheduler;

import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Settings of the task scheduler of one application. Read from {@code hearth.scheduler.*}, {@code hearth.locality.*},
 * {@code hearth.speculation.*}, {@code hearth.excludeOnFailure.*} and a few other keys. {@code executorCredit} bounds
 * the tasks that are queued at an executor for each of its cores. {@code executorsFixed} means that a released executor
 * is not replaced.
 */
public record SchedulerSettings(
        int taskFailuresMax,
        long resultBytesMax,
        SchedulingMode mode,
        Optional<String> poolFile,
        int executorCredit,
        boolean executorsFixed,
        LocalitySettings locality,
        SpeculationSettings speculation,
        ExclusionSettings exclusion,
        TaskNeeds needs) {
    /**
     * The number of failures of one task after which its job fails. Public because the settings group of the driver, in
     * another module, declares this key.
     */
    public static final SettingKey<Integer> TASK_MAX_FAILURES = SettingKey.integer(
            "hearth.task.maxFailures", 4, 1, Integer.MAX_VALUE, "Failures of one task after which its job fails.");

    private static final int CREDIT_MAX = 4096; // tasks per core
    private static final long MEBIBYTE = 1L << 20;

    private static final SettingKey<Integer> RESULT_SIZE_MAX = SettingKey.mebibytes(
            "hearth.driver.maxResultSize",
            1024,
            0,
            Integer.MAX_VALUE,
            "Maximum total size of the results of all tasks of a stage; if they are larger, the stage fails. 0 sets"
                    + " no bound.");
    private static final SettingKey<SchedulingMode> MODE = SettingKey.choice(
            "hearth.scheduler.mode",
            SchedulingMode.class,
            SchedulingMode.FIFO,
            "How concurrent jobs share cores: FIFO serves the oldest job first, FAIR shares among pools.");
    private static final SettingKey<String> ALLOCATION_FILE = SettingKey.text(
                    "hearth.scheduler.allocation.file",
                    "",
                    "The file that configures the pools of FAIR scheduling: a path, or a URI of any file store.")
            .withoutDefault("no pool but `default`");
    private static final SettingKey<Boolean> EXECUTORS_FIXED = SettingKey.flag(
            "hearth.scheduler.executorsFixed",
            false,
            "Whether the set of executors never changes; local masters set it.");
    private static final SettingKey<Integer> EXECUTOR_CREDIT = SettingKey.integer(
            "hearth.scheduler.executorCredit",
            256,
            0,
            CREDIT_MAX,
            "Maximum number of tasks that queue at an executor for each core, beside the running task. The number"
                    + " in use is about 4 ms divided by the mean run time of the tasks; 0 queues none.");

    public static final List<SettingKey<?>> KEYS = Stream.of(
                    List.<SettingKey<?>>of(RESULT_SIZE_MAX, MODE, ALLOCATION_FILE, EXECUTORS_FIXED, EXECUTOR_CREDIT),
                    LocalitySettings.KEYS,
                    SpeculationSettings.KEYS,
                    ExclusionSettings.KEYS,
                    TaskNeeds.KEYS)
            .<SettingKey<?>>flatMap(List::stream)
            .toList();

    public static SchedulerSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        int failures = in.read(TASK_MAX_FAILURES);
        SchedulerSettings read = new SchedulerSettings(
                failures,
                in.read(RESULT_SIZE_MAX) * MEBIBYTE,
                in.read(MODE),
                in.find(ALLOCATION_FILE).filter(file -> !file.isBlank()),
                in.read(EXECUTOR_CREDIT),
                in.read(EXECUTORS_FIXED),
                LocalitySettings.read(in),
                SpeculationSettings.read(in),
                ExclusionSettings.read(in, failures),
                TaskNeeds.read(in, ExecutorProfile.read(in), in.read(EXECUTORS_FIXED)));
        in.finish();
        return read;
    }

    /**
     * A copy of these settings with {@code executorsFixed} set, for a local master, under which no executor is ever
     * added or replaced.
     */
    public SchedulerSettings withExecutorsFixed() {
        return new SchedulerSettings(
                taskFailuresMax,
                resultBytesMax,
                mode,
                poolFile,
                executorCredit,
                true,
                locality,
                speculation,
                exclusion,
                needs);
    }

    /** A copy of these settings with other needs of each task. */
    public SchedulerSettings with(TaskNeeds other) {
        return new SchedulerSettings(
                taskFailuresMax,
                resultBytesMax,
                mode,
                poolFile,
                executorCredit,
                executorsFixed,
                locality,
                speculation,
                exclusion,
                other);
    }
}
