package dev.hearth.standalone.internal.master;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.OptionalInt;

/**
 * How a master distributes drivers and executors over workers. Read from {@code hearth.deploy.*}. Immutable. {@code
 * defaultCores} bounds applications that do not set hearth.cores.max.
 */
public record PlacementSettings(
        boolean spreadOut, SelectionPolicy selection, boolean spreadOutDrivers, OptionalInt defaultCores) {
    private static final SettingKey<Boolean> SPREAD_OUT = SettingKey.flag(
            "hearth.deploy.spreadOutApps",
            true,
            "Whether the executors of an application are spread over as many workers as possible; otherwise they are packed"
                    + " on as few as possible.");
    private static final SettingKey<SelectionPolicy> SELECTION = SettingKey.choice(
            "hearth.deploy.workerSelectionPolicy",
            SelectionPolicy.class,
            SelectionPolicy.CORES_FREE_DESC,
            "Order in which workers receive executors: by free cores or free memory, ascending or descending, or by id.");
    private static final SettingKey<Boolean> SPREAD_OUT_DRIVERS = SettingKey.flag(
            "hearth.deploy.spreadOutDrivers",
            true,
            "Whether a driver runs on the worker with the most free cores; otherwise it runs on the first worker with room,"
                    + " in the order of ids.");
    private static final SettingKey<Integer> DEFAULT_CORES = SettingKey.integer(
                    "hearth.deploy.defaultCores",
                    Integer.MAX_VALUE,
                    1,
                    Integer.MAX_VALUE,
                    "Maximum number of cores of an application that does not set hearth.cores.max.")
            .withoutDefault("as many as the workers have");

    static final List<SettingKey<?>> KEYS = List.of(SPREAD_OUT, SELECTION, SPREAD_OUT_DRIVERS, DEFAULT_CORES);

    static PlacementSettings read(SettingsReader in) {
        return new PlacementSettings(
                in.read(SPREAD_OUT),
                in.read(SELECTION),
                in.read(SPREAD_OUT_DRIVERS),
                in.find(DEFAULT_CORES).map(OptionalInt::of).orElseGet(OptionalInt::empty));
    }
}
