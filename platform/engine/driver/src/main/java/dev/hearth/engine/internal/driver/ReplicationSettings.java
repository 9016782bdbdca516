package dev.hearth.engine.internal.driver;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;

/** How what executors hold is copied to others: replicas, and what is of use on those that leave. Read from {@code hearth.storage.*}. */
record ReplicationSettings(
        boolean proactive,
        int failuresMax,
        boolean moves,
        boolean movesBlocks,
        boolean movesOutputs,
        int outputsAtOnce,
        int moveFailuresMax) {
    private static final SettingKey<Boolean> PROACTIVE = SettingKey.flag(
            "hearth.storage.replication.proactive",
            true,
            "Whether blocks of which an executor took a replica along get another one.");
    private static final SettingKey<Integer> FAILURES = SettingKey.integer(
            "hearth.storage.maxReplicationFailures",
            1,
            0,
            1_000,
            "How many executors may fail to take a replica of a block before it is left with fewer than its level says.");
    private static final SettingKey<Boolean> MOVES = SettingKey.flag(
            "hearth.storage.decommission.enabled",
            false,
            "Whether executors that leave hand what they hold to others before they go.");
    private static final SettingKey<Boolean> BLOCKS = SettingKey.flag(
            "hearth.storage.decommission.rddBlocks.enabled", true, "Whether these hand over blocks of kept datasets.");
    private static final SettingKey<Boolean> OUTPUTS = SettingKey.flag(
            "hearth.storage.decommission.shuffleBlocks.enabled", true, "Whether these hand over outputs of map tasks.");
    private static final SettingKey<Integer> OUTPUTS_AT_ONCE = SettingKey.integer(
            "hearth.storage.decommission.shuffleBlocks.maxThreads",
            8,
            1,
            1_000,
            "How many outputs of map tasks an executor that leaves hands over at once.");
    private static final SettingKey<Integer> MOVE_FAILURES = SettingKey.integer(
            "hearth.storage.decommission.maxReplicationFailuresPerBlock",
            3,
            0,
            1_000,
            "How many executors may fail to take over a block or an output before it is left to go.");

    static final List<SettingKey<?>> KEYS =
            List.of(PROACTIVE, FAILURES, MOVES, BLOCKS, OUTPUTS, OUTPUTS_AT_ONCE, MOVE_FAILURES);

    static ReplicationSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        ReplicationSettings read = new ReplicationSettings(
                in.read(PROACTIVE),
                in.read(FAILURES),
                in.read(MOVES),
                in.read(BLOCKS),
                in.read(OUTPUTS),
                in.read(OUTPUTS_AT_ONCE),
                in.read(MOVE_FAILURES));
        in.finish();
        return read;
    }
}
