package dev.hearth.status.store;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;

/** Settings that bound the number of entries in a {@link StatusStore}: {@code hearth.ui.retained*}. */
public record StatusSettings(int jobs, int stages, int tasks, int deadExecutors) {
    public static final StatusSettings DEFAULTS = new StatusSettings(1000, 1000, 100_000, 100);

    private static final SettingKey<Integer> JOBS =
            SettingKey.integer("hearth.ui.retainedJobs", DEFAULTS.jobs, 1, 1_000_000, "Ended jobs that are retained.");
    private static final SettingKey<Integer> STAGES = SettingKey.integer(
            "hearth.ui.retainedStages", DEFAULTS.stages, 1, 1_000_000, "Ended stage attempts that are retained.");
    private static final SettingKey<Integer> TASKS = SettingKey.integer(
            "hearth.ui.retainedTasks",
            DEFAULTS.tasks,
            0,
            100_000_000,
            "Ended tasks that are retained, over all stages of an application; with 0 only sums are.");
    private static final SettingKey<Integer> DEAD_EXECUTORS = SettingKey.integer(
            "hearth.ui.retainedDeadExecutors",
            DEFAULTS.deadExecutors,
            0,
            1_000_000,
            "Lost executors that are retained.");

    public static final List<SettingKey<?>> KEYS = List.of(JOBS, STAGES, TASKS, DEAD_EXECUTORS);

    public static StatusSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        StatusSettings read =
                new StatusSettings(in.read(JOBS), in.read(STAGES), in.read(TASKS), in.read(DEAD_EXECUTORS));
        in.finish();
        return read;
    }
}
